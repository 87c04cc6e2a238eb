/*
 * JSON strings, read back by a reader that knows only the grammar of JSON.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "proto/json_text.h"
#include "proto/utf8.h"
#include "tests/unit/proto/exact.h"

static uint8_t
hex_digit(uint8_t c)
{
	const char *digits = "0123456789abcdef";
	const char *at = memchr(digits, c, 16);

	cr_assert_not_null(at, "not a hex digit: %02x", c);
	return (uint8_t)(at - digits);
}

/* Unescapes the four digits of \u into UTF-8; returns bytes written. */
static size_t
unescape_code(const uint8_t *digits, uint8_t *out)
{
	unsigned code = 0;

	for (unsigned i = 0; i < 4; i++)
		code = code << 4 | hex_digit(digits[i]);
	cr_assert_lt(code, 0x100);
	if (code < 0x80) {
		out[0] = (uint8_t)code;
		return 1;
	}
	out[0] = (uint8_t)(0xc0 | code >> 6);
	out[1] = (uint8_t)(0x80 | (code & 0x3f));
	return 2;
}

/* Reads a literal as RFC 8259 has it into out; returns its length. */
static size_t
parse(struct span json, uint8_t *out)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char bytes[] = "\"\\/\b\f\n\r\t";
	size_t n = 0;

	cr_assert_geq(json.len, 2);
	cr_assert_eq(json.data[0], '"');
	cr_assert_eq(json.data[json.len - 1], '"');
	for (size_t i = 1; i < json.len - 1; i++) {
		const char *at;

		cr_assert_geq(json.data[i], 0x20, "a bare control");
		cr_assert_neq(json.data[i], '"', "a bare quote");
		if (json.data[i] != '\\') {
			out[n++] = json.data[i];
			continue;
		}
		cr_assert_lt(++i, json.len - 1);
		if (json.data[i] == 'u') {
			cr_assert_lt(i + 4, json.len - 1);
			n += unescape_code(json.data + i + 1, out + n);
			i += 4;
			continue;
		}
		at = memchr(letters, json.data[i], sizeof(letters) - 1);
		cr_assert_not_null(at);
		out[n++] = (uint8_t)bytes[at - letters];
	}
	return n;
}

/* Written in exactly its size, without a raw control, and read back. */
static void
assert_comes_back(struct span text)
{
	size_t size = json_text_size(text);
	uint8_t *json = malloc(size), *back = malloc(size);

	cr_assert(json != NULL && back != NULL);
	cr_assert_eq(json_text_write(json, text), size);
	assert_bytes(span_of(back, parse(span_of(json, size), back)), text);
	for (size_t i = 0; i < size; i++) {
		bool c1 = json[i] == 0xc2 && json[i + 1] >= 0x80 &&
			  json[i + 1] <= 0x9f;

		cr_assert(json[i] >= 0x20 && json[i] != 0x7f && !c1,
			  "a control passed");
	}
	cr_assert_eq(utf8_valid(span_of(json, size)), utf8_valid(text));
	free(json);
	free(back);
}

static void
assert_written(struct span text, const char *want)
{
	uint8_t json[64];

	assert_bytes(span_of(json, json_text_write(json, text)),
		     span_str(want));
}

Test(json_text, of_nothing_is_two_quotes)
{
	assert_written(span_of(NULL, 0), "\"\"");
}

Test(json_text, escapes_what_json_and_terminals_need)
{
	assert_written(span_str("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
	assert_written(span_str("\n\t\r\b\f"), "\"\\n\\t\\r\\b\\f\"");
	assert_written(span_of("\0\x1f\x1b", 3), "\"\\u0000\\u001f\\u001b\"");
	assert_written(span_str("\x7f"), "\"\\u007f\"");
	assert_written(span_str("\xc2\x80\xc2\x9f"), "\"\\u0080\\u009f\"");
}

Test(json_text, copies_all_other_text)
{
	assert_written(span_str("\xc2\xa0\xc3\xa9"), "\"\xc2\xa0\xc3\xa9\"");
	assert_written(span_str("\xf0\x9f\xa6\x80"), "\"\xf0\x9f\xa6\x80\"");
}

Test(json_text, every_byte_is_written_in_the_size_that_was_said)
{
	for (unsigned ab = 0; ab < 65536; ab++) {
		uint8_t text[2] = {(uint8_t)(ab >> 8), (uint8_t)ab};
		uint8_t json[16];
		struct span span = span_of(text, 2);

		cr_assert_eq(json_text_write(json, span), json_text_size(span));
	}
}

Test(json_text, every_byte_of_ascii_comes_back)
{
	uint8_t text[128];

	for (unsigned i = 0; i < sizeof(text); i++) {
		text[i] = (uint8_t)i;
		assert_comes_back(span_of(&text[i], 1));
	}
	assert_comes_back(span_of(text, sizeof(text)));
}

Test(json_text, every_character_of_two_bytes_comes_back)
{
	for (unsigned code = 0x80; code < 0x800; code++) {
		uint8_t text[] = {'x', (uint8_t)(0xc0 | code >> 6),
				  (uint8_t)(0x80 | (code & 0x3f)), 'y'};

		assert_comes_back(span_of(text, sizeof(text)));
	}
}

Test(json_text, random_text_comes_back)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint8_t text[200];
		size_t len = 0;

		while (len < sizeof(text) - 4) {
			uint64_t pick = dice_below(8);

			if (pick == 0) {
				memcpy(text + len, "\xf0\x9f\xa6\x80", 4);
				len += 4;
			} else if (pick == 1) {
				text[len++] = 0xc2;
				text[len++] = (uint8_t)(0x80 + dice_below(64));
			} else {
				text[len++] = (uint8_t)dice_below(128);
			}
		}
		assert_comes_back(span_of(text, len));
	}
}

Test(json_text, a_character_cut_at_the_end_is_not_read_beyond_it)
{
	uint8_t *text = malloc(1);
	uint8_t json[16];

	cr_assert_not_null(text);
	text[0] = 0xc2;
	cr_assert_eq(json_text_write(json, span_of(text, 1)), 3);
	free(text);
}
