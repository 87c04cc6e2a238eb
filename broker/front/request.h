/*
 * A client's request: one JSON object a message, read strictly. Known keys
 * only, the right types only, every value within its range; what is wrong is
 * said by path. docs/API.md is the law.
 */
#ifndef FRONT_REQUEST_H
#define FRONT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/front/json_tree.h"
#include "proto/failure.h"
#include "proto/job.h"
#include "proto/status.h"

#define REQUEST_ID_BYTES_MAX 64
#define JOB_ID_TEXT_BYTES 18 /* "j-" and 16 hexadecimal digits */

enum op {
	OP_SUBMIT,
	OP_RESULT,
	OP_ACK,
	OP_CANCEL,
	OP_STATUS,
	OP_FORMATS,
	OP_LIMITS,
	OP_JOBS,
	OP_VERSION,
	OP_COUNT
};

struct request {
	enum op op;
	bool has_id;
	struct span id; /* the client's own, echoed */
	uint64_t job_id;
	bool wait;
	bool progress;
	struct job job; /* of a submit, as the two below */
	enum job_class class;
	bool detach; /* the job is not bound to its door connection */
};

/* What a job's limits are when it does not say, and how far it may go. */
struct request_rules {
	struct limits defaults;
	struct limits ceilings;
};

/*
 * Spans of request_out borrow from tree. On failure INVALID_REQUEST, with its
 * reason in *failure_out; id, and the job's name, are set all the same when
 * they could be read.
 */
NODISCARD enum status request_read(struct json_tree *tree, struct span text,
				   const struct request_rules *rules,
				   struct request *request_out,
				   struct failure *failure_out);

/* "j-00000000000000ff" to 255, and back; out has JOB_ID_TEXT_BYTES + 1. */
NODISCARD bool job_id_read(struct span text, uint64_t *id_out);
void job_id_write(uint64_t id, char *out);

#endif
