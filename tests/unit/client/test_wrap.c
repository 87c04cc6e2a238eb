#include <criterion/criterion.h>

#include "client/wrap.h"
#include "tests/unit/client/rendered.h"

Test(wrap, lines_break_at_spaces_and_are_indented)
{
	struct strbuf sb = {0};

	wrap_hang(&sb, span_str("note: one two three four"), 2, 12);
	assert_text(&sb, "note: one\n  two three\n  four\n");
}

Test(wrap, a_column_is_wrapped_below_itself)
{
	struct strbuf sb = {0};

	strbuf_puts(&sb, "ab  ");
	wrap_put(&sb, span_str("one two three"), 4, 12);
	assert_text(&sb, "ab  one two\n    three\n");
}

Test(wrap, items_are_kept_whole)
{
	struct strbuf sb = {0};

	wrap_items(&sb, span_str("total 12 ms  active 3 ms"), 2, 16);
	assert_text(&sb, "total 12 ms\n  active 3 ms\n");
}

Test(wrap, a_word_that_is_too_long_is_cut)
{
	struct strbuf sb = {0};

	wrap_hang(&sb, span_str("a longerthanthat b"), 1, 8);
	assert_text(&sb, "a\n longer…\n b\n");
}
