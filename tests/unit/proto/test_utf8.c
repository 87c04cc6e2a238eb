/*
 * Against a second description of UTF-8: code points are encoded by the rules
 * of RFC 3629, and what is not the encoding of one is not valid.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "proto/utf8.h"
#include "tests/unit/proto/exact.h"

static size_t
encode(uint32_t code, uint8_t out[4])
{
	size_t len = code < 0x80      ? 1
		     : code < 0x800   ? 2
		     : code < 0x10000 ? 3
				      : 4;

	for (size_t i = len; i-- > 1; code >>= 6)
		out[i] = (uint8_t)(0x80 | (code & 0x3f));
	out[0] = (uint8_t)(code | (len == 1   ? 0
				   : len == 2 ? 0xc0
				   : len == 3 ? 0xe0
					      : 0xf0));
	return len;
}

/* What the first bytes would stand for, read without any check. */
static uint32_t
decode(const uint8_t *at, size_t len)
{
	uint32_t code = len == 1 ? at[0] : at[0] & (0x7fU >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (at[i] & 0x3fU);
	return code;
}

/* The reference: some code point's one encoding stands here. */
static size_t
character(const uint8_t *at, size_t left)
{
	for (size_t len = 1; len <= 4 && len <= left; len++) {
		uint32_t code = decode(at, len);
		uint8_t again[4];

		if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
			continue;
		if (encode(code, again) == len && memcmp(again, at, len) == 0)
			return len;
	}
	return 0;
}

static size_t
prefix(const uint8_t *text, size_t len)
{
	size_t i = 0, more;

	while (i < len && (more = character(text + i, len - i)) > 0)
		i += more;
	return i;
}

static void
assert_agrees(const uint8_t *text, size_t len)
{
	size_t want = prefix(text, len);

	cr_assert_eq(utf8_valid_prefix(span_of(text, len)), want,
		     "%02x %02x %02x %02x, %zu bytes", text[0], text[1],
		     text[2], text[3], len);
	cr_assert_eq(utf8_valid(span_of(text, len)), want == len);
}

Test(utf8, nothing_is_valid)
{
	cr_assert(utf8_valid(span_of(NULL, 0)));
	cr_assert_eq(utf8_valid_prefix(span_of(NULL, 0)), 0);
}

Test(utf8, every_code_point_is_valid_but_surrogates)
{
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		uint8_t text[4];
		size_t len = encode(code, text);
		bool surrogate = code >= 0xd800 && code <= 0xdfff;

		if (utf8_valid(span_of(text, len)) == surrogate)
			cr_assert_fail("U+%04X", code);
	}
}

Test(utf8, one_byte_agrees_with_the_reference)
{
	for (unsigned a = 0; a < 256; a++) {
		uint8_t text[4] = {(uint8_t)a};

		assert_agrees(text, 1);
	}
}

Test(utf8, two_bytes_agree_with_the_reference)
{
	for (unsigned ab = 0; ab < 65536; ab++) {
		uint8_t text[4] = {(uint8_t)(ab >> 8), (uint8_t)ab};

		assert_agrees(text, 2);
	}
}

/* All edges of the ranges in the standard's table, and their neighbours. */
static const uint8_t edges[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
				0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
				0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1,
				0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfe, 0xff};

#define EDGES sizeof(edges)

Test(utf8, three_bytes_agree_with_the_reference_at_all_edges)
{
	for (unsigned lead = 0xc0; lead < 0x100; lead++)
		for (size_t b = 0; b < EDGES; b++)
			for (size_t c = 0; c < EDGES; c++) {
				uint8_t text[4] = {(uint8_t)lead, edges[b],
						   edges[c]};

				assert_agrees(text, 3);
			}
}

Test(utf8, four_bytes_agree_with_the_reference_at_all_edges)
{
	for (size_t i = 0; i < EDGES * EDGES * EDGES * EDGES; i++) {
		uint8_t text[4] = {edges[i % EDGES], edges[i / EDGES % EDGES],
				   edges[i / EDGES / EDGES % EDGES],
				   edges[i / EDGES / EDGES / EDGES]};

		assert_agrees(text, 4);
	}
}

Test(utf8, random_bytes_agree_with_the_reference)
{
	for (unsigned i = 0; i < 100000; i++) {
		uint8_t text[16];
		size_t len = (size_t)dice_below(sizeof(text) + 1);

		for (size_t k = 0; k < sizeof(text); k++)
			text[k] = dice_below(4) == 0 ? (uint8_t)dice()
						     : edges[dice_below(EDGES)];
		assert_agrees(text, len);
	}
}

Test(utf8, nothing_is_read_beyond_the_end)
{
	static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x80";
	static const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};

	for (size_t len = 0; len < sizeof(text); len++) {
		uint8_t *exact = malloc(len > 0 ? len : 1);

		cr_assert_not_null(exact);
		memcpy(exact, text, len);
		cr_assert_eq(utf8_valid_prefix(span_of(exact, len)), ends[len]);
		free(exact);
	}
}

Test(utf8_cut, keeps_whole_characters_within_the_length)
{
	static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\x80";
	static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
	struct span whole = span_str(text);

	for (size_t max = 0; max <= whole.len; max++)
		cr_assert_eq(utf8_cut(whole, max), cuts[max], "%zu", max);
	cr_assert_eq(utf8_cut(whole, 1000), whole.len);
	cr_assert_eq(utf8_cut(span_of(NULL, 0), 5), 0);
}
