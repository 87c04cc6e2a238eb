/*
 * Nested trees: any order of keys, any depth, with and without ids.
 */
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"

#define F(name) "\"callFrame\":{\"functionName\":\"" name "\"}"

static void
check_random(uint64_t seed, enum id_kind ids, const struct v8_style *style)
{
	struct random_tree r;
	struct frame_sums want;
	struct extracted e;
	char *head, *json;

	random_tree(&r, seed, ids, seed % 2 == 1);
	random_tree_sums(&r, &want);
	head = v8_head_text(&r, style);
	json = text_of("{\"head\":%s}", head);
	extract_bytes(span_str(json),
		      &(struct extract_how){
			  .chunk = seed % 3 == 0 ? 1 + seed % 31 : 0},
		      &e);
	cr_assert_eq(e.status, ST_OK, "%s: %s", json, e.failure.message);
	cr_assert_eq(e.answer.nodes.value, r.len);
	expect_total(&e, "memory.self_size", want.total, want.total);
	for (uint32_t f = 0; f < r.frames; f++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", f);
		if (row_of(&e, name) != NULL)
			expect_values(&e, name, "memory.self_size",
				      want.self[f], want.inclusive[f]);
		else
			cr_assert_eq(want.inclusive[f], 0);
	}
	extracted_free(&e);
	free(json);
	free(head);
}

Test(v8_nested, adds_random_trees_up_as_a_walk_up_from_each_node_would)
{
	for (uint64_t seed = 0; seed < 3600; seed++) {
		struct v8_style style = {.keys_mixed = seed / 3 % 2 == 1,
					 .flat_fields = seed / 6 % 2 == 1,
					 .value = "selfSize",
					 .state = seed};

		check_random(seed, (enum id_kind)(seed % ID_KINDS), &style);
	}
}

/* f → g → f: once inclusive; ids and frames come behind the children. */
Test(v8_nested, counts_recursion_once_in_any_order_of_keys)
{
	struct extracted e = extract_good(
	    "{\"head\":{\"children\":[{\"children\":[{\"id\":3,\"selfSize\":4," F("f") ",\"children\":[]}],\"selfSize\":2," F(
		"g") ",\"id\":2}]," F("f") ",\"selfSize\":1,\"id\":1},\"samples\":["
					   "{\"size\":4,\"nodeId\":3},{\"size\":3,\"nodeId\":1}]}",
	    NULL);

	expect_values(&e, "f", "memory.self_size", 5, 7);
	expect_values(&e, "g", "memory.self_size", 2, 6);
	expect_values(&e, "f", "memory.samples", 2, 2);
	expect_values(&e, "g", "memory.samples", 0, 1);
	cr_assert_eq(e.answer.max_depth.value, 3);
	extracted_free(&e);
}

Test(v8_nested, needs_no_ids_of_a_heap)
{
	struct extracted e = extract_good(
	    "{\"head\":{" F("a") ",\"selfSize\":1,\"children\":[{" F(
		"b") ",\"selfSize\":2,\"children\":[]},{" F("b") ",\"selfSize\":3,"
								 "\"children\":[]}]}}",
	    NULL);

	cr_assert_eq(e.answer.nodes.value, 3);
	expect_values(&e, "a", "memory.self_size", 1, 6);
	expect_values(&e, "b", "memory.self_size", 5, 5);
	extracted_free(&e);
}

Test(v8_nested, needs_ids_of_a_cpu_profile)
{
	expect_failure_of("{\"head\":{\"functionName\":\"a\",\"hitCount\":1,"
			  "\"children\":[]}}",
			  NULL, RE_MISSING_FIELD, "}}", "$.head",
			  "a node has no id");
}

Test(v8_nested, needs_the_size_of_each_node_of_a_heap)
{
	expect_failure_of(
	    "{\"head\":{" F("a") ",\"selfSize\":1,\"children\":[{" F(
		"b") ",\"children\":[]}]}}",
	    NULL, RE_MISSING_FIELD, "}]}}", "$.head.children[0]",
	    "a node has no selfSize");
}

Test(v8_nested, refuses_an_id_that_comes_twice_wherever_it_stands)
{
	expect_failure_of(
	    "{\"head\":{\"id\":1," F("a") ",\"selfSize\":0,\"children\":[{\"id\":1," F(
		"b") ",\"children\":[]}]}}",
	    NULL, RE_DUPLICATE_NODE_ID, "[]}]}}", "$.head.children[0].children",
	    "node id 1 appears twice");
	expect_failure_of(
	    "{\"head\":{\"children\":[{\"id\":5," F(
		"b") ",\"selfSize\":1,\"children\":[]}]," F("a") ",\"selfSize\":0,\"id\":5}}",
	    NULL, RE_DUPLICATE_NODE_ID, "}}", "$.head",
	    "node id 5 appears twice");
}

Test(v8_nested, refuses_children_that_are_no_objects)
{
	static const char *const cases[] = {"7", "null", "\"a\"", "true", "[]"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *json =
		    text_of("{\"head\":{\"id\":1," F(
				"a") ",\"selfSize\":0,\"children\":[%s ]}}",
			    cases[i]);
		char *at = text_of("%s ]", cases[i]);

		expect_failure(json, RE_NOT_AN_OBJECT, at,
			       "$.head.children[0]");
		free(at);
		free(json);
	}
}

Test(v8_nested, refuses_a_head_that_is_no_object)
{
	expect_failure("{\"head\":7,\"startTime\":0}", RE_WRONG_TYPE, "7",
		       "$.head");
	expect_failure("{\"head\":[],\"startTime\":0}", RE_WRONG_TYPE, "[]",
		       "$.head");
}

/* A chain of n nodes. */
static char *
chain(uint32_t n)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fprintf(out, "{\"head\":");
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "{" F("f") ",\"selfSize\":1,\"children\":[");
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "]}");
	fprintf(out, "}");
	fclose(out);
	return text;
}

Test(v8_nested, is_as_deep_as_max_depth_and_no_deeper)
{
	struct extract_how how = {0};
	struct extracted e;
	struct job job;
	char *json = chain(10);

	job_init(&job);
	job.limits.of[LIMIT_MAX_DEPTH] = 10;
	how.job = &job;
	extract_bytes(span_str(json), &how, &e);
	cr_assert_eq(e.status, ST_OK);
	cr_assert_eq(e.answer.max_depth.value, 10);
	expect_values(&e, "f", "memory.self_size", 10, 10);
	extracted_free(&e);
	job.limits.of[LIMIT_MAX_DEPTH] = 9;
	free(extract_pieces(span_str(json), &job));
	extract_bytes(span_str(json), &how, &e);
	cr_assert_eq(e.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(e.failure.limit, LIMIT_MAX_DEPTH);
	cr_assert_eq(e.failure.actual, 10);
	cr_assert_eq(e.failure.max, 9);
	extracted_free(&e);
	free(json);
}

Test(v8_nested, takes_no_stack_however_deep_it_is)
{
	char *json = chain(190000);
	struct extracted e;

	extract_bytes(span_str(json), &(struct extract_how){0}, &e);
	cr_assert_eq(e.status, ST_OK, "%s", e.failure.message);
	expect_values(&e, "f", "memory.self_size", 190000, 190000);
	extracted_free(&e);
	free(json);
}
