/*
 * A client's request: a submit that is accepted makes a job record that reads
 * back as the same job.
 */
#include <stddef.h>
#include <string.h>

#include "broker/front/request.h"
#include "proto/bug.h"
#include "proto/utf8.h"

static struct json_tree tree;
static uint8_t out[FRAME_PAYLOAD_MAX], again[FRAME_PAYLOAD_MAX];

static void
check_job(const struct job *job)
{
	struct writer w, w2;
	struct job read;

	writer_init(&w, out, sizeof(out));
	job_write(&w, job);
	BUG_ON(w.failed || !job_read(span_of(out, w.len), &read));
	writer_init(&w2, again, sizeof(again));
	job_write(&w2, &read);
	BUG_ON(w2.failed || w2.len != w.len || memcmp(out, again, w.len) != 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of(data, size);
	struct request_rules rules;
	struct request request;
	struct failure failure;

	limits_default(&rules.defaults);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		rules.ceilings.of[i] = limit_ceiling((enum limit)i);
	if (request_read(&tree, text, &rules, &request, &failure) != ST_OK) {
		BUG_ON(failure.status != ST_INVALID_REQUEST);
		BUG_ON(!utf8_valid(span_str(failure.message)));
		BUG_ON(!utf8_valid(span_str(failure.path)));
		return 0;
	}
	BUG_ON(!utf8_valid(text) || size > JSON_TEXT_MAX);
	BUG_ON(request.id.len > REQUEST_ID_BYTES_MAX);
	if (request.op == OP_SUBMIT)
		check_job(&request.job);
	return 0;
}
