/*
 * The job record, written and read in the same order.
 */
#include "proto/job.h"

#include <assert.h>

static_assert(32 + JOB_NAME_BYTES_MAX + JOB_ROOT_BYTES_MAX +
		      JOB_PATH_MAPS_MAX * (2 * JOB_PATH_MAP_BYTES_MAX + 4) +
		      LIMIT_COUNT * 8 + 256 <=
		  FRAME_PAYLOAD_MAX - 64,
	      "the largest job record fits a frame beside its envelope");

void
job_init(struct job *job_out)
{
	*job_out =
	    (struct job){.digest = true,
			 .rows = (uint32_t)limit_default(LIMIT_MAX_ROWS)};
	limits_default(&job_out->limits);
}

void
job_write(struct writer *w, const struct job *job)
{
	writer_put_u8(w, (uint8_t)job->format);
	writer_put_u8(w, (uint8_t)job->on_limit);
	writer_put_u8(w, (uint8_t)job->parser);
	writer_put_u8(w, job->digest);
	writer_put_u8(w, job->strict);
	writer_put_u8(w, job->has_sha256);
	writer_put_bytes(w, job->sha256, sizeof(job->sha256));
	writer_put_u32(w, job->rows);
	writer_put_u8(w, (uint8_t)job->sort_by);
	writer_put_string(w, job->sort_metric);
	writer_put_string(w, job->name);
	writer_put_string(w, job->project_root);
	writer_put_u8(w, (uint8_t)job->path_maps_len);
	for (uint32_t i = 0; i < job->path_maps_len; i++) {
		writer_put_string(w, job->path_maps[i].from);
		writer_put_string(w, job->path_maps[i].to);
	}
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		writer_put_u64(w, job->limits.of[i]);
}

static void
read_limits(struct reader *r, struct limits *limits)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		uint64_t value = reader_get_u64(r);

		if (value < limit_floor((enum limit)i) ||
		    value > limit_ceiling((enum limit)i))
			r->failed = true;
		limits->of[i] = value;
	}
}

bool
job_read(struct span bytes, struct job *job_out)
{
	struct job job = {0};
	struct reader r;
	struct span digest;

	reader_init(&r, bytes);
	job.format = (enum format)reader_get_below(&r, FORMAT_COUNT);
	job.on_limit = (enum on_limit)reader_get_below(&r, ON_LIMIT_COUNT);
	job.parser = (enum parser)reader_get_below(&r, PARSER_COUNT);
	job.digest = reader_get_bool(&r);
	job.strict = reader_get_bool(&r);
	job.has_sha256 = reader_get_bool(&r);
	digest = reader_get_bytes(&r, sizeof(job.sha256));
	if (digest.len > 0)
		memcpy(job.sha256, digest.data, sizeof(job.sha256));
	job.rows = reader_get_u32(&r);
	job.sort_by = (enum sort_by)reader_get_below(&r, SORT_COUNT);
	job.sort_metric = reader_get_string(&r, METRIC_NAME_BYTES_MAX);
	job.name = reader_get_string(&r, JOB_NAME_BYTES_MAX);
	job.project_root = reader_get_string(&r, JOB_ROOT_BYTES_MAX);
	job.path_maps_len = reader_get_below(&r, JOB_PATH_MAPS_MAX + 1);
	for (uint32_t i = 0; i < job.path_maps_len; i++) {
		struct path_map *map = &job.path_maps[i];

		map->from = reader_get_string(&r, JOB_PATH_MAP_BYTES_MAX);
		map->to = reader_get_string(&r, JOB_PATH_MAP_BYTES_MAX);
	}
	read_limits(&r, &job.limits);
	if (!reader_end(&r) || job.rows > job.limits.of[LIMIT_MAX_ROWS])
		return false;
	*job_out = job;
	return true;
}
