/*
 * What all encodings have in common: heads, second cursors, digests, caps.
 */
#include <criterion/criterion.h>

#include "tests/support/drain.h"

struct kept {
	struct packed text;	/* decoded */
	struct packed files[3]; /* by enum encoding */
};

static struct kept
make_kept(size_t len)
{
	struct kept k = {.text = sample_text(len)};
	struct span text = packed_span(&k.text);

	pack_append(&k.files[ENCODING_IDENTITY], text.data, text.len);
	pack_gzip(&k.files[ENCODING_GZIP], text);
	pack_zstd(&k.files[ENCODING_ZSTD], text, 18);
	return k;
}

static void
drop_kept(struct kept *k)
{
	free(k->text.data);
	for (unsigned i = 0; i < 3; i++)
		free(k->files[i].data);
}

struct opened {
	struct arena arena;
	struct limits limits;
	struct failure failure;
	struct input in;
};

static void
open_packed(struct opened *o, const struct packed *file, size_t chunk,
	    bool digest)
{
	arena_init(&o->arena, 1 << 28);
	limits_default(&o->limits);
	cr_assert_eq(input_open_memory(&o->in, &o->arena, packed_span(file),
				       chunk, &o->limits, digest, &o->failure),
		     ST_OK);
}

static void
shut(struct opened *o)
{
	input_close(&o->in);
	cr_assert_eq(o->arena.used_bytes, 0);
	arena_fini(&o->arena);
}

/* The rest of an input must be text from there on. */
static void
expect_rest(struct input *in, struct span text, size_t at)
{
	struct span chunk;

	cr_assert_eq(in->decoded_bytes, at);
	do {
		cr_assert_eq(input_read(in, &chunk), ST_OK);
		cr_assert_leq(chunk.len, text.len - at);
		cr_assert_eq(memcmp(chunk.data, text.data + at, chunk.len), 0);
		at += chunk.len;
		cr_assert_eq(in->decoded_bytes, at);
	} while (chunk.len > 0);
	cr_assert_eq(at, text.len);
}

Test(input, shows_its_head_and_still_gives_everything)
{
	static const size_t lens[] = {0,     1,	    700,    65535,
				      65536, 65537, 400000, 3000000};
	static const size_t chunks[] = {0, 1, 31, 4096};

	for (unsigned l = 0; l < 8; l++) {
		struct kept k = make_kept(lens[l]);
		size_t want =
		    lens[l] < INPUT_HEAD_BYTES ? lens[l] : INPUT_HEAD_BYTES;

		for (unsigned i = 0; i < 3 * 4; i++) {
			struct opened o;
			struct span head;
			bool whole;

			if (lens[l] > 100000 && chunks[i % 4] == 1)
				continue;
			open_packed(&o, &k.files[i / 4], chunks[i % 4], false);
			cr_assert_eq(input_head(&o.in, &head, &whole), ST_OK);
			cr_assert_eq(head.len, want);
			if (lens[l] != INPUT_HEAD_BYTES)
				cr_assert_eq(whole, lens[l] < INPUT_HEAD_BYTES);
			cr_assert_eq(memcmp(head.data, k.text.data, want), 0);
			expect_rest(&o.in, packed_span(&k.text), 0);
			shut(&o);
		}
		drop_kept(&k);
	}
}

Test(input, skips_a_second_cursor_to_any_offset)
{
	static const size_t offsets[] = {0,	 1,	  1000,	  65537,
					 262144, 1500000, 1600000};
	struct kept k = make_kept(1600000);

	for (unsigned i = 0; i < 3 * 7; i++) {
		struct opened o;
		struct input second;
		struct span chunk;

		open_packed(&o, &k.files[i / 7], 0, true);
		cr_assert_eq(input_read(&o.in, &chunk), ST_OK);
		cr_assert_eq(input_reopen(&o.in, &second), ST_OK);
		cr_assert_eq(input_skip_to(&second, offsets[i % 7] / 2), ST_OK);
		cr_assert_eq(input_skip_to(&second, offsets[i % 7]), ST_OK);
		expect_rest(&second, packed_span(&k.text), offsets[i % 7]);
		expect_rest(&o.in, packed_span(&k.text), chunk.len);
		input_close(&second);
		shut(&o);
	}
	drop_kept(&k);
}

Test(input, has_changed_when_a_second_cursor_finds_less)
{
	struct kept k = make_kept(1000);

	for (unsigned i = 0; i < 3; i++) {
		struct opened o;

		open_packed(&o, &k.files[i], 0, false);
		cr_assert_eq(input_skip_to(&o.in, 1001), ST_ARTIFACT_CHANGED);
		cr_assert_eq(o.failure.reason, RE_CHANGED_WHILE_READ);
		shut(&o);
	}
	drop_kept(&k);
}

Test(input, digests_all_stored_bytes_however_much_was_read)
{
	struct kept k = make_kept(2000000);

	for (unsigned i = 0; i < 3; i++) {
		uint8_t want[DIGEST_BYTES];
		struct input_end end;
		struct digest digest;
		struct opened o;
		struct span chunk;

		digest_init(&digest);
		digest_update(&digest, packed_span(&k.files[i]));
		digest_final(&digest, want);
		open_packed(&o, &k.files[i], 0, true);
		cr_assert_eq(input_read(&o.in, &chunk), ST_OK);
		cr_assert_eq(input_finish(&o.in, &end), ST_OK);
		cr_assert(end.has_digest);
		cr_assert_eq(memcmp(end.sha256, want, sizeof(want)), 0);
		cr_assert_eq(end.bytes, k.files[i].len);
		cr_assert_eq(end.decoded_bytes, 2000000);
		cr_assert_eq((unsigned)end.encoding, i);
		cr_assert_eq(o.in.stored_bytes, o.in.stored_total);
		shut(&o);
	}
	drop_kept(&k);
}

Test(input, counts_decoded_bytes_of_plain_files_too)
{
	struct limits limits;
	struct drained got;

	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 9;
	drain(span_str("0123456789"), 0, &limits, &got);
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.failure.limit, LIMIT_MAX_DECODED_BYTES);
	drained_free(&got);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 10;
	drain(span_str("0123456789"), 3, &limits, &got);
	cr_assert_eq(got.status, ST_OK);
	drained_free(&got);
}

Test(input, refuses_more_stored_bytes_than_its_cap)
{
	struct limits limits;
	struct drained got;

	limits_default(&limits);
	limits.of[LIMIT_MAX_INPUT_BYTES] = 9;
	drain(span_str("0123456789"), 1, &limits, &got);
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.failure.limit, LIMIT_MAX_INPUT_BYTES);
	cr_assert_eq(got.failure.actual, 10);
	cr_assert_eq(got.failure.max, 9);
	drained_free(&got);
}

Test(input, of_nothing_is_a_plain_file_of_no_bytes)
{
	struct drained got;

	drain(span_str(""), 0, NULL, &got);
	cr_assert_eq(got.status, ST_OK);
	cr_assert_eq(got.text.len, 0);
	cr_assert_eq(got.end.encoding, ENCODING_IDENTITY);
	drained_free(&got);
}

Test(input, may_be_closed_after_it_failed_to_open)
{
	struct input in = {0};

	input_close(&in);
	input_close(&in);
}

static void
work(struct arena *arena, const struct packed *file)
{
	struct limits limits;
	struct failure failure;
	struct input in, second;
	struct input_end end;
	struct span head;
	bool whole;

	limits_default(&limits);
	cr_assert_eq(input_open_memory(&in, arena, packed_span(file), 100,
				       &limits, true, &failure),
		     ST_OK);
	cr_assert_eq(input_head(&in, &head, &whole), ST_OK);
	cr_assert_eq(input_finish(&in, &end), ST_OK);
	cr_assert_eq(input_reopen(&in, &second), ST_OK);
	cr_assert_eq(input_finish(&second, &end), ST_OK);
	input_close(&second);
	input_close(&in);
}

Test(input, survives_the_failure_of_each_allocation)
{
	struct kept k = make_kept(2000);

	for (volatile unsigned i = 0; i < 3; i++) {
		struct arena arena;
		struct spent spent;
		volatile uint64_t takes;

		arena_init(&arena, 1 << 28);
		work(&arena, &k.files[i]);
		takes = arena.takes;
		arena_fini(&arena);
		for (volatile uint64_t n = 1; n <= takes; n++) {
			arena_init(&arena, 1 << 28);
			arena.fail_at = n;
			spent_watch(&spent, &arena);
			if (!SPENT(&spent)) {
				work(&arena, &k.files[i]);
				cr_assert_fail("take %d held", (int)n);
			}
			arena_fini(&arena);
		}
	}
	drop_kept(&k);
}
