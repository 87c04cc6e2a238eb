/*
 * Bounded fields: little-endian, checked before use, and dead after the first
 * failure.
 */
#include <criterion/criterion.h>

#include "proto/buf.h"
#include "tests/unit/proto/exact.h"

Test(buf, numbers_are_little_endian_and_packed)
{
	static const uint8_t want[] = {0x01, 0x03, 0x02, 0x07, 0x06,
				       0x05, 0x04, 0x0f, 0x0e, 0x0d,
				       0x0c, 0x0b, 0x0a, 0x09, 0x88};
	uint8_t bytes[sizeof(want)];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_u8(&w, 0x01);
	writer_put_u16(&w, 0x0203);
	writer_put_u32(&w, 0x04050607);
	writer_put_u64(&w, 0x88090a0b0c0d0e0f);
	cr_assert_not(w.failed);
	assert_bytes(span_of(bytes, w.len), span_of(want, sizeof(want)));
}

Test(buf, numbers_come_back_whatever_their_bits)
{
	uint8_t bytes[15];
	struct writer w;
	struct reader r;

	for (unsigned i = 0; i < 1000; i++) {
		uint64_t n = dice();

		writer_init(&w, bytes, sizeof(bytes));
		writer_put_u64(&w, n);
		writer_put_u32(&w, (uint32_t)n);
		writer_put_u16(&w, (uint16_t)n);
		writer_put_u8(&w, (uint8_t)n);
		reader_init(&r, span_of(bytes, w.len));
		cr_assert_eq(reader_get_u64(&r), n);
		cr_assert_eq(reader_get_u32(&r), (uint32_t)n);
		cr_assert_eq(reader_get_u16(&r), (uint16_t)n);
		cr_assert_eq(reader_get_u8(&r), (uint8_t)n);
		cr_assert(reader_end(&r));
	}
}

Test(buf, a_writer_fills_its_array_to_the_last_byte_and_no_further)
{
	uint8_t bytes[5] = {9, 9, 9, 9, 9};
	struct writer w;

	writer_init(&w, bytes, 4);
	writer_put_u32(&w, 0);
	cr_assert_not(w.failed);
	writer_put_u8(&w, 1);
	cr_assert(w.failed);
	cr_assert_eq(w.len, 4);
	cr_assert_eq(bytes[4], 9);
}

Test(buf, a_field_that_does_not_fit_is_not_written_in_part)
{
	uint8_t bytes[4] = {9, 9, 9, 9};
	struct writer w;

	writer_init(&w, bytes, 3);
	writer_put_u32(&w, 0);
	cr_assert(w.failed);
	cr_assert_eq(w.len, 0);
	cr_assert_eq(bytes[0], 9);
}

Test(buf, a_writer_that_failed_writes_nothing_more)
{
	uint8_t bytes[4];
	struct writer w;

	writer_init(&w, bytes, 4);
	writer_put_u64(&w, 0);
	writer_put_u8(&w, 1);
	writer_put_string(&w, span_str("x"));
	cr_assert(w.failed);
	cr_assert_eq(w.len, 0);
}

Test(buf, a_length_that_would_wrap_fails)
{
	uint8_t bytes[8] = {0};
	struct writer w;
	struct reader r;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_u32(&w, 1);
	writer_put_bytes(&w, bytes, SIZE_MAX);
	cr_assert(w.failed);
	reader_init(&r, span_of(bytes, sizeof(bytes)));
	(void)reader_get_u32(&r);
	cr_assert_eq(reader_get_bytes(&r, SIZE_MAX - 2).len, 0);
	cr_assert(r.failed);
}

Test(buf, bytes_are_borrowed_not_copied)
{
	static const uint8_t bytes[] = {1, 2, 3};
	struct reader r;
	struct span got;

	reader_init(&r, span_of(bytes, 3));
	(void)reader_get_u8(&r);
	got = reader_get_bytes(&r, 2);
	cr_assert_eq(got.data, bytes + 1);
	cr_assert_eq(got.len, 2);
	cr_assert(reader_end(&r));
}

Test(buf, nothing_is_written_and_read_without_an_array)
{
	struct writer w;
	struct reader r;

	writer_init(&w, NULL, 0);
	writer_put_bytes(&w, NULL, 0);
	cr_assert_not(w.failed);
	writer_put_u8(&w, 0);
	cr_assert(w.failed);
	reader_init(&r, span_of(NULL, 0));
	cr_assert_eq(reader_get_bytes(&r, 0).len, 0);
	cr_assert(reader_end(&r));
	cr_assert_eq(reader_get_u8(&r), 0);
	cr_assert_not(reader_end(&r));
}

Test(buf, a_reader_that_failed_gives_zeros_and_stays_failed)
{
	static const uint8_t bytes[] = {0xff, 0xff, 0xff};
	struct reader r;

	reader_init(&r, span_of(bytes, sizeof(bytes)));
	cr_assert_eq(reader_get_u32(&r), 0);
	cr_assert_eq(reader_get_u8(&r), 0);
	cr_assert_eq(reader_get_u16(&r), 0);
	cr_assert_eq(reader_get_u64(&r), 0);
	cr_assert_eq(reader_get_string(&r, 9).len, 0);
	cr_assert_eq(reader_get_bytes(&r, 1).len, 0);
	cr_assert_not(reader_get_bool(&r));
	cr_assert_not(reader_end(&r));
}

Test(buf, left_over_bytes_are_not_an_end)
{
	static const uint8_t bytes[] = {1, 2};
	struct reader r;

	reader_init(&r, span_of(bytes, 2));
	(void)reader_get_u8(&r);
	cr_assert_not(reader_end(&r));
}

/* Reads `text` behind its 16-bit length, at most max bytes of it. */
static bool
reads_string(const char *text, size_t len, size_t max)
{
	uint8_t bytes[64];
	struct writer w;
	struct reader r;
	struct span got;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_string(&w, span_of(text, len));
	cr_assert_not(w.failed);
	reader_init(&r, span_of(bytes, w.len));
	got = reader_get_string(&r, max);
	if (reader_end(&r)) {
		assert_bytes(got, span_of(text, len));
		return true;
	}
	cr_assert_eq(got.len, 0);
	return false;
}

Test(buf, a_string_comes_back_with_its_zero_bytes)
{
	cr_assert(reads_string("", 0, 0));
	cr_assert(reads_string("a\0b", 3, 3));
	cr_assert(reads_string("caf\xc3\xa9", 5, 64));
}

Test(buf, a_string_longer_than_its_cap_fails)
{
	cr_assert(reads_string("abc", 3, 3));
	cr_assert_not(reads_string("abc", 3, 2));
	cr_assert_not(reads_string("a", 1, 0));
}

Test(buf, a_string_that_is_not_utf8_fails)
{
	cr_assert_not(reads_string("\xff", 1, 64));
	cr_assert_not(reads_string("caf\xc3", 4, 64));
}

Test(buf, a_string_longer_than_what_is_left_fails)
{
	static const uint8_t bytes[] = {3, 0, 'a', 'b'};
	struct reader r;

	reader_init(&r, span_of(bytes, sizeof(bytes)));
	cr_assert_eq(reader_get_string(&r, 64).len, 0);
	cr_assert(r.failed);
}

Test(buf, a_string_beyond_16_bits_is_not_written)
{
	static uint8_t text[UINT16_MAX + 1], bytes[UINT16_MAX + 8];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_string(&w, span_of(text, UINT16_MAX));
	cr_assert_not(w.failed);
	writer_init(&w, bytes, sizeof(bytes));
	writer_put_string(&w, span_of(text, UINT16_MAX + 1));
	cr_assert(w.failed);
}

Test(buf, a_byte_at_or_above_its_bound_fails)
{
	for (unsigned bound = 0; bound <= 256; bound++) {
		for (unsigned value = 0; value < 256; value++) {
			uint8_t byte = (uint8_t)value;
			struct reader r;
			unsigned got;

			reader_init(&r, span_of(&byte, 1));
			got = reader_get_below(&r, bound);
			cr_assert_eq(reader_end(&r), value < bound);
			cr_assert_eq(got, value < bound ? value : 0);
		}
	}
}

Test(buf, a_bool_is_0_or_1_and_nothing_else)
{
	for (unsigned value = 0; value < 256; value++) {
		uint8_t byte = (uint8_t)value;
		struct reader r;

		reader_init(&r, span_of(&byte, 1));
		cr_assert_eq(reader_get_bool(&r), value == 1);
		cr_assert_eq(reader_end(&r), value <= 1);
	}
}
