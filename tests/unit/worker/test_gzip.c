/*
 * gzip: all members, checksums checked, nothing but zeros behind them.
 */
#include <criterion/criterion.h>

#include "tests/support/drain.h"

/* The stored bytes give that text, or that failure, however they come. */
static void
expect(struct span stored, enum status status, enum reason reason,
       struct span text)
{
	for (size_t chunk = 0; chunk < 32; chunk++) {
		struct drained got;

		drain(stored, chunk, NULL, &got);
		cr_assert_eq(got.status, status, "chunk %zu: %s: %s", chunk,
			     status_name(got.status), got.failure.message);
		if (status != ST_OK)
			cr_assert_eq(got.failure.reason, reason, "%s",
				     got.failure.message);
		cr_assert(span_equal(packed_span(&got.text), text), "chunk %zu",
			  chunk);
		if (status == ST_OK) {
			cr_assert_eq(got.end.encoding, ENCODING_GZIP);
			cr_assert_eq(got.end.bytes, stored.len);
			cr_assert_eq(got.end.decoded_bytes, text.len);
		}
		drained_free(&got);
	}
}

Test(gzip, reads_one_member)
{
	struct packed text = sample_text(5000), file = {0};

	pack_gzip(&file, packed_span(&text));
	expect(packed_span(&file), ST_OK, RE_NONE, packed_span(&text));
	free(text.data);
	free(file.data);
}

Test(gzip, reads_all_members_as_one_text)
{
	struct packed file = {0};

	pack_gzip(&file, span_str("{\"no"));
	pack_gzip(&file, span_str(""));
	pack_gzip(&file, span_str("des\":[]}"));
	expect(packed_span(&file), ST_OK, RE_NONE, span_str("{\"nodes\":[]}"));
	free(file.data);
}

Test(gzip, reads_more_than_its_buffers_hold)
{
	struct packed text = sample_text(5 << 20), file = {0};
	struct drained got;

	pack_gzip(&file, packed_span(&text));
	pack_gzip(&file, packed_span(&text));
	drain(packed_span(&file), 0, NULL, &got);
	cr_assert_eq(got.status, ST_OK);
	cr_assert_eq(got.text.len, 10 << 20);
	cr_assert_eq(memcmp(got.text.data + (5 << 20), text.data, 5 << 20), 0);
	drained_free(&got);
	free(text.data);
	free(file.data);
}

Test(gzip, accepts_zeros_behind_the_end)
{
	struct packed file = {0};
	static const uint8_t zeros[600];

	pack_gzip(&file, span_str("text"));
	pack_append(&file, zeros, sizeof(zeros));
	expect(packed_span(&file), ST_OK, RE_NONE, span_str("text"));
	free(file.data);
}

Test(gzip, refuses_anything_else_behind_the_end)
{
	static const char *const junk[] = {"x", "\0\0x", "\0\x1f\x8b",
					   "\x1f\x8c", "\x1fz"};
	static const size_t lens[] = {1, 3, 3, 2, 2};

	for (unsigned i = 0; i < 5; i++) {
		struct packed file = {0};

		pack_gzip(&file, span_str("text"));
		pack_append(&file, junk[i], lens[i]);
		expect(packed_span(&file), ST_ARTIFACT_CORRUPT,
		       RE_BAD_CONTAINER, span_str("text"));
		free(file.data);
	}
}

Test(gzip, notices_a_wrong_checksum_and_a_wrong_length)
{
	for (size_t back = 1; back <= 8; back++) {
		struct packed file = {0};

		pack_gzip(&file, span_str("some text"));
		file.data[file.len - back] ^= 1;
		expect(packed_span(&file), ST_ARTIFACT_CORRUPT, RE_BAD_CHECKSUM,
		       span_str("some text"));
		free(file.data);
	}
}

Test(gzip, names_a_cut_at_every_byte)
{
	struct packed text = sample_text(300), file = {0};

	pack_gzip(&file, packed_span(&text));
	for (size_t len = 2; len < file.len; len++) {
		for (size_t chunk = 0; chunk < 32; chunk += 5) {
			struct drained got;

			drain(span_of(file.data, len), chunk, NULL, &got);
			cr_assert_eq(got.status, ST_ARTIFACT_CORRUPT);
			cr_assert_eq(got.failure.reason,
				     RE_TRUNCATED_CONTAINER);
			cr_assert_eq(got.failure.offset, (int64_t)got.text.len);
			drained_free(&got);
		}
	}
	free(text.data);
	free(file.data);
}

Test(gzip, stops_a_bomb_at_the_cap)
{
	struct packed text = {.data = calloc(1, 8 << 20), .len = 8 << 20};
	struct packed file = {0};
	struct limits limits;

	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 1000;
	pack_gzip(&file, packed_span(&text));
	for (size_t chunk = 0; chunk < 32; chunk++) {
		struct drained got;

		drain(packed_span(&file), chunk, &limits, &got);
		cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
		cr_assert_eq(got.failure.limit, LIMIT_MAX_DECODED_BYTES);
		cr_assert_eq(got.failure.actual, 1001);
		cr_assert_eq(got.failure.max, 1000);
		cr_assert_leq(got.text.len, 1000);
		drained_free(&got);
	}
	free(text.data);
	free(file.data);
}
