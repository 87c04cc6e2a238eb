#include <criterion/criterion.h>

#include "client/render.h"
#include "tests/unit/client/rendered.h"

static void
assert_json(const char *text, bool indent, const char *want)
{
	struct strbuf sb = {0};
	struct document doc;

	parse(&doc, text);
	render_json(&sb, doc.root, indent);
	document_free(&doc);
	assert_text(&sb, want);
}

Test(render_json, an_object_is_handed_on_unchanged)
{
	assert_json("{\"a\": 1.50,\"b\":\"\\u00e9\"}", false,
		    "{\"a\": 1.50,\"b\":\"\\u00e9\"}\n");
}

Test(render_json, indented_text_differs_only_in_blanks)
{
	assert_json("{\"a\":[1, {}],\"b\":\"{[\\\",:\\\\\",\"c\":[ ],"
		    "\"d\":{\"e\":-1e5}}",
		    true,
		    "{\n"
		    "  \"a\": [\n"
		    "    1,\n"
		    "    {}\n"
		    "  ],\n"
		    "  \"b\": \"{[\\\",:\\\\\",\n"
		    "  \"c\": [],\n"
		    "  \"d\": {\n"
		    "    \"e\": -1e5\n"
		    "  }\n"
		    "}\n");
}

Test(render_json, lines_are_a_header_and_the_rows)
{
	struct strbuf sb = {0};
	struct document doc;

	parse(&doc, "{\"schema\":\"s\",\"profile_id\":\"ff\",\"rows\":["
		    "{\"f\":1},{}],\"rows_total\":2}");
	render_jsonl(&sb, doc.root);
	document_free(&doc);
	assert_text(&sb, "{\"type\":\"result\",\"schema\":\"s\","
			 "\"profile_id\":\"ff\",\"rows_total\":2}\n"
			 "{\"type\":\"row\",\"profile_id\":\"ff\",\"f\":1}\n"
			 "{\"type\":\"row\",\"profile_id\":\"ff\"}\n");
}

Test(render_json, an_error_is_one_line)
{
	struct strbuf sb = {0};
	struct document doc;

	parse(&doc, "{\"schema\":\"e\",\"code\":\"BUSY\"}");
	render_jsonl_error(&sb, doc.root);
	document_free(&doc);
	assert_text(&sb, "{\"type\":\"error\",\"schema\":\"e\","
			 "\"code\":\"BUSY\"}\n");
}
