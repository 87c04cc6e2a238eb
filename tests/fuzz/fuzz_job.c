/*
 * The job record: within its caps, and written again byte for byte.
 */
#include <stddef.h>
#include <string.h>

#include "proto/bug.h"
#include "proto/job.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t out[FRAME_PAYLOAD_MAX];
	struct writer w;
	struct job job;

	if (!job_read(span_of(data, size), &job))
		return 0;
	BUG_ON(job.path_maps_len > JOB_PATH_MAPS_MAX);
	BUG_ON(job.name.len > JOB_NAME_BYTES_MAX);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		BUG_ON(job.limits.of[i] > limit_ceiling((enum limit)i));
	writer_init(&w, out, sizeof(out));
	job_write(&w, &job);
	BUG_ON(w.failed || w.len != size || memcmp(out, data, size) != 0);
	return 0;
}
