/*
 * Why an extraction ended without a result: the FAILED message, and what the
 * front makes the public error from.
 */
#ifndef PROTO_FAILURE_H
#define PROTO_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/limits.h"
#include "proto/status.h"

#define FAILURE_TEXT_BYTES 512
#define FAILURE_PATH_BYTES 512

struct failure {
	enum status status; /* never ST_OK in a FAILED message */
	enum reason reason;
	int64_t offset;	  /* in the decoded input; -1: none */
	enum limit limit; /* LIMIT_NONE: none */
	uint64_t actual;  /* at least so much, when a limit is named */
	uint64_t max;	  /* the limit's value */
	int32_t signal;	  /* 0: none */
	char message[FAILURE_TEXT_BYTES]; /* valid UTF-8; "": the reason's */
	char path[FAILURE_PATH_BYTES];	  /* "$.nodes[3].id"; "": none */
};

void failure_init(struct failure *failure, enum status status,
		  enum reason reason);

/* LIMIT_EXCEEDED of `limit`. */
void failure_of_limit(struct failure *failure, enum limit limit,
		      uint64_t actual, uint64_t max);

/* printf into the message; cut at a character; bytes that are not valid UTF-8
 * are replaced by '?'. */
void failure_say(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void failure_write(struct writer *w, const struct failure *failure);
NODISCARD bool failure_read(struct span payload, struct failure *failure_out);

#endif
