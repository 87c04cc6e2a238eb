/*
 * The header of a private message, and the table of what may be in it.
 */
#include "proto/frame.h"

#include <assert.h>
#include <stddef.h>

#include "proto/bug.h"

#define HEADER_LENGTH_AT 4

struct message_row {
	const char *name;
	uint32_t min, max;
	uint8_t number;
	uint8_t sender;
	uint8_t fds;
};

static const struct message_row message_rows[] = {
#define MESSAGE(name_, number_, sender_, min_, max_, fds_, states) \
	{.name = #name_,                                           \
	 .min = (min_),                                            \
	 .max = (max_),                                            \
	 .number = (number_),                                      \
	 .sender = PARTY_##sender_,                                \
	 .fds = (fds_)},
#include "proto/message.def"
#undef MESSAGE
};

#define MESSAGE(name, number, sender, min, max, fds, states)        \
	static_assert((min) <= (max) && (max) <= FRAME_PAYLOAD_MAX, \
		      #name " fits a frame");
#include "proto/message.def"
#undef MESSAGE

/* NULL when there is no such message. */
static const struct message_row *
row_of(unsigned number)
{
	for (size_t i = 0; i < sizeof(message_rows) / sizeof(message_rows[0]);
	     i++)
		if (message_rows[i].number == number)
			return &message_rows[i];
	return NULL;
}

const char *
message_name(enum message message)
{
	const struct message_row *row = row_of((unsigned)message);

	return row == NULL ? "?" : row->name;
}

unsigned
message_fds(enum message message)
{
	const struct message_row *row = row_of((unsigned)message);

	return row == NULL ? 0 : row->fds;
}

void
frame_begin(struct writer *w, enum message message, uint64_t job)
{
	writer_put_u16(w, FRAME_MAGIC);
	writer_put_u8(w, FRAME_VERSION);
	writer_put_u8(w, (uint8_t)message);
	writer_put_u32(w, 0);
	writer_put_u64(w, job);
}

struct span
frame_end(struct writer *w)
{
	struct writer length;
	const struct message_row *row;
	size_t payload;

	BUG_ON(w->failed || w->len < FRAME_HEADER_BYTES);
	payload = w->len - FRAME_HEADER_BYTES;
	row = row_of(w->data[3]);
	BUG_ON(row == NULL || payload < row->min || payload > row->max);
	writer_init(&length, w->data + HEADER_LENGTH_AT, 4);
	writer_put_u32(&length, (uint32_t)payload);
	return span_of(w->data, w->len);
}

enum status
frame_decode(struct span bytes, enum party sender, struct frame *frame_out)
{
	const struct message_row *row;
	struct reader r;
	uint16_t magic;
	uint8_t version, number;
	uint32_t length;
	uint64_t job;

	reader_init(&r, bytes);
	magic = reader_get_u16(&r);
	version = reader_get_u8(&r);
	number = reader_get_u8(&r);
	length = reader_get_u32(&r);
	job = reader_get_u64(&r);
	if (r.failed || magic != FRAME_MAGIC || version != FRAME_VERSION ||
	    length != r.left)
		return ST_BAD_REPLY;
	row = row_of(number);
	if (row == NULL || row->sender != sender || length < row->min ||
	    length > row->max)
		return ST_BAD_REPLY;
	*frame_out = (struct frame){.message = (enum message)number,
				    .job = job,
				    .payload = span_of(r.at, r.left)};
	return ST_OK;
}
