/*
 * The job record: a front wrote it, and a worker trusts no front.
 */
#include <criterion/criterion.h>

#include "proto/frame.h"
#include "proto/job.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

/* Where fields lie in a record. */
enum {
	AT_FORMAT = 0,
	AT_ON_LIMIT = 1,
	AT_PARSER = 2,
	AT_DIGEST = 3,
	AT_STRICT = 4,
	AT_HAS_SHA256 = 5,
	AT_SORT_BY = 42,
};

static bool
reads(struct span bytes)
{
	struct job job;

	return job_read(bytes, &job);
}

/* Borrowed: until the next call. */
static struct span
written(const struct job *job)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	job_write(&w, job);
	cr_assert_not(w.failed);
	return span_of(bytes, w.len);
}

static struct span
random_text(uint8_t *room, size_t max)
{
	size_t len = (size_t)dice_below(max + 1);

	for (size_t i = 0; i < len; i++)
		room[i] = (uint8_t)dice_below(128);
	return span_of(room, len);
}

static void
random_job(struct job *job)
{
	static uint8_t room[3 + 2 * JOB_PATH_MAPS_MAX][JOB_NAME_BYTES_MAX];

	*job = (struct job){
	    .format = (enum format)dice_below(FORMAT_COUNT),
	    .on_limit = (enum on_limit)dice_below(ON_LIMIT_COUNT),
	    .parser = (enum parser)dice_below(PARSER_COUNT),
	    .digest = dice_below(2),
	    .strict = dice_below(2),
	    .has_sha256 = dice_below(2),
	    .sort_by = (enum sort_by)dice_below(SORT_COUNT),
	    .sort_metric = random_text(room[0], METRIC_NAME_BYTES_MAX),
	    .name = random_text(room[1], JOB_NAME_BYTES_MAX),
	    .project_root = random_text(room[2], JOB_ROOT_BYTES_MAX),
	    .path_maps_len = (uint32_t)dice_below(JOB_PATH_MAPS_MAX + 1),
	};
	for (unsigned i = 0; i < sizeof(job->sha256); i++)
		job->sha256[i] = (uint8_t)dice();
	for (uint32_t i = 0; i < job->path_maps_len; i++) {
		job->path_maps[i].from =
		    random_text(room[3 + 2 * i], JOB_PATH_MAP_BYTES_MAX);
		job->path_maps[i].to =
		    random_text(room[4 + 2 * i], JOB_PATH_MAP_BYTES_MAX);
	}
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		uint64_t floor = limit_floor((enum limit)i);
		uint64_t ceiling = limit_ceiling((enum limit)i);

		job->limits.of[i] = floor + dice_below(ceiling - floor + 1);
	}
	job->rows = (uint32_t)dice_below(job->limits.of[LIMIT_MAX_ROWS] + 1);
}

Test(job, starts_by_content_with_digest_and_default_limits)
{
	struct job job;

	job_init(&job);
	cr_assert_eq(job.format, FORMAT_ANY);
	cr_assert_eq(job.on_limit, ON_LIMIT_FAIL);
	cr_assert_eq(job.parser, PARSER_LANES);
	cr_assert(job.digest);
	cr_assert_not(job.strict);
	cr_assert_not(job.has_sha256);
	cr_assert_eq(job.rows, 1000);
	cr_assert_eq(job.sort_by, SORT_TAKE_TURNS);
	cr_assert_eq(job.project_root.len, 0);
	cr_assert_eq(job.path_maps_len, 0);
	cr_assert_eq(job.limits.of[LIMIT_MAX_NODES], 20000000);
	cr_assert(reads(written(&job)));
}

Test(job, is_read_as_the_golden_record_says)
{
	struct frame frame = golden_decoded("JOB", PARTY_SUPERVISOR);
	struct job job, want;

	golden_job(&want);
	cr_assert(
	    job_read(span_of(frame.payload.data + 16, frame.payload.len - 16),
		     &job));
	cr_assert_eq(job.format, want.format);
	cr_assert_eq(job.on_limit, want.on_limit);
	cr_assert_eq(job.parser, want.parser);
	cr_assert(job.digest);
	cr_assert(job.strict);
	cr_assert(job.has_sha256);
	assert_bytes(span_of(job.sha256, 32), span_of(golden_digest, 32));
	cr_assert_eq(job.rows, 25);
	cr_assert_eq(job.sort_by, want.sort_by);
	assert_bytes(job.sort_metric, want.sort_metric);
	assert_bytes(job.name, want.name);
	assert_bytes(job.project_root, want.project_root);
	cr_assert_eq(job.path_maps_len, 2);
	assert_bytes(job.path_maps[0].from, want.path_maps[0].from);
	assert_bytes(job.path_maps[0].to, want.path_maps[0].to);
	assert_bytes(job.path_maps[1].from, want.path_maps[1].from);
	cr_assert_eq(job.path_maps[1].to.len, 0);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		cr_assert_eq(job.limits.of[i], want.limits.of[i]);
}

Test(job, comes_back_whatever_is_in_it)
{
	static uint8_t first[FRAME_PAYLOAD_MAX];

	for (unsigned i = 0; i < 500; i++) {
		struct job job, again;
		struct span bytes;

		random_job(&job);
		bytes = written(&job);
		memcpy(first, bytes.data, bytes.len);
		bytes.data = first;
		cr_assert(job_read(bytes, &again));
		assert_bytes(written(&again), bytes);
	}
}

Test(job, the_largest_fits_a_frame_beside_its_envelope)
{
	static uint8_t text[JOB_NAME_BYTES_MAX];
	struct job job;
	struct span bytes;

	memset(text, 'x', sizeof(text));
	job_init(&job);
	job.sort_metric = span_of(text, METRIC_NAME_BYTES_MAX);
	job.name = span_of(text, JOB_NAME_BYTES_MAX);
	job.project_root = span_of(text, JOB_ROOT_BYTES_MAX);
	job.path_maps_len = JOB_PATH_MAPS_MAX;
	for (unsigned i = 0; i < JOB_PATH_MAPS_MAX; i++)
		job.path_maps[i].from = job.path_maps[i].to =
		    span_of(text, JOB_PATH_MAP_BYTES_MAX);
	bytes = written(&job);
	cr_assert(reads(bytes));
	cr_assert_leq(bytes.len, FRAME_PAYLOAD_MAX - 64);
}

Test(job, is_refused_when_cut_anywhere_and_with_anything_behind)
{
	struct job job;

	golden_job(&job);
	assert_exact(reads, written(&job));
}

Test(job, is_refused_with_an_enum_beyond_its_last)
{
	static const struct {
		size_t at;
		unsigned count;
	} fields[] = {
	    {AT_FORMAT, FORMAT_COUNT},
	    {AT_ON_LIMIT, ON_LIMIT_COUNT},
	    {AT_PARSER, PARSER_COUNT},
	    {AT_DIGEST, 2},
	    {AT_STRICT, 2},
	    {AT_HAS_SHA256, 2},
	    {AT_SORT_BY, SORT_COUNT},
	};
	struct job job;
	struct span bytes;

	golden_job(&job);
	bytes = written(&job);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		for (unsigned v = fields[i].count; v < 256; v++)
			assert_refused(reads, bytes, fields[i].at, (uint8_t)v);
}

Test(job, is_refused_with_a_limit_outside_floor_and_ceiling)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		uint64_t floor = limit_floor((enum limit)i);
		uint64_t ceiling = limit_ceiling((enum limit)i);
		struct job job;

		job_init(&job);
		job.rows = 0;
		job.limits.of[i] = floor;
		cr_assert(reads(written(&job)));
		job.limits.of[i] = ceiling;
		cr_assert(reads(written(&job)));
		job.limits.of[i] = ceiling + 1;
		cr_assert_not(reads(written(&job)));
		job.limits.of[i] = UINT64_MAX;
		cr_assert_not(reads(written(&job)));
		job.limits.of[i] = floor - 1; /* of 0, the largest number */
		cr_assert_not(reads(written(&job)));
	}
}

Test(job, is_refused_with_more_rows_than_its_limit)
{
	struct job job;

	job_init(&job);
	job.limits.of[LIMIT_MAX_ROWS] = 10;
	job.rows = 10;
	cr_assert(reads(written(&job)));
	job.rows = 11;
	cr_assert_not(reads(written(&job)));
	job.rows = UINT32_MAX;
	cr_assert_not(reads(written(&job)));
}

Test(job, is_refused_with_a_string_beyond_its_cap)
{
	static uint8_t text[JOB_NAME_BYTES_MAX + 1];
	struct job good, job;

	memset(text, 'x', sizeof(text));
	job_init(&good);
	good.path_maps_len = 1;
	cr_assert(reads(written(&good)));
	job = good;
	job.sort_metric = span_of(text, METRIC_NAME_BYTES_MAX + 1);
	cr_assert_not(reads(written(&job)));
	job = good;
	job.name = span_of(text, JOB_NAME_BYTES_MAX + 1);
	cr_assert_not(reads(written(&job)));
	job = good;
	job.project_root = span_of(text, JOB_ROOT_BYTES_MAX + 1);
	cr_assert_not(reads(written(&job)));
	job = good;
	job.path_maps[0].from = span_of(text, JOB_PATH_MAP_BYTES_MAX + 1);
	cr_assert_not(reads(written(&job)));
	job = good;
	job.path_maps[0].to = span_of(text, JOB_PATH_MAP_BYTES_MAX + 1);
	cr_assert_not(reads(written(&job)));
}

Test(job, is_refused_with_too_many_path_maps_or_a_name_that_is_not_utf8)
{
	struct job job;

	job_init(&job);
	/* three empty strings after sort_by, then the count */
	assert_refused(reads, written(&job), AT_SORT_BY + 7,
		       JOB_PATH_MAPS_MAX + 1);
	job.name = span_str("\xff");
	cr_assert_not(reads(written(&job)));
}

Test(job, that_is_refused_leaves_the_output_untouched)
{
	struct job job = {.rows = 5};

	cr_assert_not(job_read(span_of(NULL, 0), &job));
	cr_assert_eq(job.rows, 5);
}
