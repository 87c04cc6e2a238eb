#include <criterion/criterion.h>

#include "client/escape.h"
#include "tests/unit/client/rendered.h"

static void
assert_escaped(struct span text, size_t max, const char *want)
{
	struct strbuf sb = {0};

	escape_put(&sb, text, max);
	assert_text(&sb, want);
}

Test(escape, plain_text_stays_as_it_is)
{
	assert_escaped(span_str("parse <a & b> é 读 🙂"), 120,
		       "parse <a & b> é 读 🙂");
}

Test(escape, controls_are_shown_by_number)
{
	assert_escaped(span_of("a\0b\n\033[2J\x7f\xc2\x9b", 11), 120,
		       "a\\u{0}b\\u{a}\\u{1b}[2J\\u{7f}\\u{9b}");
}

Test(escape, what_reorders_or_hides_text_is_shown_by_number)
{
	assert_escaped(span_str("\u202e\u2066\u200b\ufeff\u00ad\u2028\ufe0f"
				"\U000e0041\u061c"),
		       120,
		       "\\u{202e}\\u{2066}\\u{200b}\\u{feff}\\u{ad}\\u{2028}"
		       "\\u{fe0f}\\u{e0041}\\u{61c}");
}

Test(escape, invalid_bytes_become_replacement_characters)
{
	assert_escaped(span_str("a\xff\xc0\xaf\xe2\x82"), 120,
		       "a\ufffd\ufffd\ufffd\ufffd\ufffd");
}

Test(escape, accents_are_kept_but_not_in_piles)
{
	assert_escaped(span_str("e\u0301\u0302\u0303"), 120,
		       "e\u0301\u0302\\u{303}");
}

Test(escape, long_text_is_cut_at_a_character)
{
	assert_escaped(span_str("读取文件"), 4, "读取文件");
	assert_escaped(span_str("读取文件"), 3, "读取文…");
	assert_escaped(span_str("ab"), 0, "…");
}

Test(escape, width_counts_columns)
{
	cr_assert_eq(escape_width(span_str("abc")), 3);
	cr_assert_eq(escape_width(span_str("读取")), 4);
	cr_assert_eq(escape_width(span_str("e\u0301")), 1);
	cr_assert_eq(escape_width(span_str("µ…≤")), 3);
}

static void
assert_fits(const char *text, size_t width, const char *want, size_t used)
{
	struct strbuf sb = {0};

	cr_assert_eq(escape_fit(&sb, span_str(text), width), used);
	assert_text(&sb, want);
}

static void
assert_tail_fits(const char *text, size_t width, const char *want, size_t used)
{
	struct strbuf sb = {0};

	cr_assert_eq(escape_fit_tail(&sb, span_str(text), width), used);
	assert_text(&sb, want);
}

Test(escape, text_is_fitted_from_the_front)
{
	assert_fits("abcdef", 6, "abcdef", 6);
	assert_fits("abcdef", 5, "abcd…", 5);
	assert_fits("读取文件", 6, "读取…", 5);
	assert_fits("abc", 1, "…", 1);
	assert_fits("abc", 0, "", 0);
}

Test(escape, text_is_fitted_from_the_back)
{
	assert_tail_fits("src/a.js:1", 10, "src/a.js:1", 10);
	assert_tail_fits("src/a.js:1", 7, "…a.js:1", 7);
	assert_tail_fits("读取文件", 6, "…文件", 5);
	assert_tail_fits("ae\u0301b", 2, "…b", 2);
	assert_tail_fits("abc", 0, "", 0);
}
