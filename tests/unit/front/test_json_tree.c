/*
 * What is JSON and what is not, where yajl is milder than we are, and edges.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "broker/front/json_tree.h"

TestSuite(json_tree);

static struct json_tree tree;
static struct failure failure;

/* The text is copied to a heap block of its size, so that a sanitizer sees a
 * read behind it. */
static bool
reads(struct span text)
{
	uint8_t *copy = malloc(text.len + 1);
	bool ok;

	cr_assert_not_null(copy);
	memcpy(copy + 1, text.data, text.len);
	ok = json_tree_read(&tree, span_of(copy + 1, text.len), &failure) ==
	     ST_OK;
	free(copy);
	return ok;
}

Test(json_tree, takes_what_is_json)
{
	static const char *const good[] = {
	    "{}",
	    "[]",
	    "null",
	    "true",
	    "0",
	    "-0",
	    "1.5e-3",
	    "\"\"",
	    " \t\r\n{ } \n",
	    "[1,[2,[3]],{\"a\":[]}]",
	    "\"\\u00e9\\\\ \\\"\\/\\b\\f\\n\\r\\t\"",
	    "\"\\ud83d\\ude00\"",
	    "\"\\u0000\"",
	    "\"\\\\ud83d\"", /* an escaped backslash, then letters */
	    "\"\xf0\x9f\x98\x80\"",
	    "[[[[[[[[]]]]]]]]",
	    "\"[[[[[[[[[[[[\"",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(reads(span_str(good[i])), "%s", good[i]);
}

Test(json_tree, refuses_what_is_not)
{
	static const char *const bad[] = {
	    "",
	    " ",
	    "{",
	    "}",
	    "{]",
	    "[1,]",
	    "{\"a\":1,}",
	    "{\"a\"}",
	    "{a:1}",
	    "{'a':1}",
	    "01",
	    "+1",
	    "1.",
	    ".5",
	    "-",
	    "1e",
	    "NaN",
	    "Infinity",
	    "nul",
	    "True",
	    "{}{}",
	    "{} x",
	    "\"",
	    "\"\\x\"",
	    "\"\\u12\"",
	    "\"\\u12g4\"",
	    "// x\n{}",
	    "/* x */{}",
	    "\"\n\"",
	    "\"\t\"",
	    "[1 2]",
	    "{\"a\":1 \"b\":2}",
	    "\"\\ud83d\"",
	    "\"\\ude00\"",
	    "\"\\ude00\\ud83d\"",
	    "\"\\ud83d\\u0041\"",
	    "\"\\ud83dx\"",
	    "\v{}",
	    "{}\f",
	    "\xef\xbb\xbf{}",
	    "\"\xc0\xaf\"",
	    "\"\xed\xa0\x80\"",
	    "\"\xff\"",
	    "\"\xc3\"",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_not(reads(span_str(bad[i])), "%s", bad[i]);
		cr_expect_eq(failure.status, ST_INVALID_REQUEST);
		cr_expect_eq(failure.reason, RE_BAD_JSON, "%s: %s", bad[i],
			     reason_name(failure.reason));
	}
	cr_expect_not(reads(span_of("{}\0", 3)), "NUL behind it");
}

Test(json_tree, refuses_every_cut_of_a_text)
{
	struct span whole = span_str("{\"a\":[1,\"\\ud83d\\ude00\",null],"
				     "\"b\":{\"c\":true}}");

	cr_expect(reads(whole));
	for (size_t len = 0; len < whole.len; len++)
		cr_expect_not(reads(span_of(whole.data, len)), "%zu", len);
}

Test(json_tree, refuses_a_key_twice_in_one_object)
{
	cr_expect_not(reads(span_str("{\"a\":1,\"b\":2,\"a\":3}")));
	cr_expect_eq(failure.reason, RE_DUPLICATE_KEY);
	cr_expect_str_eq(failure.message, "the key a appears twice");
	cr_expect_not(reads(span_str("{\"a\":1,\"\\u0061\":3}")));
	cr_expect_eq(failure.reason, RE_DUPLICATE_KEY);
	cr_expect_not(reads(span_str("{\"\":1,\"\":3}")));
	cr_expect(reads(span_str("{\"a\":{\"a\":1},\"b\":{\"a\":1}}")));
}

Test(json_tree, refuses_depth_nine)
{
	cr_expect_not(reads(span_str("[[[[[[[[[]]]]]]]]]")));
	cr_expect_eq(failure.reason, RE_TOO_LARGE);
	cr_expect_not(reads(span_str("{\"\":[{\"\":[[[[[[")));
	cr_expect_eq(failure.reason, RE_TOO_LARGE);
}

/* [1,1,…] */
static struct span
numbers(size_t count)
{
	static char text[4096];
	size_t n = 0;

	text[n++] = '[';
	for (size_t i = 0; i < count; i++) {
		text[n++] = '1';
		text[n++] = i + 1 < count ? ',' : ']';
	}
	return span_of(text, n);
}

Test(json_tree, takes_so_many_values_and_no_more)
{
	cr_expect(reads(numbers(JSON_NODES_MAX - 1)));
	cr_expect_eq(tree.nodes_len, JSON_NODES_MAX);
	cr_expect_not(reads(numbers(JSON_NODES_MAX)));
	cr_expect_eq(failure.reason, RE_TOO_LARGE);
}

Test(json_tree, takes_64_kib_and_not_a_byte_more)
{
	static uint8_t text[JSON_TEXT_MAX + 1];

	memset(text, 'x', sizeof(text));
	text[0] = text[JSON_TEXT_MAX - 1] = '"';
	cr_expect(reads(span_of(text, JSON_TEXT_MAX)));
	cr_expect_eq(tree.nodes[0].text.len, JSON_TEXT_MAX - 2);
	text[JSON_TEXT_MAX - 1] = 'x';
	text[JSON_TEXT_MAX] = '"';
	cr_expect_not(reads(span_of(text, JSON_TEXT_MAX + 1)));
	cr_expect_eq(failure.reason, RE_TOO_LARGE);
}

Test(json_tree, shows_the_values_in_their_order)
{
	const struct json_node *root = &tree.nodes[0], *n;

	cr_assert(
	    reads(span_str("{\"a\":[1,{},\"x\"],\"b\":false,\"c\":null}")));
	cr_expect_eq(root->kind, JSON_OBJECT);
	n = json_tree_first(&tree, root);
	cr_expect(span_is(n->key, "a"));
	cr_expect_eq(n->kind, JSON_ARRAY);
	n = json_tree_first(&tree, n);
	cr_expect(span_is(n->text, "1"));
	n = json_tree_next(&tree, n);
	cr_expect_eq(n->kind, JSON_OBJECT);
	cr_expect_null(json_tree_first(&tree, n));
	n = json_tree_next(&tree, n);
	cr_expect(span_is(n->text, "x"));
	cr_expect_null(json_tree_next(&tree, n));
	n = json_tree_find(&tree, root, "b");
	cr_expect_eq(n->kind, JSON_BOOL);
	cr_expect_not(n->truth);
	n = json_tree_next(&tree, n);
	cr_expect_eq(n->kind, JSON_NULL);
	cr_expect_null(json_tree_next(&tree, n));
	cr_expect_null(json_tree_find(&tree, root, "d"));
}

static bool
integer(const char *text, int64_t *value_out)
{
	cr_assert(reads(span_str(text)));
	return json_integer(&tree.nodes[0], value_out);
}

Test(json_tree, integers_are_exact_or_none)
{
	static const char *const none[] = {
	    "9223372036854775808",
	    "-9223372036854775809",
	    "1.0",
	    "1e3",
	    "1E0",
	    "18446744073709551616",
	    "\"1\"",
	    "true",
	    "null",
	    "[1]",
	    "99999999999999999999999999",
	};
	int64_t value = 0;

	cr_expect(integer("0", &value) && value == 0);
	cr_expect(integer("-0", &value) && value == 0);
	cr_expect(integer("-1", &value) && value == -1);
	cr_expect(integer("9223372036854775807", &value) && value == INT64_MAX);
	cr_expect(integer("-9223372036854775808", &value) &&
		  value == INT64_MIN);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		cr_expect_not(integer(none[i], &value), "%s", none[i]);
}
