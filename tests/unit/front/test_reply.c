/*
 * The public JSON against texts written by hand.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "broker/front/error_reply.h"
#include "tests/unit/front/play.h"

TestSuite(reply);

/* Golden files have one key a line, for people; what is compared has none of
 * the line ends and what indents them. */
static struct span
golden(const char *name)
{
	struct span file = play_file(name);
	uint8_t *text = (uint8_t *)file.data;
	size_t len = 0;
	bool indent = false;

	for (size_t i = 0; i < file.len; i++) {
		indent = text[i] == '\n' || (indent && text[i] == ' ');
		if (!indent)
			text[len++] = text[i];
	}
	return span_of(text, len);
}

static void
expect_text(struct span got, struct span want)
{
	size_t i = 0;

	while (i < got.len && i < want.len && got.data[i] == want.data[i])
		i++;
	cr_assert(i == got.len && i == want.len,
		  "differs at byte %zu:\n got …%.*s\nwant …%.*s", i,
		  (int)(got.len - i < 80 ? got.len - i : 80),
		  (const char *)got.data + i,
		  (int)(want.len - i < 80 ? want.len - i : 80),
		  (const char *)want.data + i);
}

static void
make_run(struct run *run)
{
	*run = (struct run){.job = 255,
			    .wall_ms = 12,
			    .cpu_ms = 11,
			    .peak_rss_bytes = 9000000,
			    .sandbox =
				1U << SANDBOX_SECCOMP | 1U << SANDBOX_LANDLOCK};
}

Test(reply, result_is_as_the_contract_says_byte_for_byte)
{
	struct job job;
	struct relay relay;
	struct run run;

	play_job(&job);
	job.sort_by = SORT_INCLUSIVE;
	job.sort_metric = span_str("wall.time");
	job.path_maps_len = 1;
	job.path_maps[0] = (struct path_map){span_str("/build/"), span_str("")};
	make_run(&run);
	relay_init(&relay, &job, 0);
	play_all(&relay);
	cr_assert(relay_finish(&relay, &run));
	expect_text(outbox_span(&relay.text), golden("golden/result.json"));
	relay_fini(&relay);
}

Test(reply, error_is_as_the_contract_says_byte_for_byte)
{
	struct about about = {.has_job = true,
			      .job = 255,
			      .has_name = true,
			      .name = span_str("big one.cpuprofile"),
			      .has_bytes = true,
			      .bytes = 1234};
	struct failure failure;
	struct outbox o;

	failure_of_limit(&failure, LIMIT_MAX_NODES, 20000001, 20000000);
	failure.offset = 512;
	strcpy(failure.path, "$.nodes[3].id");
	outbox_init(&o, ERROR_BYTES_MAX);
	error_reply(&o, &failure, &about);
	expect_text(outbox_span(&o), golden("golden/error.json"));
	outbox_fini(&o);
}

/* The worst answer there can be. */
static void
make_worst(struct answer *answer, uint8_t *bytes)
{
	play_answer(answer);
	memset(bytes, 1, PRODUCER_BYTES_MAX);
	answer->producer_name = answer->producer_version =
	    answer->producer_source = span_of(bytes, PRODUCER_BYTES_MAX);
	answer->start_us = answer->end_us = answer->duration_us =
	    answer->interval_us = answer->nodes = answer->samples =
		answer->frames = answer->max_depth =
		    (struct maybe){true, INT64_MIN};
	answer->metrics_len = answer->unavailable_len = METRICS_MAX;
	answer->bytes = answer->decoded_bytes = UINT64_MAX;
	answer->rows_total = UINT64_MAX;
	for (unsigned i = 0; i < METRICS_MAX; i++) {
		struct span name = span_str("abcdefghijklmnopqrstuvwxyz012345"
					    "abcdefghijklmnopqrstuvwxyz012345");

		answer->metrics[i] =
		    (struct metric){name, name, UINT64_MAX, UINT64_MAX};
		answer->unavailable[i] = (struct unavailable){name, name};
		answer->other_self[i] = UINT64_MAX;
	}
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		answer->coverage[i] = UINT64_MAX;
	answer->limitations = (1U << LIMITATION_COUNT) - 1;
}

Test(reply, all_but_the_rows_fits_what_is_reckoned_for_it)
{
	uint8_t bytes[PRODUCER_BYTES_MAX], root[JOB_ROOT_BYTES_MAX];
	struct run run = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
			  UINT32_MAX};
	struct answer answer;
	struct outbox o;
	struct job job;

	play_job(&job);
	memset(root, 2, sizeof(root));
	job.project_root = job.name = span_of(root, sizeof(root));
	job.path_maps_len = JOB_PATH_MAPS_MAX;
	for (unsigned i = 0; i < JOB_PATH_MAPS_MAX; i++)
		job.path_maps[i] =
		    (struct path_map){span_of(root, 512), span_of(root, 512)};
	make_worst(&answer, bytes);
	outbox_init(&o, 1024 * 1024);
	reply_head(&o, &job, &answer);
	reply_tail(&o, &job, &answer, &run);
	cr_assert_not(o.failed);
	cr_expect_leq(o.len, answer_json_size(&job));
	cr_log_info("%zu of %zu bytes", o.len, answer_json_size(&job));
	outbox_fini(&o);
}

Test(reply, a_row_takes_no_more_than_the_worker_reckons)
{
	static uint8_t bytes[6144];
	struct answer answer;
	struct outbox o;
	size_t names = 0;
	struct row row;

	make_worst(&answer, bytes);
	memset(bytes, 1, sizeof(bytes));
	play_row(&row, 0);
	row.function = row.url = row.file = row.script = row.package =
	    span_of(bytes, sizeof(bytes));
	row.has_script = true;
	row.category = CATEGORY_DEPENDENCY;
	row.symbolization = SYMBOLIZATION_NOT_APPLICABLE;
	row.line = row.column = row.rank_self = row.rank_inclusive = UINT32_MAX;
	for (unsigned i = 0; i < METRICS_MAX; i++) {
		row.self[i] = row.inclusive[i] = UINT64_MAX;
		names += answer.metrics[i].name.len;
	}
	outbox_init(&o, 1024 * 1024);
	reply_row(&o, &answer, &row);
	cr_expect_leq(o.len + 1, row_json_size(&row, METRICS_MAX, names));
	outbox_fini(&o);
}

Test(reply, without_a_digest_both_ids_are_null)
{
	struct answer answer;
	struct outbox o;
	struct job job;
	const char *at;

	play_job(&job);
	play_answer(&answer);
	answer.has_digest = false;
	answer.partial = true;
	outbox_init(&o, 4096);
	reply_head(&o, &job, &answer);
	outbox_put(&o, span_of("", 1));
	at = (const char *)o.data;
	cr_expect_not_null(strstr(at, "\"status\":\"partial\""));
	cr_expect_not_null(strstr(at, "\"profile_id\":null,\"artifact\":"
				      "{\"name\":\"app.cpuprofile\","
				      "\"sha256\":null,\"bytes\":1234,"));
	cr_expect_not_null(strstr(at, "\"sort\":null,\"project_root\":null,"
				      "\"path_map\":[],\"on_limit\":"
				      "\"fail\"}"));
	outbox_fini(&o);
}
