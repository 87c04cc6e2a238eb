/*
 * Every operation and option that is taken, and every refusal with its reason
 * and where it points.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "broker/front/request.h"

TestSuite(request);

static struct json_tree tree;
static struct request_rules rules;
static struct request request;
static struct failure failure;

static bool
reads(const char *text)
{
	if (rules.ceilings.of[0] == 0) {
		limits_default(&rules.defaults);
		for (unsigned i = 0; i < LIMIT_COUNT; i++)
			rules.ceilings.of[i] = limit_ceiling((enum limit)i);
	}
	return request_read(&tree, span_str(text), &rules, &request,
			    &failure) == ST_OK;
}

/* A submit with these options. */
static bool
takes(const char *options)
{
	char text[64 * 1024];

	snprintf(text, sizeof(text),
		 "{\"op\":\"submit\",\"name\":\"a\",\"options\":{%s}}",
		 options);
	return reads(text);
}

static void
refuses(const char *options, enum reason reason, const char *path)
{
	cr_expect_not(takes(options), "%.200s", options);
	cr_expect_eq(failure.status, ST_INVALID_REQUEST);
	cr_expect_eq(failure.reason, reason, "%.200s: %s", options,
		     reason_name(failure.reason));
	cr_expect_str_eq(failure.path, path, "%.200s: %s", options,
			 failure.path);
	cr_expect_neq(failure.message[0], '\0', "%.200s", options);
}

Test(request, takes_every_operation)
{
	static const char *const texts[OP_COUNT] = {
	    [OP_SUBMIT] = "{\"op\":\"submit\",\"name\":\"\"}",
	    [OP_RESULT] = ("{\"op\":\"result\",\"job\":\"j-00000000000000ff\","
			   "\"wait\":false,\"progress\":true}"),
	    [OP_ACK] = "{\"op\":\"ack\",\"job\":\"j-00000000000000ff\"}",
	    [OP_CANCEL] = "{\"job\":\"j-00000000000000ff\",\"op\":\"cancel\"}",
	    [OP_STATUS] = "{\"op\":\"status\",\"id\":\"\"}",
	    [OP_FORMATS] = "{\"op\":\"formats\"}",
	    [OP_LIMITS] = "{\"op\":\"limits\"}",
	    [OP_JOBS] = "{\"op\":\"jobs\"}",
	    [OP_VERSION] = "{\"op\":\"version\"}",
	};

	for (unsigned i = 0; i < OP_COUNT; i++) {
		cr_expect(reads(texts[i]), "%s: %s", texts[i], failure.message);
		cr_expect_eq(request.op, i);
		cr_expect_eq(request.wait, i != OP_RESULT);
		cr_expect_eq(request.progress, i == OP_RESULT);
		cr_expect_eq(request.has_id, i == OP_STATUS);
		if (i >= OP_RESULT && i <= OP_CANCEL)
			cr_expect_eq(request.job_id, 255);
	}
}

Test(request, refuses_with_reason)
{
	static const struct {
		const char *text;
		enum reason reason;
	} bad[] = {
	    {"", RE_BAD_JSON},
	    {"[]", RE_BAD_VALUE},
	    {"\"submit\"", RE_BAD_VALUE},
	    {"{}", RE_BAD_VALUE},
	    {"{\"op\":1}", RE_BAD_VALUE},
	    {"{\"op\":\"Submit\"}", RE_BAD_VALUE},
	    {"{\"op\":\"status\",\"op\":\"status\"}", RE_DUPLICATE_KEY},
	    {"{\"op\":\"status\",\"x\":1}", RE_UNKNOWN_KEY},
	    {"{\"op\":\"status\",\"name\":\"a\"}", RE_UNKNOWN_KEY},
	    {"{\"op\":\"status\",\"id\":1}", RE_BAD_VALUE},
	    {"{\"op\":\"status\",\"id\":null}", RE_BAD_VALUE},
	    {"{\"op\":\"submit\"}", RE_BAD_VALUE},
	    {"{\"op\":\"submit\",\"name\":1}", RE_BAD_VALUE},
	    {"{\"op\":\"submit\",\"name\":\"a\\u0000b\"}", RE_BAD_VALUE},
	    {"{\"op\":\"submit\",\"name\":\"a\",\"options\":[]}", RE_BAD_VALUE},
	    {"{\"op\":\"result\"}", RE_BAD_VALUE},
	    {"{\"op\":\"result\",\"job\":255}", RE_BAD_VALUE},
	    {"{\"op\":\"result\",\"job\":\"j-ff\"}", RE_BAD_VALUE},
	    {"{\"op\":\"result\",\"job\":\"j-00000000000000FF\"}",
	     RE_BAD_VALUE},
	    {"{\"op\":\"result\",\"job\":\"j-00000000000000ff0\"}",
	     RE_BAD_VALUE},
	    {"{\"op\":\"result\",\"job\":\"j-00000000000000ff\",\"wait\":1}",
	     RE_BAD_VALUE},
	    {"{\"op\":\"ack\",\"job\":\"j-00000000000000ff\",\"wait\":true}",
	     RE_UNKNOWN_KEY},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_not(reads(bad[i].text), "%s", bad[i].text);
		cr_expect_eq(failure.status, ST_INVALID_REQUEST);
		cr_expect_eq(failure.reason, bad[i].reason, "%s: %s",
			     bad[i].text, reason_name(failure.reason));
	}
}

Test(request, tells_the_id_even_when_it_refuses)
{
	cr_expect_not(reads("{\"id\":\"me\",\"op\":\"nonsense\"}"));
	cr_expect(request.has_id);
	cr_expect(span_is(request.id, "me"));
}

Test(request, id_has_64_bytes_at_most)
{
	char text[128];
	char id[66];

	memset(id, 'i', sizeof(id));
	id[64] = '\0';
	snprintf(text, sizeof(text), "{\"op\":\"jobs\",\"id\":\"%s\"}", id);
	cr_expect(reads(text));
	id[64] = 'i';
	id[65] = '\0';
	snprintf(text, sizeof(text), "{\"op\":\"jobs\",\"id\":\"%s\"}", id);
	cr_expect_not(reads(text));
	cr_expect_str_eq(failure.path, "$.id");
}

Test(request, without_options_a_job_has_the_services_defaults)
{
	struct job *job = &request.job;

	cr_assert(takes(""));
	cr_expect_eq(job->format, FORMAT_ANY);
	cr_expect_eq(job->rows, 1000);
	cr_expect_eq(job->sort_by, SORT_TAKE_TURNS);
	cr_expect(job->digest);
	cr_expect_not(job->strict);
	cr_expect(span_is(job->name, "a"));
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		cr_expect_eq(job->limits.of[i], limit_default((enum limit)i));
}

Test(request, takes_every_option)
{
	struct job *job = &request.job;

	cr_assert(takes("\"format\":\"v8.heapprofile\",\"rows\":7,"
			"\"sort\":\"wall.time:inclusive\","
			"\"limits\":{\"max_nodes\":40000000,\"cpu_seconds\":1},"
			"\"on_limit\":\"truncate\",\"project_root\":\"/srv\","
			"\"path_map\":[[\"/a/\",\"/b/\"],[\"c\",\"\"]],"
			"\"digest\":\"sha256\",\"sha256\":"
			"\"000102030405060708090a0b0c0d0e0f"
			"101112131415161718191A1B1C1D1E1F\","
			"\"strict\":true,\"parser\":\"yajl\""));
	cr_expect_eq(job->format, FORMAT_V8_HEAPPROFILE);
	cr_expect_eq(job->rows, 7);
	cr_expect_eq(job->sort_by, SORT_INCLUSIVE);
	cr_expect(span_is(job->sort_metric, "wall.time"));
	cr_expect_eq(job->limits.of[LIMIT_MAX_NODES], 40000000);
	cr_expect_eq(job->limits.of[LIMIT_CPU_SECONDS], 1);
	cr_expect_eq(job->on_limit, ON_LIMIT_TRUNCATE);
	cr_expect(span_is(job->project_root, "/srv"));
	cr_expect_eq(job->path_maps_len, 2);
	cr_expect(span_is(job->path_maps[0].to, "/b/"));
	cr_expect(span_is(job->path_maps[1].from, "c"));
	cr_expect_eq(job->path_maps[1].to.len, 0);
	for (unsigned i = 0; i < 32; i++)
		cr_expect_eq(job->sha256[i], i);
	cr_expect(job->strict);
	cr_expect_eq(job->parser, PARSER_YAJL);
}

Test(request, takes_the_other_forms_of_options)
{
	cr_expect(takes("\"sort\":\"cpu.samples\""));
	cr_expect_eq(request.job.sort_by, SORT_SELF);
	cr_expect(takes("\"sort\":\"cpu.samples:self\""));
	cr_expect_eq(request.job.sort_by, SORT_SELF);
	cr_expect(takes("\"sort\":null,\"project_root\":null"));
	cr_expect_eq(request.job.sort_by, SORT_TAKE_TURNS);
	cr_expect_eq(request.job.project_root.len, 0);
	cr_expect(takes("\"digest\":\"none\",\"parser\":\"lanes\","
			"\"on_limit\":\"fail\",\"strict\":false,"
			"\"path_map\":[],\"limits\":{},\"rows\":0"));
	cr_expect_not(request.job.digest);
	cr_expect_eq(request.job.rows, 0);
}

Test(request, refuses_options_that_are_wrong)
{
	static const struct {
		const char *options, *path;
		enum reason reason;
	} bad[] = {
	    {"\"Rows\":1", "$.options", RE_UNKNOWN_KEY},
	    {"\"format\":\"pprof\"", "$.options.format", RE_BAD_VALUE},
	    {"\"format\":null", "$.options.format", RE_BAD_VALUE},
	    {"\"rows\":-1", "$.options.rows", RE_BAD_VALUE},
	    {"\"rows\":1.0", "$.options.rows", RE_BAD_VALUE},
	    {"\"rows\":\"1\"", "$.options.rows", RE_BAD_VALUE},
	    {"\"rows\":100001", "$.options.rows", RE_BAD_VALUE},
	    {"\"rows\":4294967296", "$.options.rows", RE_BAD_VALUE},
	    {"\"rows\":9,\"limits\":{\"max_rows\":8}", "$.options.rows",
	     RE_BAD_VALUE},
	    {"\"sort\":\"\"", "$.options.sort", RE_BAD_VALUE},
	    {"\"sort\":\":self\"", "$.options.sort", RE_BAD_VALUE},
	    {"\"sort\":\"wall.time:\"", "$.options.sort", RE_BAD_VALUE},
	    {"\"sort\":\"wall.time:both\"", "$.options.sort", RE_BAD_VALUE},
	    {"\"sort\":\"Wall\"", "$.options.sort", RE_BAD_VALUE},
	    {"\"sort\":7", "$.options.sort", RE_BAD_VALUE},
	    {"\"limits\":[]", "$.options.limits", RE_BAD_VALUE},
	    {"\"limits\":{\"max_nodez\":1}", "$.options.limits",
	     RE_UNKNOWN_KEY},
	    {"\"limits\":{\"max_nodes\":\"1M\"}", "$.options.limits.max_nodes",
	     RE_BAD_VALUE},
	    {"\"limits\":{\"max_nodes\":0}", "$.options.limits.max_nodes",
	     RE_BAD_VALUE},
	    {"\"limits\":{\"max_nodes\":-5}", "$.options.limits.max_nodes",
	     RE_BAD_VALUE},
	    {"\"limits\":{\"max_nodes\":1000000001}",
	     "$.options.limits.max_nodes", RE_BAD_VALUE},
	    {"\"on_limit\":\"stop\"", "$.options.on_limit", RE_BAD_VALUE},
	    {"\"project_root\":\"\"", "$.options.project_root", RE_BAD_VALUE},
	    {"\"project_root\":\"a\\u0000\"", "$.options.project_root",
	     RE_BAD_VALUE},
	    {"\"path_map\":{}", "$.options.path_map", RE_BAD_VALUE},
	    {"\"path_map\":[[\"a\"]]", "$.options.path_map", RE_BAD_VALUE},
	    {"\"path_map\":[[\"a\",\"b\",\"c\"]]", "$.options.path_map",
	     RE_BAD_VALUE},
	    {"\"path_map\":[[\"\",\"b\"]]", "$.options.path_map", RE_BAD_VALUE},
	    {"\"path_map\":[[1,2]]", "$.options.path_map", RE_BAD_VALUE},
	    {"\"path_map\":[\"ab\"]", "$.options.path_map", RE_BAD_VALUE},
	    {"\"digest\":\"md5\"", "$.options.digest", RE_BAD_VALUE},
	    {"\"sha256\":\"00\"", "$.options.sha256", RE_BAD_VALUE},
	    {"\"sha256\":\"g000000000000000000000000000000000000000000000000"
	     "000000000000000\"",
	     "$.options.sha256", RE_BAD_VALUE},
	    {"\"digest\":\"none\",\"sha256\":\"0000000000000000000000000000"
	     "000000000000000000000000000000000000\"",
	     "$.options.sha256", RE_BAD_VALUE},
	    {"\"strict\":1", "$.options.strict", RE_BAD_VALUE},
	    {"\"parser\":\"simd\"", "$.options.parser", RE_BAD_VALUE},
	    {"\"class\":\"urgent\"", "$.options.class", RE_BAD_VALUE},
	    {"\"class\":1", "$.options.class", RE_BAD_VALUE},
	    {"\"class\":null", "$.options.class", RE_BAD_VALUE},
	    {"\"detach\":1", "$.options.detach", RE_BAD_VALUE},
	    {"\"detach\":\"true\"", "$.options.detach", RE_BAD_VALUE},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuses(bad[i].options, bad[i].reason, bad[i].path);
}

Test(request, a_limit_above_its_ceiling_is_named)
{
	cr_assert_not(takes("\"limits\":{\"max_rows\":100001}"));
	cr_expect_eq(failure.limit, LIMIT_MAX_ROWS);
	cr_expect_eq(failure.actual, 100001);
	cr_expect_eq(failure.max, 100000);
}

Test(request, rows_raise_max_rows_unless_it_is_named)
{
	cr_expect(takes("\"rows\":5000"));
	cr_expect_eq(request.job.rows, 5000);
	cr_expect_eq(request.job.limits.of[LIMIT_MAX_ROWS], 5000);
	cr_expect(takes("\"limits\":{\"max_rows\":10}"));
	cr_expect_eq(request.job.rows, 10);
}

Test(request, max_json_depth_follows_max_depth_unless_it_is_named)
{
	const uint64_t *of = request.job.limits.of;

	cr_expect(takes("\"limits\":{\"max_depth\":10}"));
	cr_expect_eq(of[LIMIT_MAX_JSON_DEPTH], 84);
	cr_expect(takes("\"limits\":{\"max_depth\":4000000}"));
	cr_expect_eq(of[LIMIT_MAX_JSON_DEPTH], 8000064);
	cr_expect(takes("\"limits\":{\"max_depth\":10,"
			"\"max_json_depth\":9}"));
	cr_expect_eq(of[LIMIT_MAX_JSON_DEPTH], 9);
}

Test(request, keeps_to_the_operators_ceilings)
{
	cr_assert(takes(""));
	rules.ceilings.of[LIMIT_MAX_NODES] = 30000000;
	cr_expect(takes("\"limits\":{\"max_nodes\":30000000}"));
	refuses("\"limits\":{\"max_nodes\":30000001}", RE_BAD_VALUE,
		"$.options.limits.max_nodes");
}

/* "path_map":[["x","x"],…] */
static const char *
maps(size_t count, size_t bytes)
{
	static char text[32 * 1024];
	char side[4096];
	size_t n = 0;

	memset(side, 'x', bytes);
	side[bytes] = '\0';
	n += (size_t)snprintf(text, sizeof(text), "\"path_map\":[");
	for (size_t i = 0; i < count; i++)
		n +=
		    (size_t)snprintf(text + n, sizeof(text) - n,
				     "%s[\"%s\",\"\"]", i > 0 ? "," : "", side);
	snprintf(text + n, sizeof(text) - n, "]");
	return text;
}

Test(request, takes_16_path_maps_of_512_bytes_and_no_more)
{
	cr_expect(takes(maps(16, 512)));
	cr_expect_eq(request.job.path_maps_len, 16);
	refuses(maps(17, 1), RE_BAD_VALUE, "$.options.path_map");
	refuses(maps(1, 513), RE_BAD_VALUE, "$.options.path_map");
}

/* A root of so many characters that take six bytes each in JSON. */
static const char *
root_of_controls(size_t count)
{
	static char text[32 * 1024];
	size_t n = (size_t)snprintf(text, sizeof(text),
				    "\"limits\":{\"max_result_bytes\":65536},"
				    "\"project_root\":\"");

	for (size_t i = 0; i < count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\\u0001");
	snprintf(text + n, sizeof(text) - n, "\"");
	return text;
}

Test(request, a_result_must_have_room_for_what_it_repeats)
{
	char options[64 * 1024];

	cr_expect(takes(root_of_controls(4096)));
	snprintf(options, sizeof(options), "%s,%s", root_of_controls(4096),
		 maps(8, 3000));
	for (char *p = options; (p = strstr(p, "xxxxxx")) != NULL; p += 6)
		memcpy(p, "\\u0001", 6);
	refuses(options, RE_BAD_VALUE, "$.options.limits.max_result_bytes");
}

Test(request, takes_class_and_detach)
{
	cr_expect(takes(""));
	cr_expect_eq(request.class, JOB_CLASS_INTERACTIVE);
	cr_expect_not(request.detach);
	cr_expect(takes("\"class\":\"batch\",\"detach\":true"));
	cr_expect_eq(request.class, JOB_CLASS_BATCH);
	cr_expect(request.detach);
	cr_expect(takes("\"class\":\"interactive\",\"detach\":false"));
	cr_expect_eq(request.class, JOB_CLASS_INTERACTIVE);
	cr_expect_not(request.detach);
}

Test(request, job_ids_read_back)
{
	static const uint64_t ids[] = {0, 1, 255, UINT64_MAX,
				       UINT64_C(0x0123456789abcdef)};
	char text[JOB_ID_TEXT_BYTES + 1];

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		uint64_t id = 1;

		job_id_write(ids[i], text);
		cr_expect_eq(strlen(text), JOB_ID_TEXT_BYTES);
		cr_expect(job_id_read(span_str(text), &id));
		cr_expect_eq(id, ids[i]);
	}
}
