/*
 * The public error (extractd.error/1) as JSON text, key for key.
 */
#ifndef FRONT_ERROR_REPLY_H
#define FRONT_ERROR_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/front/outbox.h"
#include "proto/failure.h"
#include "proto/limits.h"

#define ERROR_BYTES_MAX (64 * 1024) /* a name of 4 KiB, escaped, thrice */

/* What the failure itself does not say. */
struct about {
	bool has_job;
	uint64_t job;
	bool has_name;
	struct span name; /* the artifact's */
	bool has_bytes;
	uint64_t bytes;
	uint32_t retry_after_ms;       /* 0: unknown */
	const struct limits *ceilings; /* borrowed */
};

void error_reply(struct outbox *o, const struct failure *failure,
		 const struct about *about);

#endif
