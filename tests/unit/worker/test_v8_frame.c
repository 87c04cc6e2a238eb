/*
 * What V8 means by a frame: categories, positions, symbolization.
 */
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"

/* The row of a node with these fields in its callFrame. */
static struct row
row_of_frame(const char *fields, struct extracted *e)
{
	char *json =
	    text_of("{\"nodes\":[{\"id\":1,\"callFrame\":{%s}}]}", fields);

	*e = extract_good(json, NULL);
	free(json);
	cr_assert_eq(e->rows_len, 1);
	return e->rows[0];
}

#define STATE(name)                                                      \
	"\"functionName\":\"" name "\",\"scriptId\":\"0\",\"url\":\"\"," \
	"\"lineNumber\":-1,\"columnNumber\":-1"

static const struct {
	const char *fields;
	enum category category;
	enum frame_type type;
	enum symbolization symbolization;
} kinds[] = {
    {STATE("(program)"), CATEGORY_PROGRAM, FRAME_TYPE_V8JS,
     SYMBOLIZATION_NOT_APPLICABLE},
    {STATE("(idle)"), CATEGORY_IDLE, FRAME_TYPE_V8JS,
     SYMBOLIZATION_NOT_APPLICABLE},
    {STATE("(garbage collector)"), CATEGORY_GC, FRAME_TYPE_V8JS,
     SYMBOLIZATION_NOT_APPLICABLE},
    {STATE("(root)"), CATEGORY_ROOT, FRAME_TYPE_V8JS,
     SYMBOLIZATION_NOT_APPLICABLE},
    {STATE("now"), CATEGORY_NATIVE, FRAME_TYPE_NATIVE, SYMBOLIZATION_PARTIAL},
    {STATE(""), CATEGORY_NATIVE, FRAME_TYPE_NATIVE, SYMBOLIZATION_UNRESOLVED},
    {STATE("RegExp: a+"), CATEGORY_REGEXP, FRAME_TYPE_V8JS,
     SYMBOLIZATION_PARTIAL},
    {STATE("wasm-function[3]"), CATEGORY_WASM, FRAME_TYPE_V8JS,
     SYMBOLIZATION_PARTIAL},
    /* a function that is called like a state of the VM is none */
    {"\"functionName\":\"(idle)\",\"url\":\"x.js\",\"lineNumber\":0",
     CATEGORY_USER, FRAME_TYPE_V8JS, SYMBOLIZATION_COMPLETE},
    {"\"functionName\":\"(idle)\",\"scriptId\":\"9\",\"url\":\"\"",
     CATEGORY_EVAL, FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
    {"\"functionName\":\"f\",\"url\":\"x.js\",\"lineNumber\":4", CATEGORY_USER,
     FRAME_TYPE_V8JS, SYMBOLIZATION_COMPLETE},
    {"\"functionName\":\"f\",\"url\":\"x.js\",\"lineNumber\":-1", CATEGORY_USER,
     FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
    {"\"functionName\":\"\",\"url\":\"x.js\",\"lineNumber\":4", CATEGORY_USER,
     FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
    {"\"functionName\":\"readFileSync\",\"url\":\"node:fs\"", CATEGORY_NODE,
     FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
    {"\"functionName\":\"f\",\"url\":\"wasm://wasm/1\"", CATEGORY_WASM,
     FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
    {"\"functionName\":\"f\",\"url\":\"file:///node_modules/p/a.js\"",
     CATEGORY_DEPENDENCY, FRAME_TYPE_V8JS, SYMBOLIZATION_PARTIAL},
};

Test(v8_frame, has_the_category_type_and_symbolization_of_its_kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct extracted e;
		struct row row = row_of_frame(kinds[i].fields, &e);

		cr_assert_eq(row.category, kinds[i].category, "%s: %s",
			     kinds[i].fields, category_name(row.category));
		cr_assert_eq(row.frame_type, kinds[i].type, "%s",
			     kinds[i].fields);
		cr_assert_eq(row.symbolization, kinds[i].symbolization,
			     "%s: %s", kinds[i].fields,
			     symbolization_name(row.symbolization));
		extracted_free(&e);
	}
}

Test(v8_frame, counts_lines_and_columns_from_one)
{
	struct extracted e;
	struct row row = row_of_frame("\"url\":\"x\",\"lineNumber\":0,"
				      "\"columnNumber\":2147483646",
				      &e);

	cr_assert_eq(row.line, 1);
	cr_assert_eq(row.column, 2147483647);
	extracted_free(&e);
	row = row_of_frame("\"url\":\"x\",\"lineNumber\":-1,"
			   "\"columnNumber\":-1",
			   &e);
	cr_assert_eq(row.line, 0);
	cr_assert_eq(row.column, 0);
	extracted_free(&e);
	row = row_of_frame("\"url\":\"x\"", &e);
	cr_assert_eq(row.line, 0);
	extracted_free(&e);
	expect_failure("{\"nodes\":[{\"callFrame\":{\"lineNumber\":"
		       "2147483647}}]}",
		       RE_NUMBER_OUT_OF_RANGE, "2147483647",
		       "$.nodes[0].callFrame.lineNumber");
}

Test(v8_frame, shows_a_script_only_where_there_is_no_url)
{
	struct extracted e;
	struct row row = row_of_frame("\"functionName\":\"f\",\"scriptId\":"
				      "\"83\",\"url\":\"\"",
				      &e);

	cr_assert(row.has_script && span_is(row.script, "83"));
	cr_assert_not(row.has_file);
	extracted_free(&e);
	row = row_of_frame("\"url\":\"\",\"scriptId\":83", &e);
	cr_assert(row.has_script && span_is(row.script, "83"),
		  "a number is as good");
	extracted_free(&e);
	row = row_of_frame("\"scriptId\":\"83\",\"url\":\"x.js\"", &e);
	cr_assert_not(row.has_script);
	extracted_free(&e);
	row = row_of_frame("\"scriptId\":\"0\",\"url\":\"\"", &e);
	cr_assert_not(row.has_script);
	extracted_free(&e);
	row = row_of_frame("\"scriptId\":0", &e);
	cr_assert_not(row.has_script);
	extracted_free(&e);
}

Test(v8_frame, makes_two_frames_of_two_evals_of_one_text)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"f\","
	    "\"scriptId\":\"83\"},\"children\":[2,3]},{\"id\":2,\"callFrame\":"
	    "{\"functionName\":\"f\",\"scriptId\":\"84\"}},{\"id\":3,"
	    "\"callFrame\":{\"functionName\":\"f\",\"scriptId\":\"83\"}}]}",
	    NULL);

	cr_assert_eq(e.rows_len, 2);
	cr_assert(e.rows[0].has_function_id && e.rows[1].has_function_id);
	cr_assert_neq(memcmp(e.rows[0].frame_id, e.rows[1].frame_id, 16), 0);
	cr_assert_eq(memcmp(e.rows[0].function_id, e.rows[1].function_id, 16),
		     0, "the script is no part of it");
	extracted_free(&e);
}

Test(v8_frame, has_a_name_unescaped_with_halves_mended_and_zero_bytes_kept)
{
	struct extracted e;
	struct row row = row_of_frame(
	    "\"functionName\":\"a\\u0000\\ud83d\\ude00\\ud83d\\n\"", &e);
	static const char want[] = "a\0\xf0\x9f\x98\x80\xef\xbf\xbd\n";

	cr_assert_eq(row.function.len, sizeof(want) - 1);
	cr_assert_eq(memcmp(row.function.data, want, sizeof(want) - 1), 0);
	extracted_free(&e);
}

/* The same name and url, once with escapes, is one frame. */
Test(v8_frame, is_told_apart_by_meaning_and_not_by_spelling)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"f\\u0041\","
	    "\"url\":\"file:\\/\\/\\/a.js\"},\"children\":[2]},{\"id\":2,"
	    "\"callFrame\":{\"url\":\"file:///a.js\",\"lineNumber\":-1,"
	    "\"functionName\":\"fA\"}}]}",
	    NULL);

	cr_assert_eq(e.rows_len, 1);
	cr_assert_eq(e.answer.nodes.value, 2);
	extracted_free(&e);
}
