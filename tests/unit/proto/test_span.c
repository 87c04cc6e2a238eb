/*
 * Views of bytes: comparisons that never look beyond the end.
 */
#include <criterion/criterion.h>

#include "proto/span.h"

Test(span, of_a_text_has_its_length_without_the_nul)
{
	struct span a = span_str("abc");

	cr_assert_eq(a.len, 3);
	cr_assert_eq(memcmp(a.data, "abc", 3), 0);
}

Test(span, is_equal_to_one_of_the_same_bytes_elsewhere)
{
	cr_assert(span_equal(span_of("abX", 2), span_of("abY", 2)));
}

Test(span, differs_by_length_and_by_any_byte)
{
	cr_assert_not(span_equal(span_str("ab"), span_str("abc")));
	cr_assert_not(span_equal(span_str("abc"), span_str("ab")));
	cr_assert_not(span_equal(span_str("abc"), span_str("abd")));
}

Test(span, compares_bytes_beyond_a_nul)
{
	cr_assert_not(span_equal(span_of("a\0b", 3), span_of("a\0c", 3)));
	cr_assert_not(span_is(span_of("a\0b", 3), "a"));
}

Test(span, without_bytes_may_point_nowhere)
{
	struct span none = span_of(NULL, 0);

	cr_assert(span_equal(none, span_str("")));
	cr_assert(span_is(none, ""));
	cr_assert_not(span_is(none, "a"));
	cr_assert(span_starts(none, ""));
	cr_assert_not(span_starts(none, "a"));
}

Test(span, starts_with_each_of_its_prefixes_and_nothing_else)
{
	struct span a = span_str("file:///x");

	cr_assert(span_starts(a, ""));
	cr_assert(span_starts(a, "file:"));
	cr_assert(span_starts(a, "file:///x"));
	cr_assert_not(span_starts(a, "file:///xy"));
	cr_assert_not(span_starts(a, "File:"));
}
