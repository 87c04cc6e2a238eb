/*
 * Mending against a simple model that sees the whole text at once, and cut at
 * every place.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "proto/bug.h"
#include "proto/utf8.h"
#include "worker/json/mend.h"

/* In memory that ends where the text does, so that a sanitizer looks on. */
static void
expect(const char *text, const char *mended, enum mend_end end)
{
	size_t len = strlen(text);
	uint8_t *copy = malloc(len + 1);
	enum mend_end got;
	size_t ready;

	memmove(copy + 1, text, len);
	ready = mend_text(copy + 1, len, &got);
	cr_assert_eq(ready, strlen(mended), "%s: %zu", text, ready);
	cr_assert(memcmp(copy + 1, mended, ready) == 0, "%s", text);
	cr_assert(memcmp(copy + 1 + ready, text + ready, len - ready) == 0,
		  "what waits is left alone: %s", text);
	cr_assert_eq(got, end, "%s: %d", text, got);
	free(copy);
}

Test(mend, leaves_good_text_alone)
{
	static const char *const good[] = {
	    "",
	    "plain",
	    "\\n\\\\\\\"\\u0041\\u00e9",
	    "\\ud83d\\ude00",
	    "\\uD83D\\uDE00\\uDBFF\\uDFFF",
	    "\\\\ud83d",
	    "\\\\\\\\ud83dx",
	    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbf",
	    "\\u12g4",
	    "\\uxyz",
	    "\\x\\\\",
	    "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\xc2\x80\xe0\xa0\x80",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect(good[i], good[i], MEND_MORE);
}

Test(mend, replaces_unpaired_halves)
{
	expect("\\ud83dx", "\\ufffdx", MEND_MORE);
	expect("\\uDE00x", "\\ufffdx", MEND_MORE);
	expect("\\ud83d\\ud83d\\ude00", "\\ufffd\\ud83d\\ude00", MEND_MORE);
	expect("\\ude00\\ud83d\"", "\\ufffd\\ufffd\"", MEND_MORE);
	expect("\\ud83d\\u0041", "\\ufffd\\u0041", MEND_MORE);
	expect("\\ud83d\\n", "\\ufffd\\n", MEND_MORE);
	expect("\\ud83d\\\\ude00", "\\ufffd\\\\ude00", MEND_MORE);
	expect("\\\\\\ud83d\"", "\\\\\\ufffd\"", MEND_MORE);
	expect("\\ud83d\\udg00", "\\ufffd\\udg00", MEND_MORE);
	expect("\\ud83d\xc3\xa9", "\\ufffd\xc3\xa9", MEND_MORE);
	expect("\\uDFFF\\uDBFFx", "\\ufffd\\ufffdx", MEND_MORE);
}

Test(mend, waits_for_the_rest_of_what_was_cut)
{
	static const char *const cut[] = {
	    "\\",	    "\\u",	    "\\ud",	     "\\ud8",
	    "\\ud83",	    "\\ud83d",	    "\\ud83d\\",     "\\ud83d\\u",
	    "\\ud83d\\ud",  "\\ud83d\\ude", "\\ud83d\\ude0", "\\u00",
	    "\xc3",	    "\xe2",	    "\xe2\x82",	     "\xf0\x9f",
	    "\xf0\x9f\x98",
	};

	for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
		char text[32] = "ab";

		cr_assert_leq(strlen(cut[i]), MEND_HELD_MAX);
		strcat(text, cut[i]);
		expect(text, "ab", MEND_MORE);
	}
	expect("\\ud83d\\ud83d", "\\ufffd", MEND_MORE);
}

Test(mend, stops_at_bytes_that_are_no_character)
{
	static const char *const bad[] = {
	    "\x80",
	    "\xff",
	    "\xc0\xaf",
	    "\xc1\xbf",
	    "\xc3x",
	    "\xe2\x82x",
	    "\xe0\x9f\xbf",
	    "\xed\xa0\x80",
	    "\xf0\x8f\xbf\xbf",
	    "\xf4\x90\x80\x80",
	    "\xf5\x80\x80\x80",
	    "\xf0\x9f\x98x",
	    "\xf0x",
	    "\xe0\x80",
	    "\xed\xbf",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[32] = "ab\\n";

		strcat(text, bad[i]);
		expect(text, "ab\\n", MEND_BAD_UTF8);
	}
	expect("\\\xff", "\\", MEND_BAD_UTF8);
	expect("a\vb", "a", MEND_BAD_SPACE);
	expect("a\fb", "a", MEND_BAD_SPACE);
	expect("\\\f", "\\", MEND_BAD_SPACE);
}

/* Also where it is looked at in larger blocks. */
Test(mend, knows_plain_text_of_any_length)
{
	static char text[3000];

	memset(text, 'a', sizeof(text));
	for (size_t len = 0; len <= sizeof(text); len++)
		cr_assert(mend_plain(span_of(text, len)));
	for (size_t i = 0; i < sizeof(text); i++) {
		static const char odd[] = "\\\v\f\x80\xff";

		for (size_t k = 0; k < sizeof(odd) - 1; k++) {
			text[i] = odd[k];
			cr_assert_not(mend_plain(span_of(text, sizeof(text))));
			cr_assert(mend_plain(span_of(text, i)));
			text[i] = 'a';
		}
		text[i] = '\n';
	}
	cr_assert(mend_plain(span_of(text, sizeof(text))));
}

/* All of the text in pieces as large as `piece`, as the stream does it. */
static size_t
in_pieces(const uint8_t *text, size_t len, size_t piece, uint8_t *out,
	  enum mend_end *end)
{
	uint8_t held[256];
	size_t held_len = 0, out_len = 0;

	*end = MEND_MORE;
	for (size_t i = 0; i < len && *end == MEND_MORE;) {
		size_t n = piece < len - i ? piece : len - i;
		size_t ready;

		memcpy(held + held_len, text + i, n);
		held_len += n;
		i += n;
		ready = mend_text(held, held_len, end);
		memcpy(out + out_len, held, ready);
		out_len += ready;
		held_len -= ready;
		memmove(held, held + ready, held_len);
		if (*end == MEND_MORE)
			cr_assert_leq(held_len, MEND_HELD_MAX);
	}
	return out_len;
}

Test(mend, does_not_depend_on_the_cuts)
{
	static const char *const bits[] = {"\\",
					   "\\\\",
					   "\\u",
					   "d83d",
					   "\\ud83d",
					   "\\ude00",
					   "\\uDBFF",
					   "\\u0041",
					   "a",
					   "0",
					   "\xc3\xa9",
					   "\xe2\x82\xac",
					   "\xf0\x9f\x98\x80",
					   "\"",
					   "\\n",
					   "u",
					   "\x80",
					   "\v"};
	uint64_t random = 7;

	for (unsigned round = 0; round < 20000; round++) {
		uint8_t text[128], whole[128], out[128];
		size_t len = 0, whole_len;
		enum mend_end end;

		for (unsigned k = 0; k < 10; k++) {
			/* the two bad ones are rare */
			const char *bit;

			random = random * UINT64_C(6364136223846793005) + 1;
			bit = bits[(random >> 40) %
				   ((random >> 33) % 16 == 0 ? 18 : 16)];
			memcpy(text + len, bit, strlen(bit));
			len += strlen(bit);
		}
		memcpy(whole, text, len);
		whole_len = mend_text(whole, len, &end);
		cr_assert_eq(utf8_valid_prefix(span_of(whole, whole_len)),
			     whole_len);
		for (size_t piece = 1; piece <= 31; piece++) {
			enum mend_end piece_end;

			cr_assert_eq(in_pieces(text, len, piece, out,
					       &piece_end),
				     whole_len);
			cr_assert(memcmp(out, whole, whole_len) == 0);
			cr_assert_eq(piece_end, end);
		}
	}
}
