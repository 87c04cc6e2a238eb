/*
 * FAILED: why a job ended without a result.
 */
#include <criterion/criterion.h>

#include "proto/failure.h"
#include "proto/utf8.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

/* Where fields lie in a payload. */
enum {
	AT_STATUS = 0,
	AT_REASON = 2,
	AT_OFFSET = 4,
	AT_LIMIT = 12,
	AT_RESERVED = 13,
};

static bool
reads(struct span bytes)
{
	struct failure failure;

	return failure_read(bytes, &failure);
}

/* Borrowed: until the next call. */
static struct span
written(const struct failure *failure)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	failure_write(&w, failure);
	cr_assert_not(w.failed);
	return span_of(bytes, w.len);
}

/* Through the longest message the format takes and beyond. */
static void
say_filled(struct failure *f, size_t len, const char *end)
{
	static char text[2 * FAILURE_TEXT_BYTES];

	memset(text, 'x', len);
	text[len] = '\0';
	failure_say(f, "%s%s", text, end);
}

static void
golden_failure(struct failure *f)
{
	failure_of_limit(f, LIMIT_MAX_NODES, 20000001, 20000000);
	failure_say(f, "too many %s \xe2\x80\xa6", "nodes");
	strcpy(f->path, "$.nodes[3].id");
}

Test(failure, starts_without_offset_limit_signal_and_texts)
{
	struct failure f;

	failure_init(&f, ST_ARTIFACT_PARSE_FAILED, RE_CYCLE);
	cr_assert_eq(f.status, ST_ARTIFACT_PARSE_FAILED);
	cr_assert_eq(f.reason, RE_CYCLE);
	cr_assert_eq(f.offset, -1);
	cr_assert_eq(f.limit, LIMIT_NONE);
	cr_assert_eq(f.signal, 0);
	cr_assert_str_empty(f.message);
	cr_assert_str_empty(f.path);
}

Test(failure, of_a_limit_names_it_with_both_values)
{
	struct failure f;

	failure_of_limit(&f, LIMIT_MAX_DEPTH, 11, 10);
	cr_assert_eq(f.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(f.reason, RE_NONE);
	cr_assert_eq(f.limit, LIMIT_MAX_DEPTH);
	cr_assert_eq(f.actual, 11);
	cr_assert_eq(f.max, 10);
}

Test(failure, is_written_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_FAILED);
	struct failure f;

	golden_failure(&f);
	failure_write(w, &f);
	golden_end(w, "FAILED");
}

Test(failure, is_read_as_the_golden_bytes_say)
{
	struct frame frame = golden_decoded("FAILED", PARTY_WORKER);
	struct failure f;

	cr_assert(failure_read(frame.payload, &f));
	cr_assert_eq(f.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(f.reason, RE_NONE);
	cr_assert_eq(f.offset, -1);
	cr_assert_eq(f.limit, LIMIT_MAX_NODES);
	cr_assert_eq(f.actual, 20000001);
	cr_assert_eq(f.max, 20000000);
	cr_assert_eq(f.signal, 0);
	cr_assert_str_eq(f.message, "too many nodes \xe2\x80\xa6");
	cr_assert_str_eq(f.path, "$.nodes[3].id");
}

Test(failure, comes_back_whatever_is_in_it)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint8_t first[2048];
		struct failure f, again;
		struct span bytes;

		failure_init(&f, (enum status)(1 + dice_below(ST_COUNT - 1)),
			     (enum reason)dice_below(RE_COUNT));
		f.offset = (int64_t)(dice() >> 1);
		f.limit = (enum limit)dice_below(LIMIT_COUNT);
		f.actual = dice();
		f.max = dice();
		f.signal = (int32_t)dice();
		say_filled(&f, dice_below(FAILURE_TEXT_BYTES), "");
		memset(f.path, 'p', dice_below(FAILURE_PATH_BYTES));
		bytes = written(&f);
		memcpy(first, bytes.data, bytes.len);
		bytes.data = first;
		cr_assert(failure_read(bytes, &again));
		assert_bytes(written(&again), bytes);
	}
}

Test(failure, is_refused_when_cut_anywhere_and_with_anything_behind)
{
	struct failure f;

	golden_failure(&f);
	assert_exact(reads, written(&f));
}

Test(failure, is_refused_with_a_status_that_is_no_failure)
{
	struct failure f;
	struct span bytes;

	golden_failure(&f);
	bytes = written(&f);
	for (unsigned v = 0; v < 256; v++)
		if (v == ST_OK || v >= ST_COUNT)
			assert_refused(reads, bytes, AT_STATUS, (uint8_t)v);
	assert_refused(reads, bytes, AT_STATUS + 1, 1);
}

Test(failure, is_refused_with_a_reason_or_a_limit_beyond_its_last)
{
	struct failure f;
	struct span bytes;

	golden_failure(&f);
	bytes = written(&f);
	for (unsigned v = RE_COUNT; v < 256; v++)
		assert_refused(reads, bytes, AT_REASON, (uint8_t)v);
	assert_refused(reads, bytes, AT_REASON + 1, 1);
	for (unsigned v = LIMIT_COUNT; v < LIMIT_NONE; v++)
		assert_refused(reads, bytes, AT_LIMIT, (uint8_t)v);
	for (unsigned v = 1; v < 256; v++)
		assert_refused(reads, bytes, AT_RESERVED, (uint8_t)v);
}

Test(failure, of_a_limit_must_name_one_and_any_other_need_not)
{
	struct failure f;

	failure_init(&f, ST_LIMIT_EXCEEDED, RE_NONE);
	cr_assert_not(reads(written(&f)));
	failure_init(&f, ST_EMPTY_INPUT, RE_NONE);
	cr_assert(reads(written(&f)));
}

Test(failure, is_refused_with_an_offset_below_none)
{
	struct failure f;

	failure_init(&f, ST_EMPTY_INPUT, RE_NONE);
	f.offset = -2;
	cr_assert_not(reads(written(&f)));
	f.offset = INT64_MIN;
	cr_assert_not(reads(written(&f)));
	f.offset = INT64_MAX;
	cr_assert(reads(written(&f)));
}

/* A payload with these two texts; the rest is right. */
static bool
reads_texts(struct span message, struct span path)
{
	static const uint8_t head[AT_LIMIT] = {ST_EMPTY_INPUT};
	uint8_t bytes[2048];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_bytes(&w, head, sizeof(head));
	writer_put_u16(&w, LIMIT_NONE);
	writer_put_u64(&w, 0);
	writer_put_u64(&w, 0);
	writer_put_u32(&w, 0);
	writer_put_string(&w, message);
	writer_put_string(&w, path);
	cr_assert_not(w.failed);
	return reads(span_of(bytes, w.len));
}

Test(failure, is_refused_with_a_text_too_long_or_with_a_zero_byte_or_not_utf8)
{
	static uint8_t text[FAILURE_TEXT_BYTES];
	struct span most = span_of(text, FAILURE_TEXT_BYTES - 1);
	struct span more = span_of(text, FAILURE_TEXT_BYTES);
	struct span none = span_of(NULL, 0);

	memset(text, 'x', sizeof(text));
	cr_assert(reads_texts(most, most));
	cr_assert_not(reads_texts(more, none));
	cr_assert_not(reads_texts(none, more));
	cr_assert_not(reads_texts(span_of("a\0", 2), none));
	cr_assert_not(reads_texts(none, span_of("\0a", 2)));
	cr_assert_not(reads_texts(span_str("\xff"), none));
	cr_assert_not(reads_texts(none, span_str("\xed\xa0\x80")));
}

Test(failure, that_is_refused_leaves_the_output_untouched)
{
	struct failure f;

	failure_init(&f, ST_BUSY, RE_NONE);
	cr_assert_not(failure_read(span_of(NULL, 0), &f));
	cr_assert_eq(f.status, ST_BUSY);
}

Test(failure_say, replaces_bytes_that_are_not_utf8)
{
	struct failure f;

	failure_init(&f, ST_BUSY, RE_NONE);
	failure_say(&f, "%s", "a\xff\xc3\xa9\x80z\xe2\x82");
	cr_assert_str_eq(f.message, "a?\xc3\xa9?z??");
}

Test(failure_say, keeps_as_much_as_fits)
{
	struct failure f;

	failure_init(&f, ST_BUSY, RE_NONE);
	say_filled(&f, FAILURE_TEXT_BYTES - 1, "");
	cr_assert_eq(strlen(f.message), FAILURE_TEXT_BYTES - 1);
	say_filled(&f, FAILURE_TEXT_BYTES, "");
	cr_assert_eq(strlen(f.message), FAILURE_TEXT_BYTES - 1);
}

Test(failure_say, cuts_between_characters)
{
	struct failure f;

	failure_init(&f, ST_BUSY, RE_NONE);
	for (size_t len = FAILURE_TEXT_BYTES - 5; len < FAILURE_TEXT_BYTES;
	     len++) {
		size_t fits = len + 4 < FAILURE_TEXT_BYTES ? 4 : 0;

		say_filled(&f, len, "\xf0\x9f\xa6\x80");
		cr_assert_eq(strlen(f.message), len + fits);
		cr_assert(utf8_valid(span_str(f.message)));
		cr_assert_null(strchr(f.message, '?'));
	}
}
