/*
 * CPU profiles: what the numbers mean, in every form of the file.
 */
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"

#define FRAME(name)                                       \
	"\"callFrame\":{\"functionName\":\"" name         \
	"\",\"scriptId\":\"1\",\"url\":\"file:///a.js\"," \
	"\"lineNumber\":0,\"columnNumber\":0}"
#define STATE(name)                               \
	"\"callFrame\":{\"functionName\":\"" name \
	"\",\"scriptId\":\"0\",\"url\":\"\","     \
	"\"lineNumber\":-1,\"columnNumber\":-1}"

/* (root) → f (2 hits) → g → f (1 hit), and (idle) beside. */
#define NODES                                                                \
	"[{\"id\":1," STATE(                                                 \
	    "(root)") ",\"hitCount\":0,\"children\":[2,5]},"                 \
		      "{\"id\":2," FRAME(                                    \
			  "f") ",\"hitCount\":2,\"children\":[3]},"          \
			       "{\"id\":3," FRAME(                           \
				   "g") ",\"hitCount\":0,\"children\":[4]}," \
					"{\"id\":4," FRAME(                  \
					    "f") ",\"hitCount\":1},"         \
						 "{\"id\":5," STATE(         \
						     "(idle)") ",\"hitCount\":1}]"

/*
 * Times 105, 115, 118, 138, end 150: f at 2 lasts 10, then 3 at 4, (idle) 20,
 * g 12. The first 5 µs belong to nobody.
 */
#define SAMPLED                                                   \
	"{\"nodes\":" NODES ",\"startTime\":100,\"endTime\":150," \
	"\"samples\":[2,4,5,3],\"timeDeltas\":[5,10,3,20]}"

Test(v8_cpu, counts_hits_samples_and_time_apart)
{
	struct extracted e = extract_good(SAMPLED, NULL);

	cr_assert_eq(e.answer.format, FORMAT_V8_CPUPROFILE);
	cr_assert_eq(e.answer.metrics_len, 3);
	expect_total(&e, "cpu.hit_count", 4, 3);
	expect_total(&e, "cpu.samples", 4, 3);
	expect_total(&e, "wall.time", 45, 25);
	expect_values(&e, "f", "cpu.hit_count", 3, 3);
	expect_values(&e, "f", "cpu.samples", 2, 3);
	expect_values(&e, "f", "wall.time", 13, 25);
	expect_values(&e, "g", "cpu.hit_count", 0, 1);
	expect_values(&e, "g", "cpu.samples", 1, 2);
	expect_values(&e, "g", "wall.time", 12, 15);
	expect_values(&e, "(idle)", "wall.time", 20, 20);
	expect_values(&e, "(root)", "wall.time", 0, 45);
	extracted_free(&e);
}

Test(v8_cpu, tells_what_the_profile_as_a_whole_is_like)
{
	struct extracted e = extract_good(SAMPLED, NULL);
	const struct answer *a = &e.answer;

	cr_assert_eq(a->start_us.value, 100);
	cr_assert_eq(a->end_us.value, 150);
	cr_assert_eq(a->duration_us.value, 50);
	cr_assert_eq(a->interval_us.value, 10, "of 10, 3, 20");
	cr_assert_eq(a->nodes.value, 5);
	cr_assert_eq(a->samples.value, 4);
	cr_assert_eq(a->frames.value, 4);
	cr_assert_eq(a->max_depth.value, 4);
	cr_assert(has_limitation(&e, LIMITATION_WALL_NOT_CPU));
	cr_assert(has_limitation(&e, LIMITATION_SOURCE_MAPS_NOT_APPLIED));
	cr_assert_not(has_limitation(&e, LIMITATION_DELTAS_REORDERED));
	extracted_free(&e);
}

Test(v8_cpu, never_reports_what_the_file_lacks_as_zero)
{
	struct extracted e;

	e = extract_good("{\"nodes\":[{\"id\":1," FRAME("f") "}]}", NULL);
	cr_assert_eq(e.answer.metrics_len, 0);
	expect_unavailable(&e, "cpu.hit_count", "no_hit_counts");
	expect_unavailable(&e, "cpu.samples", "no_samples");
	expect_unavailable(&e, "wall.time", "no_samples");
	cr_assert_eq(e.rows_len, 1);
	cr_assert_not(e.answer.start_us.known);
	extracted_free(&e);
	e = extract_good("{\"nodes\":" NODES ",\"samples\":[2]}", NULL);
	expect_total(&e, "cpu.samples", 1, 1);
	expect_unavailable(&e, "wall.time", "no_time_deltas");
	extracted_free(&e);
	e = extract_good("{\"nodes\":" NODES
			 ",\"samples\":[2],\"timeDeltas\":[3]}",
			 NULL);
	expect_unavailable(&e, "wall.time", "no_end_time");
	extracted_free(&e);
}

Test(v8_cpu, takes_a_profile_without_nodes_as_a_success_without_rows)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[],\"startTime\":1,\"endTime\":2,\"samples\":[],"
	    "\"timeDeltas\":[]}",
	    NULL);

	cr_assert_eq(e.rows_len, 0);
	cr_assert_eq(e.answer.rows_total, 0);
	expect_total(&e, "cpu.samples", 0, 0);
	expect_total(&e, "wall.time", 0, 0);
	cr_assert_not(e.answer.interval_us.known);
	extracted_free(&e);
}

/* Times 10, 30, 20, 50, end 60 of f, g, f, g: in order f 10, f 10, g 20, g 10.
 */
Test(v8_cpu, puts_samples_in_time_order_first)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1," FRAME("f") ",\"children\":[2]},{\"id\":2," FRAME(
		"g") "}],\"startTime\":0,\"endTime\":60,"
		     "\"samples\":[1,2,1,2],\"timeDeltas\":[10,20,-10,30]}",
	    NULL);

	expect_values(&e, "f", "wall.time", 20, 50);
	expect_values(&e, "g", "wall.time", 30, 30);
	cr_assert_eq(e.answer.coverage[COVERAGE_OUT_OF_ORDER_DELTAS], 1);
	cr_assert_eq(e.answer.coverage[COVERAGE_CLAMPED_DELTAS], 0);
	cr_assert(has_limitation(&e, LIMITATION_DELTAS_REORDERED));
	extracted_free(&e);
}

/* 9 names nothing, 3 is only a number: 2 samples, from 10 to 30. */
Test(v8_cpu, gathers_samples_that_name_no_node_in_one_row)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1," FRAME(
		"f") "}],\"startTime\":0,"
		     "\"endTime\":40,\"samples\":[9,-3,1],\"timeDeltas\":[10,5,15]}",
	    NULL);
	const struct row *row = row_of(&e, "(unknown)");

	expect_values(&e, "(unknown)", "cpu.samples", 2, 2);
	expect_values(&e, "(unknown)", "wall.time", 20, 20);
	expect_values(&e, "f", "wall.time", 10, 10);
	cr_assert_eq(row->category, CATEGORY_UNKNOWN);
	cr_assert_eq(row->symbolization, SYMBOLIZATION_UNRESOLVED);
	cr_assert_eq(e.answer.coverage[COVERAGE_UNRESOLVED_SAMPLES], 2);
	expect_total(&e, "wall.time", 30, 30);
	extracted_free(&e);
}

/* head: start and end in seconds, timestamps in microseconds, lines from 1.
 * Samples at 1500100 and 1500400, end 1501000: 300 and 600. */
Test(v8_cpu, reads_the_nested_form_of_old_writers)
{
	struct extracted e = extract_good(
	    "{\"typeId\":\"CPU\",\"head\":{\"functionName\":\"(root)\","
	    "\"url\":\"\",\"lineNumber\":0,\"callUID\":7,\"hitCount\":0,"
	    "\"id\":1,\"children\":[{\"functionName\":\"a\",\"url\":\"x.js\","
	    "\"lineNumber\":3,\"hitCount\":1,\"id\":2,\"children\":["
	    "{\"functionName\":\"b\",\"url\":\"x.js\",\"lineNumber\":9,"
	    "\"hitCount\":4,\"id\":3,\"children\":[]}]}]},"
	    "\"startTime\":1.5,\"endTime\":1.501,\"samples\":[2,3],"
	    "\"timestamps\":[1500100,1500400]}",
	    NULL);

	expect_values(&e, "a", "cpu.hit_count", 1, 5);
	expect_values(&e, "a", "wall.time", 300, 900);
	expect_values(&e, "b", "wall.time", 600, 600);
	cr_assert_eq(row_of(&e, "a")->line, 3);
	cr_assert_eq(row_of(&e, "a")->column, 0);
	cr_assert_eq(row_of(&e, "(root)")->category, CATEGORY_ROOT);
	cr_assert_eq(e.answer.start_us.value, 1500000);
	cr_assert_eq(e.answer.end_us.value, 1501000);
	cr_assert_eq(e.answer.duration_us.value, 1000);
	cr_assert_eq(e.answer.interval_us.value, 300);
	extracted_free(&e);
}

/* All orders of n keys, by Heap's algorithm. */
static void
swap(const char **keys, uint32_t a, uint32_t b)
{
	const char *key = keys[a];

	keys[a] = keys[b];
	keys[b] = key;
}

/* format has one %s for each of five keys. */
static void
expect_same_in_any_order(const char *format, const char **keys)
{
	uint32_t count[5] = {0}, i = 0;
	char *first = NULL;
	struct job job;

	job_init(&job);
	job.digest = false;
	for (;;) {
		char *json = NULL, *text;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		cr_assert_gt(asprintf(&json, format, keys[0], keys[1], keys[2],
				      keys[3], keys[4]),
			     0);
#pragma GCC diagnostic pop
		text = extract_text(span_str(json),
				    &(struct extract_how){.job = &job});
		if (first == NULL)
			first = strdup(text);
		cr_assert_str_eq(text, first, "%s", json);
		free(text);
		free(json);
		while (i < 5 && count[i] >= i)
			count[i++] = 0;
		if (i == 5)
			break;
		swap(keys, i % 2 == 0 ? 0 : count[i], i);
		count[i]++;
		i = 0;
	}
	cr_assert(strstr(first, "v8.cpuprofile") == first, "%s", first);
	free(first);
}

Test(v8_cpu, gives_the_same_for_all_orders_of_the_profiles_keys)
{
	const char *keys[] = {"\"nodes\":" NODES, "\"startTime\":100",
			      "\"endTime\":150", "\"samples\":[2,4,5,9]",
			      "\"timeDeltas\":[5,10,-3,20]"};

	expect_same_in_any_order("{%s,%s,%s,%s,%s}", keys);
}

Test(v8_cpu, gives_the_same_for_all_orders_of_a_nodes_keys)
{
	const char *keys[] = {"\"id\":1", FRAME("f"), "\"hitCount\":3",
			      "\"children\":[2,3]",
			      "\"positionTicks\":[{\"line\":1,\"ticks\":3}]"};

	expect_same_in_any_order(
	    "{\"nodes\":[{%s,%s,%s,%s,%s},{\"id\":3," FRAME(
		"g") ",\"hitCount\":2},{\"id\":2," FRAME("f") ",\"hitCount\":1}]}",
	    keys);
}

Test(v8_cpu, gives_the_same_for_all_orders_of_a_call_frames_keys)
{
	const char *keys[] = {"\"functionName\":\"f\"", "\"scriptId\":\"1\"",
			      "\"url\":\"x.js\"", "\"lineNumber\":4",
			      "\"columnNumber\":7"};

	expect_same_in_any_order(
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{%s,%s,%s,%s,%s}}]}", keys);
}

/* One sample at each node as often as its value says. */
static char *
sampled_profile(const struct random_tree *r, const struct v8_style *style)
{
	char *nodes = v8_nodes_text(r, style), *text;
	FILE *out;
	size_t len;
	const char *comma = "";

	out = open_memstream(&text, &len);
	fprintf(out, "{\"nodes\":%s,\"samples\":[", nodes);
	for (uint32_t i = 0; i < r->len; i++) {
		for (uint64_t n = 0; n < r->value[i] % 4; n++) {
			fprintf(out, "%s%" PRIu64, comma, r->id[i]);
			comma = ",";
		}
	}
	fprintf(out, "]}");
	fclose(out);
	free(nodes);
	return text;
}

static void
expect_sums(const struct extracted *e, const char *metric,
	    const struct random_tree *r)
{
	struct frame_sums want;

	random_tree_sums(r, &want);
	cr_assert_eq(e->answer.metrics[metric_of(e, metric)].total, want.total);
	for (uint32_t f = 0; f < r->frames; f++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", f);
		if (row_of(e, name) != NULL)
			expect_values(e, name, metric, want.self[f],
				      want.inclusive[f]);
		else
			cr_assert_eq(want.inclusive[f], 0);
	}
}

static void
check_random(uint64_t seed, enum id_kind ids, const struct v8_style *style)
{
	struct extracted e;
	struct random_tree r;
	char *json;

	random_tree(&r, seed, ids, seed % 2 == 1);
	json = sampled_profile(&r, style);
	extract_bytes(span_str(json),
		      &(struct extract_how){
			  .chunk = seed % 3 == 0 ? 1 + seed % 31 : 0},
		      &e);
	cr_assert_eq(e.status, ST_OK, "%s: %s", json, e.failure.message);
	expect_sums(&e, "cpu.hit_count", &r);
	for (uint32_t i = 0; i < r.len; i++)
		r.value[i] %= 4;
	expect_sums(&e, "cpu.samples", &r);
	extracted_free(&e);
	free(json);
}

/* All kinds of ids and links, both orders of nodes and keys. */
Test(v8_cpu, adds_random_trees_up_as_a_walk_up_from_each_node_would)
{
	for (uint64_t seed = 0; seed < 3600; seed++) {
		struct v8_style style = {.links = (enum link_kind)(seed / 3 %
								   LINK_KINDS),
					 .nodes_mixed = seed / 9 % 2 == 1,
					 .keys_mixed = seed / 18 % 2 == 1,
					 .value = "hitCount",
					 .state = seed};

		check_random(seed, (enum id_kind)(seed % ID_KINDS), &style);
	}
}

/* The most memory that a profile of n nodes takes whose ids are a stride
 * apart. */
static uint64_t
memory_of(uint32_t n, uint64_t stride)
{
	char *json = NULL;
	size_t len;
	FILE *out = open_memstream(&json, &len);
	struct extracted e;

	fprintf(out, "{\"nodes\":[{\"id\":0," FRAME("f") "}");
	for (uint32_t i = 1; i < n; i++)
		fprintf(out,
			",{\"id\":%" PRIu64
			",\"parent\":0," FRAME("f") ",\"hitCount\":1}",
			i * stride);
	fprintf(out, "]}");
	fclose(out);
	extract_bytes(span_of(json, len), &(struct extract_how){0}, &e);
	cr_assert_eq(e.status, ST_OK);
	extracted_free(&e);
	free(json);
	return e.high_bytes;
}

/* 24 bytes a node where ids are dense, and a third more since tables grow by
 * half. Else 72, and a third more, and what the first 65536 ids may take. */
Test(v8_cpu, takes_little_memory_for_ids_far_apart)
{
	/* the smaller file is long enough for buffers of full size */
	const uint32_t few = 10000, n = 60000;
	uint64_t buffers = memory_of(few, 1);

	cr_assert_leq(memory_of(n, 1), buffers + 32 * (n - few));
	cr_assert_leq(memory_of(n, 900), buffers + 96 * n + 24 * 65536);
	cr_assert_leq(memory_of(n, UINT64_C(1) << 40),
		      buffers + 96 * n + 24 * 65536);
}

Test(v8_cpu, keeps_hit_counts_beyond_32_bits)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1," FRAME("f") ",\"hitCount\":4294967295,\"children\":[2]},{\"id\":2," FRAME(
		"g") ",\"hitCount\":9007199254740993}]}",
	    NULL);

	expect_values(&e, "g", "cpu.hit_count", UINT64_C(9007199254740993),
		      UINT64_C(9007199254740993));
	expect_values(&e, "f", "cpu.hit_count", 4294967295,
		      UINT64_C(9007203549708288));
	extracted_free(&e);
}
