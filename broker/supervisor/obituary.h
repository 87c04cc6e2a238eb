/*
 * How a worker ended, in words: the kernel's account and what we did to it
 * become one status. First cause wins.
 */
#ifndef SUPERVISOR_OBITUARY_H
#define SUPERVISOR_OBITUARY_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/link.h"

/* Why we ended a job; ST_OK: we did not. */
struct cause {
	enum status status;
	enum reason reason;
	enum limit limit; /* of ST_LIMIT_EXCEEDED */
};

/* The kernel's account of a reaped process. */
struct ending {
	int signal; /* 0: it exited */
	int exit_status;
	uint64_t cpu_us;
	uint64_t peak_rss_bytes;
};

/* What else the words need. */
struct service_time {
	uint64_t wall_us; /* since it was given its job */
	uint64_t cpu_seconds, wall_seconds, stall_seconds; /* its limits */
};

/*
 * Reaps a child by its pidfd, if it has ended. The peak is the kernel's for
 * the process since its clone: a vfork child starts with its parent's, so it
 * is never below our own few megabytes.
 */
bool ending_take(int pidfd, struct ending *ending_out);

/* ending is NULL when the kernel has not let go of the process, or when there
 * never was one. */
void obituary_make(const struct cause *cause, const struct ending *ending,
		   const struct service_time *time,
		   struct obituary_record *out);

#endif
