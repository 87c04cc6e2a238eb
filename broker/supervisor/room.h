/*
 * The empty room in which workers live: user, network, IPC, mount and host
 * name namespaces that are made once and held by a sleeping process. A worker
 * joins by one setns on its pidfd.
 */
#ifndef SUPERVISOR_ROOM_H
#define SUPERVISOR_ROOM_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "broker/supervisor/privileges.h"
#include "broker/supervisor/spawn.h"

#define ROOM_NAMESPACES                                              \
	(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | \
	 CLONE_NEWUTS)

struct room {
	pid_t pid;
	int pidfd;	 /* owned; -1: no holder */
	bool impossible; /* the kernel does not let us: the layer is missing */
	bool stood;	 /* there was one: from now on there must be one */
};

void room_init(struct room *room_out);

/* Kills the holder. Workers inside keep their namespaces. */
void room_fini(struct room *room);

/*
 * Builds a room unless one stands. False with the step that failed. The first
 * failure of all makes the room `impossible`, which is logged once; a room
 * that stood before is never silently done without.
 */
bool room_build(struct room *room, const struct identity *identity,
		struct spawn_error *error_out);

/* The holder is gone: reaps it. */
void room_lost(struct room *room);

#endif
