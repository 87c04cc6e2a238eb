/*
 * Which format an object holds, by its first decisive key wherever it is.
 */
#include "tests/unit/worker/extract_pieces.h"

static void
expect_start(const char *json, const char *want)
{
	char *text = extract_pieces(span_str(json), NULL);

	cr_assert_eq(strncmp(text, want, strlen(want)), 0, "%s: %s", json,
		     text);
	free(text);
}

#define TREE                                                               \
	"{\"callFrame\":{\"functionName\":\"f\"},\"id\":1,\"selfSize\":1," \
	"\"children\":[]}"

Test(v8_layout, tells_the_formats_apart_by_content)
{
	expect_start("{\"nodes\":[]}", "v8.cpuprofile");
	expect_start("{\"startTime\":1,\"nodes\":[]}", "v8.cpuprofile");
	expect_start("{\"samples\":[],\"timeDeltas\":[],\"nodes\":[]}",
		     "v8.cpuprofile");
	expect_start("{\"head\":" TREE "}", "v8.heapprofile");
	expect_start("{\"samples\":[],\"head\":" TREE "}", "v8.heapprofile");
	expect_start("{\"samples\":[{\"nodeId\":1,\"size\":1}],\"head\":" TREE
		     "}",
		     "v8.heapprofile");
	expect_start("{\"x\":{\"nodes\":[],\"startTime\":1},\"head\":" TREE "}",
		     "v8.heapprofile");
	expect_start("{\"profile\":{\"head\":" TREE "}}", "v8.heapprofile");
}

Test(v8_layout, says_what_it_saw_of_an_object_that_it_does_not_know)
{
	expect_start("{\"a\":1,\"b\":{\"nodes\":[]}}",
		     "UNSUPPORTED_FORMAT unrecognized_layout offset=-1 path= "
		     "message=no known profile has these top-level keys: a, b");
	expect_start("{}", "UNSUPPORTED_FORMAT unrecognized_layout offset=-1 "
			   "path= message=a JSON object without keys");
	expect_start("{\"profile\":{}}",
		     "UNSUPPORTED_FORMAT unrecognized_layout");
}

Test(v8_layout, takes_nothing_but_an_object)
{
	expect_start("[1]", "UNSUPPORTED_FORMAT unrecognized_layout");
	expect_start("7 ", "UNSUPPORTED_FORMAT unrecognized_layout");
	expect_start("null", "UNSUPPORTED_FORMAT unrecognized_layout");
	expect_start("\"x\"", "UNSUPPORTED_FORMAT unrecognized_layout");
}

Test(v8_layout, finds_nothing_in_an_empty_input)
{
	expect_start("", "EMPTY_INPUT");
	expect_start(" \n\t", "EMPTY_INPUT");
	expect_start("\xef\xbb\xbf", "EMPTY_INPUT");
	expect_start("\xef\xbb\xbf \n", "EMPTY_INPUT");
}

Test(v8_layout, tells_what_is_no_json)
{
	expect_failure("{\"a\":}", RE_INVALID_JSON, "}", "$.a");
	expect_failure("{\"a\":1", RE_TRUNCATED_INPUT, "", "$.a");
	expect_failure("{\"\xff\":1}", RE_INVALID_UTF8, "\xff", "$");
}

Test(v8_layout, refuses_another_format_than_the_declared_one)
{
	const char *json = "{\"nodes\":[]}";
	struct job job;
	char *text;

	job_init(&job);
	job.format = FORMAT_V8_HEAPPROFILE;
	text = extract_pieces(span_str(json), &job);
	cr_assert_not_null(strstr(text, "FORMAT_MISMATCH"));
	cr_assert_not_null(strstr(text, "declared as v8.heapprofile, but the "
					"input is v8.cpuprofile"));
	free(text);
	job.format = FORMAT_V8_CPUPROFILE;
	text = extract_pieces(span_str(json), &job);
	cr_assert_eq(strncmp(text, "v8.cpuprofile", 13), 0);
	free(text);
}
