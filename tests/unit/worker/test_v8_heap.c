/*
 * Heap profiles: sizes from the tree, counts from the samples.
 */
#include "tests/support/pack.h"
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"
#include "worker/input/digest.h"

#define F(name)                                                    \
	"\"callFrame\":{\"functionName\":\"" name                  \
	"\",\"scriptId\":\"1\",\"url\":\"x.js\",\"lineNumber\":0," \
	"\"columnNumber\":0}"
#define HEAD                                                                                                         \
	"{" F("a") ",\"selfSize\":0,\"id\":1,\"children\":[{" F("b") ",\"selfSize\":100,\"id\":2,\"children\":[{" F( \
	    "c") ",\"selfSize\":7,\"id\":4,\"children\":[]}]},{" F("c") ",\"selfSize\":20,\"id\":3,\"children\":[]}]}"

/* a → b (100) → c (7), a → c (20); samples: b twice, c in b once. */
#define SAMPLED                                                      \
	"{\"head\":" HEAD ",\"samples\":[{\"size\":60,\"nodeId\":2," \
	"\"ordinal\":1},{\"size\":60,\"nodeId\":2,\"ordinal\":2},"   \
	"{\"size\":7,\"nodeId\":4,\"ordinal\":3}]}"

Test(v8_heap, takes_sizes_from_the_tree_alone)
{
	struct extracted e = extract_good(SAMPLED, NULL);

	cr_assert_eq(e.answer.format, FORMAT_V8_HEAPPROFILE);
	cr_assert_eq(e.answer.metrics_len, 2);
	expect_total(&e, "memory.self_size", 127, 127);
	expect_total(&e, "memory.samples", 3, 3);
	expect_values(&e, "a", "memory.self_size", 0, 127);
	expect_values(&e, "b", "memory.self_size", 100, 107);
	expect_values(&e, "c", "memory.self_size", 27, 27);
	expect_values(&e, "b", "memory.samples", 2, 3);
	expect_values(&e, "c", "memory.samples", 1, 1);
	cr_assert_eq(e.answer.samples.value, 3);
	cr_assert_not(e.answer.start_us.known || e.answer.interval_us.known);
	cr_assert(has_limitation(&e, LIMITATION_LIVE_HEAP_ONLY));
	cr_assert(has_limitation(&e, LIMITATION_SAMPLED_ESTIMATE));
	cr_assert_not(has_limitation(&e, LIMITATION_WALL_NOT_CPU));
	cr_assert_not(has_limitation(&e, LIMITATION_TOTALS_DISAGREE));
	extracted_free(&e);
}

Test(v8_heap, notes_totals_that_disagree_and_mends_nothing)
{
	struct extracted e =
	    extract_good("{\"head\":" HEAD ",\"samples\":[{\"size\":126,"
			 "\"nodeId\":2}]}",
			 NULL);

	expect_total(&e, "memory.self_size", 127, 127);
	cr_assert(has_limitation(&e, LIMITATION_TOTALS_DISAGREE));
	extracted_free(&e);
}

/* With children before sizes the tree is read a second time. */
#define CHILDREN_FIRST                                        \
	"{\"head\":{\"children\":[{\"children\":[],\"id\":2," \
	"\"selfSize\":4," F("b") "}],\"selfSize\":1," F("a") ",\"id\":1}}"

static void
expect_digest(struct span stored)
{
	struct extract_how how = {.chunk = 7};
	uint8_t sha256[DIGEST_BYTES];
	struct extracted e;
	struct digest digest;

	extract_bytes(stored, &how, &e);
	cr_assert_eq(e.status, ST_OK, "%s", e.failure.message);
	expect_total(&e, "memory.self_size", 5, 5);
	digest_init(&digest);
	digest_update(&digest, stored);
	digest_final(&digest, sha256);
	cr_assert(e.answer.has_digest);
	cr_assert_eq(memcmp(e.answer.sha256, sha256, sizeof(sha256)), 0);
	cr_assert_eq(e.answer.bytes, stored.len);
	extracted_free(&e);
}

Test(v8_heap, digests_each_byte_once_when_a_file_is_read_twice)
{
	struct packed gzip = {0}, zstd = {0};

	pack_gzip(&gzip, span_str(CHILDREN_FIRST));
	pack_zstd(&zstd, span_str(CHILDREN_FIRST), 0);
	expect_digest(span_str(CHILDREN_FIRST));
	expect_digest(packed_span(&gzip));
	expect_digest(packed_span(&zstd));
	free(gzip.data);
	free(zstd.data);
}

Test(v8_heap, lacks_sample_counts_without_samples)
{
	struct extracted e = extract_good("{\"head\":" HEAD "}", NULL);

	expect_unavailable(&e, "memory.samples", "no_samples");
	cr_assert_not(e.answer.samples.known);
	extracted_free(&e);
	e = extract_good("{\"head\":" HEAD ",\"samples\":[]}", NULL);
	expect_unavailable(&e, "memory.samples", "no_samples");
	extracted_free(&e);
}

Test(v8_heap, gathers_samples_that_name_no_node_in_one_row)
{
	struct extracted e =
	    extract_good("{\"head\":" HEAD ",\"samples\":[{\"size\":100,"
			 "\"nodeId\":9},{\"size\":27,"
			 "\"nodeId\":3}]}",
			 NULL);

	expect_values(&e, "(unknown)", "memory.samples", 1, 1);
	expect_values(&e, "(unknown)", "memory.self_size", 0, 0);
	expect_values(&e, "c", "memory.samples", 1, 1);
	cr_assert_eq(e.answer.coverage[COVERAGE_UNRESOLVED_SAMPLES], 1);
	extracted_free(&e);
}

/* The same text with head and samples, and the keys of a sample, turned round.
 */
Test(v8_heap, gives_the_same_for_both_orders_of_its_keys)
{
	static const char turned[] =
	    "{\"samples\":[{\"ordinal\":1,\"nodeId\":2,\"size\":60},"
	    "{\"ordinal\":2,\"size\":60,\"nodeId\":2},"
	    "{\"nodeId\":4,\"ordinal\":3,\"size\":7}],\"head\":" HEAD "}";
	struct job job;
	char *a, *b;

	job_init(&job);
	job.digest = false;
	a = extract_pieces(span_str(SAMPLED), &job);
	b = extract_pieces(span_str(turned), &job);
	cr_assert_str_eq(a, b);
	free(a);
	free(b);
}

Test(v8_heap, refuses_samples_that_are_not_as_they_should_be)
{
	static const struct {
		const char *sample;
		enum reason reason;
		const char *at, *path;
	} cases[] = {
	    {"7", RE_NOT_AN_OBJECT, "7]", "$.samples[0]"},
	    {"[]", RE_NOT_AN_OBJECT, "[]]", "$.samples[0]"},
	    {"{\"size\":1}", RE_MISSING_FIELD, "}]}", "$.samples[0]"},
	    {"{\"size\":-1,\"nodeId\":1}", RE_NEGATIVE_VALUE, "-1",
	     "$.samples[0].size"},
	    {"{\"size\":1.5}", RE_WRONG_TYPE, "1.5", "$.samples[0].size"},
	    {"{\"nodeId\":\"x\"}", RE_WRONG_TYPE, "\"x\"",
	     "$.samples[0].nodeId"},
	    {"{\"nodeId\":[]}", RE_WRONG_TYPE, "[]", "$.samples[0].nodeId"},
	    {"{\"nodeId\":1,\"nodeId\":2}", RE_DUPLICATE_KEY, "\"nodeId\":2",
	     "$.samples[0].nodeId"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *json = text_of("{\"head\":" HEAD ",\"samples\":[%s]}",
				     cases[i].sample);

		expect_failure(json, cases[i].reason, cases[i].at,
			       cases[i].path);
		free(json);
	}
}

Test(v8_heap, refuses_a_profile_without_a_tree)
{
	const char *json = "{\"samples\":[{\"size\":1,\"nodeId\":1}]}";
	char *text = extract_pieces(span_str(json), NULL);

	cr_assert_eq(strncmp(text, "UNSUPPORTED_FORMAT unrecognized_layout",
			     38),
		     0, "%s", text);
	free(text);
}

Test(v8_heap, counts_the_first_samples_alone_when_it_is_cut)
{
	struct extracted e;
	struct job job;
	char *text;

	job_init(&job);
	job.on_limit = ON_LIMIT_TRUNCATE;
	job.limits.of[LIMIT_MAX_SAMPLES] = 2;
	e = extract_good(SAMPLED, &job);
	cr_assert(e.answer.partial);
	expect_total(&e, "memory.samples", 2, 2);
	expect_values(&e, "b", "memory.samples", 2, 2);
	expect_total(&e, "memory.self_size", 127, 127);
	cr_assert_eq(e.answer.coverage[COVERAGE_CUT_SAMPLES], 1);
	cr_assert(has_limitation(&e, LIMITATION_INPUT_CUT));
	extracted_free(&e);
	job.on_limit = ON_LIMIT_FAIL;
	text = extract_pieces(span_str(SAMPLED), &job);
	cr_assert_not_null(strstr(text, "limit=max_samples actual=3 max=2"),
			   "%s", text);
	free(text);
}

Test(v8_heap, may_not_add_up_beyond_64_bits)
{
	expect_failure(
	    "{\"head\":{" F(
		"a") ",\"selfSize\":"
		     "9223372036854775807,\"id\":1,\"children\":[{" F(
			 "b") ",\"selfSize\":9223372036854775807,\"id\":2,"
			      "\"children\":[{" F(
				  "c") ",\"selfSize\":2,\"id\":3}]}]}}",
	    RE_VALUE_OVERFLOW, "}}", "$.head");
}
