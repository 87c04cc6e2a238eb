/*
 * The FAILED message, written and read in the same order.
 */
#include "proto/failure.h"

#include <stdarg.h>
#include <stdio.h>

#include "proto/utf8.h"

void
failure_init(struct failure *failure, enum status status, enum reason reason)
{
	*failure = (struct failure){.status = status,
				    .reason = reason,
				    .offset = -1,
				    .limit = LIMIT_NONE};
}

void
failure_of_limit(struct failure *failure, enum limit limit, uint64_t actual,
		 uint64_t max)
{
	failure_init(failure, ST_LIMIT_EXCEEDED, RE_NONE);
	failure->limit = limit;
	failure->actual = actual;
	failure->max = max;
}

/*
 * A name may have been cut by snprintf, or come from an unchecked place. The
 * last character goes when it was cut; what else is not valid is replaced.
 */
static void
make_valid(char *text, bool was_cut)
{
	size_t len = strlen(text);
	size_t good = utf8_valid_prefix(span_of(text, len));

	while (good < len) {
		if (was_cut && len - good < 4 &&
		    ((uint8_t)text[good] & 0xc0) == 0xc0) {
			text[good] = '\0';
			return;
		}
		text[good] = '?';
		good += utf8_valid_prefix(span_of(text + good, len - good));
	}
}

void
failure_say(struct failure *failure, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len =
	    vsnprintf(failure->message, sizeof(failure->message), format, args);
	va_end(args);
	make_valid(failure->message, len >= (int)sizeof(failure->message));
}

void
failure_write(struct writer *w, const struct failure *failure)
{
	writer_put_u16(w, (uint16_t)failure->status);
	writer_put_u16(w, (uint16_t)failure->reason);
	writer_put_u64(w, (uint64_t)failure->offset);
	writer_put_u8(w, (uint8_t)failure->limit);
	writer_put_u8(w, 0);
	writer_put_u64(w, failure->actual);
	writer_put_u64(w, failure->max);
	writer_put_u32(w, (uint32_t)failure->signal);
	writer_put_string(w, span_str(failure->message));
	writer_put_string(w, span_str(failure->path));
}

static void
read_text(struct reader *r, char *out, size_t size)
{
	struct span text = reader_get_string(r, size - 1);

	if (text.len > 0 && memchr(text.data, '\0', text.len) != NULL)
		r->failed = true;
	else if (text.len > 0)
		memcpy(out, text.data, text.len);
}

bool
failure_read(struct span payload, struct failure *failure_out)
{
	struct failure f = {0};
	struct reader r;
	uint8_t limit;

	reader_init(&r, payload);
	if (!status_from_wire(reader_get_u16(&r), &f.status) ||
	    f.status == ST_OK ||
	    !reason_from_wire(reader_get_u16(&r), &f.reason))
		return false;
	f.offset = (int64_t)reader_get_u64(&r);
	limit = reader_get_u8(&r);
	f.limit = (enum limit)limit;
	(void)reader_get_below(&r, 1);
	f.actual = reader_get_u64(&r);
	f.max = reader_get_u64(&r);
	f.signal = (int32_t)reader_get_u32(&r);
	read_text(&r, f.message, sizeof(f.message));
	read_text(&r, f.path, sizeof(f.path));
	if (!reader_end(&r) || f.offset < -1 ||
	    (limit >= LIMIT_COUNT && limit != LIMIT_NONE) ||
	    (f.status == ST_LIMIT_EXCEEDED && limit == LIMIT_NONE))
		return false;
	*failure_out = f;
	return true;
}
