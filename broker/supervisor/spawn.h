/*
 * Starts one program in one step: vfork, descriptors, identity, the room,
 * exec by descriptor. The child shares our memory until it execs, so it costs
 * nothing to copy and can tell us what went wrong.
 */
#ifndef SUPERVISOR_SPAWN_H
#define SUPERVISOR_SPAWN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "broker/supervisor/privileges.h"

#define SPAWN_FDS_MAX 3
#define SPAWN_RLIMITS_MAX 3

struct spawn_rlimit {
	int resource;
	uint64_t value; /* soft and hard; lowered further if need be */
};

/* All descriptors are borrowed: until the call returns. */
struct spawn_order {
	int program_fd;
	const char *const *argv; /* ends with NULL; the environment is empty */
	int null_fd;		 /* becomes 0, 1 and 2 */
	bool keep_stderr;	 /* 2 stays ours */
	unsigned fds_len;
	int fds[SPAWN_FDS_MAX]; /* become 3, 4, 5 */
	struct identity identity;
	int room_pidfd; /* -1: no room */
	unsigned rlimits_len;
	struct spawn_rlimit rlimits[SPAWN_RLIMITS_MAX];
};

struct child {
	pid_t pid;
	int pidfd; /* owned by the caller */
};

/* What could not be done; `step` is a word for the log. */
#define SPAWN_STEP_ROOM "room"

struct spawn_error {
	const char *step;
	int error;
};

/* On failure there is no child, and error_out is filled in. */
bool spawn(const struct spawn_order *order, struct child *child_out,
	   struct spawn_error *error_out);

/* Becomes the identity for good by raw system calls: libc's would wait for
 * all threads of a process that the vfork child only borrows. */
bool spawn_become(const struct identity *identity);

#endif
