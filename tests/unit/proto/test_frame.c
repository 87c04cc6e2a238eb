/*
 * Headers, the table of messages, and the golden frames of those messages that
 * have no writer of their own.
 */
#include <criterion/criterion.h>

#include "proto/frame.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

struct known {
	enum message message;
	const char *name;
	enum party sender;
	size_t min, max;
};

/* Once more by the table's own words, to compare what frame.c makes of it. */
static const struct known messages[] = {
#define MESSAGE(name, number, sender, min, max, fds, states) \
	{MSG_##name, #name, PARTY_##sender, (min), (max)},
#include "proto/message.def"
#undef MESSAGE
};

#define MESSAGES (sizeof(messages) / sizeof(messages[0]))

/* A frame of `len` zero bytes of payload, whatever the table says. */
static struct span
raw_frame(unsigned message, size_t len)
{
	static uint8_t bytes[FRAME_BYTES_MAX + 64];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_u16(&w, FRAME_MAGIC);
	writer_put_u8(&w, FRAME_VERSION);
	writer_put_u8(&w, (uint8_t)message);
	writer_put_u32(&w, (uint32_t)len);
	writer_put_u64(&w, 7);
	return span_of(bytes, FRAME_HEADER_BYTES + len);
}

static bool
decodes(struct span bytes, enum party sender)
{
	struct frame frame;

	return frame_decode(bytes, sender, &frame) == ST_OK;
}

Test(frame, of_every_message_has_a_golden_file_that_decodes)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		struct frame frame =
		    golden_decoded(messages[i].name, messages[i].sender);

		cr_assert_eq(frame.message, messages[i].message);
	}
}

Test(frame, is_taken_from_its_sender_only)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		struct span bytes = golden_frame(messages[i].name);

		for (unsigned party = 0; party <= PARTY_WORKER; party++)
			cr_assert_eq(decodes(bytes, (enum party)party),
				     party == messages[i].sender, "%s",
				     messages[i].name);
	}
}

Test(frame, numbers_and_names_are_unique)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		cr_assert_str_eq(message_name(messages[i].message),
				 messages[i].name);
		for (size_t k = 0; k < i; k++) {
			cr_assert_neq(messages[i].message, messages[k].message);
			cr_assert_str_neq(messages[i].name, messages[k].name);
		}
	}
}

Test(frame, of_a_number_that_no_message_has_is_refused)
{
	for (unsigned number = 0; number < 256; number++) {
		bool known = false, taken = false;

		for (size_t i = 0; i < MESSAGES; i++)
			known |= messages[i].message == number;
		if (known)
			continue;
		for (unsigned party = 0; party <= PARTY_WORKER; party++)
			taken |=
			    decodes(raw_frame(number, 0), (enum party)party);
		cr_assert_not(taken, "number %u", number);
		cr_assert_str_eq(message_name((enum message)number), "?");
		cr_assert_eq(message_fds((enum message)number), 0);
	}
}

Test(frame, is_refused_when_its_payload_is_outside_the_messages_range)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		const struct known *m = &messages[i];

		cr_assert(decodes(raw_frame(m->message, m->min), m->sender));
		cr_assert(decodes(raw_frame(m->message, m->max), m->sender));
		cr_assert_not(decodes(raw_frame(m->message, m->max + 1),
				      m->sender),
			      "%s", m->name);
		if (m->min > 0)
			cr_assert_not(decodes(raw_frame(m->message, m->min - 1),
					      m->sender),
				      "%s", m->name);
	}
}

static bool
ready_decodes(struct span bytes)
{
	return decodes(bytes, PARTY_WORKER);
}

Test(frame, is_refused_when_cut_or_longer_than_its_length_says)
{
	assert_exact(ready_decodes, golden_frame("READY"));
}

Test(frame, is_refused_with_any_other_magic_version_or_length)
{
	struct span bytes = golden_frame("READY");

	for (size_t at = 0; at < 8; at++)
		for (unsigned value = 0; value < 256; value++)
			if (at != 3 && value != bytes.data[at])
				assert_refused(ready_decodes, bytes, at,
					       (uint8_t)value);
}

Test(frame, that_is_refused_leaves_the_output_untouched)
{
	struct frame frame = {.message = MSG_DRAIN, .job = 5};

	cr_assert_eq(frame_decode(golden_frame("READY"), PARTY_FRONT, &frame),
		     ST_BAD_REPLY);
	cr_assert_eq(frame.message, MSG_DRAIN);
	cr_assert_eq(frame.job, 5);
}

Test(frame, carries_the_job_and_borrows_the_payload)
{
	struct span bytes = golden_frame("READY");
	struct frame frame = golden_decoded("READY", PARTY_WORKER);

	cr_assert_eq(frame.job, GOLDEN_JOB);
	cr_assert_eq(frame.payload.data, bytes.data + FRAME_HEADER_BYTES);
	cr_assert_eq(frame.payload.len, 8);
}

Test(frame, without_a_payload_is_a_header_alone)
{
	static const enum message empty[] = {MSG_FRONT_READY, MSG_FRONT_HERE,
					     MSG_START,	      MSG_ALIVE,
					     MSG_HOLD,	      MSG_DELIVERING,
					     MSG_DELIVERED,   MSG_DRAIN};

	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		golden_end(golden_begin(empty[i]), message_name(empty[i]));
}

Test(frame, done_holds_the_number_of_rows)
{
	struct writer *w = golden_begin(MSG_DONE);

	writer_put_u32(w, 2);
	golden_end(w, "DONE");
}

Test(frame, last_words_are_a_string)
{
	struct writer *w = golden_begin(MSG_LAST_WORDS);

	writer_put_string(w, span_str("bug: worker/x.c:7: left > 0\n"));
	golden_end(w, "LAST_WORDS");
}

Test(frame, ask_status_holds_the_request)
{
	struct writer *w = golden_begin(MSG_ASK_STATUS);

	writer_put_u64(w, 77);
	golden_end(w, "ASK_STATUS");
}

Test(frame, brings_a_descriptor_where_the_table_says_so)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		enum message m = messages[i].message;
		unsigned want = m == MSG_JOB || m == MSG_START ||
				m == MSG_CHANNEL || m == MSG_ADOPT;

		cr_assert_eq(message_fds(m), want, "%s", messages[i].name);
	}
}

Test(frame, of_the_largest_payload_fills_the_buffer)
{
	static uint8_t bytes[FRAME_BYTES_MAX], payload[FRAME_PAYLOAD_MAX];
	struct writer w;
	struct span out;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_ROWS, 1);
	writer_put_bytes(&w, payload, sizeof(payload));
	out = frame_end(&w);
	cr_assert_eq(out.len, FRAME_BYTES_MAX);
	cr_assert(decodes(out, PARTY_WORKER));
}

static void
end_too_short(void)
{
	(void)frame_end(golden_begin(MSG_READY));
}

static void
end_too_long(void)
{
	struct writer *w = golden_begin(MSG_ALIVE);

	writer_put_u8(w, 1);
	(void)frame_end(w);
}

static void
end_overflown(void)
{
	struct writer *w = golden_begin(MSG_ROWS);
	static uint8_t payload[FRAME_PAYLOAD_MAX + 1];

	writer_put_bytes(w, payload, sizeof(payload));
	(void)frame_end(w);
}

static void
end_unknown(void)
{
	(void)frame_end(golden_begin((enum message)200));
}

Test(frame, that_we_make_outside_the_table_is_our_bug)
{
	cr_assert(dies(end_too_short));
	cr_assert(dies(end_too_long));
	cr_assert(dies(end_overflown));
	cr_assert(dies(end_unknown));
}
