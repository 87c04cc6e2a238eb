/*
 * Node objects: what they must have, and what is wrong with a tree, with the
 * place in the file and the id.
 */
#include "tests/unit/worker/extract_pieces.h"

#define F "\"callFrame\":{\"functionName\":\"f\",\"url\":\"x.js\"}"

Test(v8_node, needs_an_id_and_a_frame)
{
	expect_failure_of("{\"nodes\":[{" F "}]}", NULL, RE_MISSING_FIELD,
			  "}]}", "$.nodes[0]", "a node has no id");
	expect_failure_of("{\"nodes\":[{\"id\":1}]}", NULL, RE_MISSING_FIELD,
			  "}]}", "$.nodes[0]", "a node has no callFrame");
}

Test(v8_node, has_each_key_once)
{
	expect_failure("{\"nodes\":[{\"id\":1,\"id\":2," F "}]}",
		       RE_DUPLICATE_KEY, "\"id\":2", "$.nodes[0].id");
	expect_failure("{\"nodes\":[{\"id\":1," F ",\"callFrame\":{}}]}",
		       RE_DUPLICATE_KEY, "\"callFrame\":{}",
		       "$.nodes[0].callFrame");
	expect_failure("{\"nodes\":[{\"id\":1," F ",\"url\":\"y\"}]}",
		       RE_DUPLICATE_KEY, "\"url\":\"y\"", "$.nodes[0].url");
	expect_failure("{\"nodes\":[{\"id\":1,\"\\u0069d\":2," F "}]}",
		       RE_DUPLICATE_KEY, "\"\\u0069d\"", "$.nodes[0].id");
}

Test(v8_node, takes_only_numbers_that_are_whole_and_in_range)
{
	expect_failure("{\"nodes\":[{\"id\":1.5}]}", RE_WRONG_TYPE, "1.5",
		       "$.nodes[0].id");
	expect_failure("{\"nodes\":[{\"id\":-1}]}", RE_NEGATIVE_VALUE, "-1",
		       "$.nodes[0].id");
	expect_failure("{\"nodes\":[{\"id\":9223372036854775808}]}",
		       RE_NUMBER_OUT_OF_RANGE, "922", "$.nodes[0].id");
	expect_failure("{\"nodes\":[{\"hitCount\":-2}]}", RE_NEGATIVE_VALUE,
		       "-2", "$.nodes[0].hitCount");
	expect_failure("{\"nodes\":[{\"children\":[1,-7]}]}", RE_NEGATIVE_VALUE,
		       "-7", "$.nodes[0].children[1]");
	expect_failure("{\"nodes\":[{\"parent\":0.1}]}", RE_WRONG_TYPE, "0.1",
		       "$.nodes[0].parent");
}

Test(v8_node, takes_only_values_of_the_right_type)
{
	static const char *const cases[][3] = {
	    {"{\"nodes\":[{\"id\":\"1\"}]}", "\"1\"", "$.nodes[0].id"},
	    {"{\"nodes\":[{\"id\":null}]}", "null", "$.nodes[0].id"},
	    {"{\"nodes\":[{\"id\":[]}]}", "[]", "$.nodes[0].id"},
	    {"{\"nodes\":[{\"callFrame\":7}]}", "7", "$.nodes[0].callFrame"},
	    {"{\"nodes\":[{\"callFrame\":[]}]}", "[]", "$.nodes[0].callFrame"},
	    {"{\"nodes\":[{\"children\":{}}]}", "{}", "$.nodes[0].children"},
	    {"{\"nodes\":[{\"children\":5}]}", "5", "$.nodes[0].children"},
	    {"{\"nodes\":[{\"children\":[\"2\"]}]}", "\"2\"",
	     "$.nodes[0].children[0]"},
	    {"{\"nodes\":[{\"children\":[[2]]}]}", "[2]",
	     "$.nodes[0].children[0]"},
	    {"{\"nodes\":[{\"hitCount\":true}]}", "true",
	     "$.nodes[0].hitCount"},
	    {"{\"nodes\":[{\"callFrame\":{\"functionName\":3}}]}", "3",
	     "$.nodes[0].callFrame.functionName"},
	    {"{\"nodes\":[{\"callFrame\":{\"url\":null}}]}", "null",
	     "$.nodes[0].callFrame.url"},
	    {"{\"nodes\":[{\"callFrame\":{\"lineNumber\":\"3\"}}]}", "\"3\"",
	     "$.nodes[0].callFrame.lineNumber"},
	    {"{\"nodes\":[{\"callFrame\":{\"scriptId\":{}}}]}", "{}",
	     "$.nodes[0].callFrame.scriptId"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_failure(cases[i][0], RE_WRONG_TYPE, cases[i][1],
			       cases[i][2]);
}

Test(v8_node, is_an_object)
{
	expect_failure("{\"nodes\":[7]}", RE_NOT_AN_OBJECT, "7", "$.nodes[0]");
	expect_failure("{\"nodes\":[{\"id\":1," F "},null]}", RE_NOT_AN_OBJECT,
		       "null", "$.nodes[1]");
	expect_failure("{\"nodes\":[[]]}", RE_NOT_AN_OBJECT, "[]]",
		       "$.nodes[0]");
}

Test(v8_node, is_skipped_over_by_path_and_not_by_name)
{
	struct extracted e = extract_good(
	    "{\"x\":{\"nodes\":[{\"id\":1}]},\"nodes\":[{\"y\":{\"id\":5,"
	    "\"children\":[9]},\"id\":1,\"callFrame\":{\"id\":3,"
	    "\"hitCount\":9,\"functionName\":\"f\",\"z\":{\"url\":1}},"
	    "\"hitCount\":2}]}",
	    NULL);

	cr_assert_eq(e.rows_len, 1);
	expect_values(&e, "f", "cpu.hit_count", 2, 2);
	extracted_free(&e);
}

Test(v8_node, has_an_id_of_its_own)
{
	expect_failure_of("{\"nodes\":[{\"id\":2," F "},{\"id\":2," F "}]}",
			  NULL, RE_DUPLICATE_NODE_ID, "}]}", "$.nodes[1]",
			  "node id 2 appears twice");
}

Test(v8_node, has_one_parent)
{
	expect_failure_of("{\"nodes\":[{\"id\":1," F ",\"children\":[3,2]},"
			  "{\"id\":2," F ",\"children\":[3]},"
			  "{\"id\":3," F "}]}",
			  NULL, RE_NODE_HAS_TWO_PARENTS, "},{\"id\":3",
			  "$.nodes[1]", "node 3 has two parents");
	expect_failure_of("{\"nodes\":[{\"id\":1," F ",\"children\":[2,2]}]}",
			  NULL, RE_NODE_HAS_TWO_PARENTS, "}]}", "$.nodes[0]",
			  "node 2 has two parents");
}

Test(v8_node, may_be_linked_from_both_sides_when_they_agree)
{
	struct extracted e =
	    extract_good("{\"nodes\":[{\"id\":2,\"parent\":1," F
			 "},{\"id\":1," F
			 ",\"children\":[2,3]},{\"id\":3,\"parent\":1," F "}]}",
			 NULL);

	cr_assert_eq(e.answer.nodes.value, 3);
	cr_assert_eq(e.answer.max_depth.value, 2);
	extracted_free(&e);
	expect_failure("{\"nodes\":[{\"id\":1," F
		       ",\"children\":[2]},{\"id\":3," F
		       "},{\"id\":2,\"parent\":3," F "}]}",
		       RE_NODE_HAS_TWO_PARENTS, "}]}", "$.nodes[2]");
}

Test(v8_node, is_not_below_itself)
{
	expect_failure_of("{\"nodes\":[{\"id\":7," F ",\"children\":[7]}]}",
			  NULL, RE_CYCLE, "}]}", "$.nodes[0]",
			  "node 7 is its own parent");
	expect_failure_of("{\"nodes\":[{\"id\":1," F "},{\"id\":2," F
			  ",\"children\":[3]},{\"id\":3," F
			  ",\"children\":[2]}]}",
			  NULL, RE_CYCLE, "]}", "$.nodes",
			  "node 2 is on a cycle, or below one");
}

Test(v8_node, names_only_children_and_parents_that_are_there)
{
	expect_failure_of("{\"nodes\":[{\"id\":1," F ",\"children\":[8]}]}",
			  NULL, RE_UNKNOWN_CHILD, "]}", "$.nodes",
			  "node 8 is named as a child, but not there");
	expect_failure_of("{\"nodes\":[{\"id\":1,\"parent\":6," F "}]}", NULL,
			  RE_UNKNOWN_PARENT, "]}", "$.nodes",
			  "node 6 is named as a parent, but not there");
}

Test(v8_node, hangs_on_the_one_root)
{
	expect_failure_of("{\"nodes\":[{\"id\":1," F "},{\"id\":2," F "}]}",
			  NULL, RE_UNREACHABLE_NODE, "]}", "$.nodes",
			  "node 2 is a second one without a parent");
}

Test(v8_node, counts_against_max_nodes)
{
	const char *json =
	    "{\"nodes\":[{\"id\":1," F ",\"children\":[2]},{\"id\":2," F "}]}";
	struct extracted e;
	struct job job;

	job_init(&job);
	job.limits.of[LIMIT_MAX_NODES] = 2;
	e = extract_good(json, &job);
	extracted_free(&e);
	job.limits.of[LIMIT_MAX_NODES] = 1;
	free(extract_pieces(span_str(json), &job));
	extract_bytes(span_str(json), &(struct extract_how){.job = &job}, &e);
	cr_assert_eq(e.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(e.failure.limit, LIMIT_MAX_NODES);
	cr_assert_eq(e.failure.actual, 2);
	cr_assert_eq(e.failure.max, 1);
	cr_assert_eq(e.failure.offset, (int64_t)strlen(json) - 3);
	extracted_free(&e);
}

Test(v8_node, may_not_add_up_beyond_64_bits)
{
	char json[1024];

	snprintf(json, sizeof(json),
		 "{\"nodes\":[{\"id\":1,%s,\"hitCount\":%s,\"children\":[2]},"
		 "{\"id\":2,%s,\"hitCount\":%s,\"children\":[3]},"
		 "{\"id\":3,%s,\"hitCount\":2}]}",
		 F, "9223372036854775807", F, "9223372036854775807", F);
	expect_failure(json, RE_VALUE_OVERFLOW, "}]}", "$.nodes[2]");
}
