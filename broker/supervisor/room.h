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

#include "broker/supervisor/deadline.h"
#include "broker/supervisor/privileges.h"
#include "broker/supervisor/spawn.h"
#include "proto/status.h"

#define ROOM_NAMESPACES                                              \
	(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | \
	 CLONE_NEWUTS)

enum room_state {
	ROOM_NONE,
	ROOM_RISING, /* its holder has not said yet that it is built */
	ROOM_STANDS,
	ROOM_FALLING, /* its holder was killed and is not reaped yet */
};

struct room {
	enum room_state state;
	pid_t pid;
	int pidfd;	 /* owned; -1: no holder */
	int word;	 /* owned; the holder's word comes there; else -1 */
	bool impossible; /* the kernel does not let us: the layer is missing */
	bool stood;	 /* there was one: from now on there must be one */
	struct deadline clock; /* while RISING; the caller's to set */
};

void room_init(struct room *room_out);

/* Kills the holder, and leaves it to be reaped with all children. Workers
 * inside keep their namespaces. */
void room_fini(struct room *room);

/*
 * Nothing here waits for a holder. room_begin starts one, and the room is
 * RISING; room_hear takes its word, room_late is for when none comes, and both
 * are for a RISING room only. False with the step that failed; from RISING the
 * holder is killed then. The first failure of all makes the room `impossible`,
 * unless one stood before, which is never silently done without.
 */
NODISCARD bool room_begin(struct room *room, const struct identity *identity,
			  struct spawn_error *error_out);
/* True also when there is no word yet, and the room is RISING still. */
NODISCARD bool room_hear(struct room *room, struct spawn_error *error_out);
void room_late(struct room *room, struct spawn_error *error_out);

/* No worker joins it any more: kills the holder. */
void room_leave(struct room *room);

/* The holder has ended, says its pidfd: reaps it. */
void room_lost(struct room *room);

#endif
