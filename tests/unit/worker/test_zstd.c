/*
 * zstd: all frames, checksums checked, windows capped.
 */
#include <criterion/criterion.h>

#include "tests/support/drain.h"

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
		if (status == ST_ARTIFACT_CORRUPT)
			cr_assert_eq(got.failure.offset, (int64_t)text.len);
		cr_assert(span_equal(packed_span(&got.text), text), "chunk %zu",
			  chunk);
		if (status == ST_OK)
			cr_assert_eq(got.end.encoding, ENCODING_ZSTD);
		drained_free(&got);
	}
}

Test(zstd, reads_a_frame)
{
	struct packed text = sample_text(5000), file = {0};

	pack_zstd(&file, packed_span(&text), 0);
	expect(packed_span(&file), ST_OK, RE_NONE, packed_span(&text));
	free(text.data);
	free(file.data);
}

Test(zstd, reads_frames_empty_ones_and_skippable_ones_as_one_text)
{
	static const uint8_t skip[] = "\x53\x2a\x4d\x18\x03\0\0\0abc";
	static const uint8_t skip_none[] = "\x50\x2a\x4d\x18\0\0\0\0";
	struct packed file = {0};

	pack_append(&file, skip, sizeof(skip) - 1);
	pack_zstd(&file, span_str("{\"no"), 0);
	pack_append(&file, skip_none, sizeof(skip_none) - 1);
	pack_zstd(&file, span_str(""), 0);
	pack_zstd(&file, span_str("des\":[]}"), 10);
	pack_append(&file, skip, sizeof(skip) - 1);
	expect(packed_span(&file), ST_OK, RE_NONE, span_str("{\"nodes\":[]}"));
	free(file.data);
}

Test(zstd, reads_more_than_its_buffers_hold)
{
	struct packed text = sample_text(5 << 20), file = {0};
	struct drained got;

	pack_zstd(&file, packed_span(&text), 20);
	pack_zstd(&file, packed_span(&text), 0);
	drain(packed_span(&file), 0, NULL, &got);
	cr_assert_eq(got.status, ST_OK, "%s", got.failure.message);
	cr_assert_eq(got.text.len, 10 << 20);
	cr_assert_eq(memcmp(got.text.data + (5 << 20), text.data, 5 << 20), 0);
	drained_free(&got);
	free(text.data);
	free(file.data);
}

Test(zstd, refuses_junk_behind_a_frame)
{
	struct packed file = {0};

	pack_zstd(&file, span_str("text"), 0);
	pack_append(&file, "junk junk", 9);
	expect(packed_span(&file), ST_ARTIFACT_CORRUPT, RE_BAD_CONTAINER,
	       span_str("text"));
	free(file.data);
}

/* A frame of one block, which is not compressed, that tells a length. */
static void
pack_raw(struct packed *file, uint8_t length, uint8_t block)
{
	const uint8_t head[] = {0x28,
				0xb5,
				0x2f,
				0xfd,
				0x20,
				length,
				(uint8_t)(block << 3 | 1),
				(uint8_t)(block >> 5),
				0};
	uint8_t body[UINT8_MAX];

	memset(body, 'x', block);
	pack_append(file, head, sizeof(head));
	pack_append(file, body, block);
}

/* The library hands out parts of such a block as they come, and sees that it
 * is wrong later. */
Test(zstd, gives_nothing_of_a_bad_block_however_it_is_cut)
{
	static const uint8_t blocks[] = {1, 49, 51, 60, 255};

	for (size_t i = 0; i < sizeof(blocks); i++) {
		struct packed file = {0};

		pack_zstd(&file, span_str("text"), 0);
		pack_raw(&file, 50, blocks[i]);
		expect(packed_span(&file), ST_ARTIFACT_CORRUPT,
		       RE_BAD_CONTAINER, span_str("text"));
		free(file.data);
	}
}

Test(zstd, reads_a_block_that_is_not_compressed)
{
	struct packed file = {0};
	char text[100];

	memset(text, 'x', sizeof(text));
	pack_raw(&file, 70, 70);
	pack_raw(&file, 30, 30);
	expect(packed_span(&file), ST_OK, RE_NONE, span_of(text, 100));
	free(file.data);
}

Test(zstd, notices_a_wrong_checksum)
{
	for (size_t back = 1; back <= 4; back++) {
		struct packed file = {0};

		pack_zstd(&file, span_str("some text"), 0);
		file.data[file.len - back] ^= 1;
		expect(packed_span(&file), ST_ARTIFACT_CORRUPT, RE_BAD_CHECKSUM,
		       span_str("some text"));
		free(file.data);
	}
}

Test(zstd, names_a_cut_at_every_byte)
{
	struct packed text = sample_text(300), file = {0};

	pack_zstd(&file, packed_span(&text), 0);
	for (size_t len = 4; len < file.len; len++) {
		for (size_t chunk = 0; chunk < 32; chunk += 5) {
			struct drained got;

			drain(span_of(file.data, len), chunk, NULL, &got);
			cr_assert_eq(got.status, ST_ARTIFACT_CORRUPT);
			cr_assert_eq(got.failure.reason,
				     RE_TRUNCATED_CONTAINER);
			drained_free(&got);
		}
	}
	free(text.data);
	free(file.data);
}

static void
expect_window(struct span stored, uint64_t max, uint64_t actual)
{
	struct limits limits;

	limits_default(&limits);
	limits.of[LIMIT_MAX_WINDOW_BYTES] = max;
	for (size_t chunk = 0; chunk < 32; chunk++) {
		struct drained got;

		drain(stored, chunk, &limits, &got);
		if (actual <= max) {
			cr_assert_eq(got.status, ST_OK, "%s",
				     got.failure.message);
		} else {
			cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
			cr_assert_eq(got.failure.limit, LIMIT_MAX_WINDOW_BYTES);
			cr_assert_eq(got.failure.actual, actual);
			cr_assert_eq(got.failure.max, max);
			cr_assert_eq(got.text.len, 0);
		}
		drained_free(&got);
	}
}

Test(zstd, holds_the_window_to_its_cap_exactly)
{
	struct packed text = sample_text(5000), file = {0}, whole = {0};

	pack_zstd(&file, packed_span(&text), 17);
	expect_window(packed_span(&file), 1 << 17, 1 << 17);
	expect_window(packed_span(&file), (1 << 17) - 1, 1 << 17);
	/* a frame that tells its length needs a window of just that */
	pack_zstd(&whole, packed_span(&text), 0);
	expect_window(packed_span(&whole), 5000, 5000);
	expect_window(packed_span(&whole), 4999, 5000);
	free(text.data);
	free(file.data);
	free(whole.data);
}

Test(zstd, does_not_allocate_a_window_that_only_the_header_claims)
{
	/* a frame of one segment that claims 2^63 bytes */
	static const uint8_t lie[] = "\x28\xb5\x2f\xfd\xe0"
				     "\0\0\0\0\0\0\0\x80"
				     "\x01\0\0";
	struct drained got;

	drain(span_of(lie, sizeof(lie) - 1), 0, NULL, &got);
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.failure.limit, LIMIT_MAX_WINDOW_BYTES);
	cr_assert_eq(got.failure.actual, UINT64_C(1) << 63);
	drained_free(&got);
}

Test(zstd, stops_a_bomb_at_the_cap)
{
	struct packed text = {.data = calloc(1, 8 << 20), .len = 8 << 20};
	struct packed file = {0};
	struct limits limits;
	struct drained got;

	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 1000;
	pack_zstd(&file, packed_span(&text), 20);
	drain(packed_span(&file), 0, &limits, &got);
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.failure.limit, LIMIT_MAX_DECODED_BYTES);
	cr_assert_eq(got.failure.actual, 1001);
	drained_free(&got);
	free(text.data);
	free(file.data);
}

Test(zstd, reports_a_spent_arena_and_leaves_nothing_behind)
{
	struct packed text = sample_text(200000), file = {0};
	struct limits limits;
	struct arena arena;
	struct spent spent;
	struct input in;
	struct failure failure;
	struct span chunk;

	limits_default(&limits);
	pack_zstd(&file, packed_span(&text), 24);
	arena_init(&arena, 4 << 20);
	spent_watch(&spent, &arena);
	if (SPENT(&spent)) {
		cr_assert_gt(spent.actual, 16 << 20);
		arena_fini(&arena);
		free(text.data);
		free(file.data);
		return;
	}
	cr_assert_eq(input_open_memory(&in, &arena, packed_span(&file), 0,
				       &limits, false, &failure),
		     ST_OK);
	(void)!input_read(&in, &chunk);
	cr_assert_fail("a window of 16 MiB came out of 4 MiB");
}
