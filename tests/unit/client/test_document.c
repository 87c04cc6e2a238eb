#include <criterion/criterion.h>
#include <stdio.h>

#include "client/document.h"
#include "tests/unit/client/rendered.h"

Test(document, values_are_found_by_key)
{
	struct document doc;
	const struct value *a;

	parse(&doc, "{\"a\":{\"n\":18446744073709551615,\"s\":\"x\\ty\"},"
		    "\"b\":[true,null,-1,1.5]}");
	a = value_get(doc.root, "a");
	cr_assert_eq(value_number(value_get(a, "n")), UINT64_MAX);
	cr_assert(span_is(value_text(value_get(a, "s")), "x\ty"));
	cr_assert_eq(value_count(value_get(doc.root, "b")), 4);
	cr_assert(value_get(doc.root, "b")->first->truth);
	document_free(&doc);
}

Test(document, what_is_missing_is_null_and_empty)
{
	struct document doc;
	const struct value *none;

	parse(&doc, "{\"a\":1}");
	none = value_get(value_get(doc.root, "x"), "y");
	cr_assert_eq(none->type, VALUE_NULL);
	cr_assert_eq(value_text(none).len, 0);
	cr_assert_eq(value_number(none), 0);
	cr_assert_not(value_is_number(none));
	document_free(&doc);
}

Test(document, a_value_knows_the_bytes_it_was_written_with)
{
	struct document doc;
	const struct value *v;

	parse(&doc, " { \"a\" : [ 1 , { } ] , \"b\\u0041\":\"q\\\"\" , "
		    "\"c\":-1e5 }\n");
	v = doc.root;
	cr_assert(span_starts(v->raw, "{ \"a\""));
	cr_assert_eq(v->raw.data[v->raw.len - 1], '}');
	cr_assert(span_is(value_get(v, "a")->raw, "[ 1 , { } ]"));
	cr_assert(span_is(value_get(v, "a")->first->raw, "1"));
	cr_assert(span_is(value_get(v, "a")->first->next->raw, "{ }"));
	cr_assert(span_is(value_get(v, "bA")->raw, "\"q\\\"\""));
	cr_assert(span_is(value_get(v, "c")->raw, "-1e5"));
	document_free(&doc);
}

Test(document, numbers_that_are_not_whole_or_too_large_are_none)
{
	static const char *const bad[] = {"-1", "1.0", "1e3",
					  "18446744073709551616"};

	for (size_t i = 0; i < 4; i++) {
		struct document doc;
		char text[64];

		snprintf(text, sizeof(text), "{\"n\":%s}", bad[i]);
		parse(&doc, text);
		cr_assert_not(value_is_number(value_get(doc.root, "n")));
		document_free(&doc);
	}
}

Test(document, what_is_not_one_json_value_is_refused)
{
	static const char *const bad[] = {
	    "",		" ",	       "{",
	    "[1",	"{\"a\":1}x",  "{}{}",
	    "{\"a\"}",	"[1,]",	       "\"\xc0\xaf\"",
	    "\"\xff\"", "nulll",       "[1] 2",
	    "\"\n\"",	"1 2",	       "{\"a\"\f:1}",
	    "[\v]",	"\"\\udc00\"", "{\"\\udc00\":1}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct document doc = {0};

		cr_assert_not(document_parse(&doc, span_str(bad[i])), "%s",
			      bad[i]);
		cr_assert_null(doc.blocks);
	}
}

Test(document, a_number_alone_knows_its_bytes)
{
	static const char *const numbers[] = {"1", "18 ", " -0.5e3"};
	static const char *const raw[] = {"1", "18", "-0.5e3"};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct document doc;

		parse(&doc, numbers[i]);
		cr_assert(span_is(doc.root->raw, raw[i]), "%s", raw[i]);
		document_free(&doc);
	}
}

Test(document, depth_is_capped)
{
	char text[2 * (DOCUMENT_DEPTH_MAX + 1) + 1] = "";
	struct document doc;

	for (unsigned depth = 1; depth <= DOCUMENT_DEPTH_MAX + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		text[2 * depth] = '\0';
		if (depth <= DOCUMENT_DEPTH_MAX) {
			parse(&doc, text);
			document_free(&doc);
		} else {
			cr_assert_not(document_parse(&doc, span_str(text)));
		}
	}
}
