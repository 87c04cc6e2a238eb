/*
 * Points in time at which something is due: a binary heap of nodes that lie
 * in their owners, so that nothing is allocated and a deadline can be moved or
 * taken back at any time.
 */
#ifndef SUPERVISOR_DEADLINE_H
#define SUPERVISOR_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum deadline_kind {
	/* of a job; owner is its id */
	DEADLINE_TICKET, /* no client came with it */
	DEADLINE_WALL,
	DEADLINE_STALL,
	DEADLINE_GRACE,	 /* killed, and still not reaped */
	DEADLINE_FORGET, /* the front never said DELIVERED */
	/* of a worker; owner is its place */
	DEADLINE_WORKER_READY,
	/* of the service */
	DEADLINE_REFILL, /* workers may be started again */
	DEADLINE_ROOM,	 /* its holder never said a word */
	DEADLINE_FRONT_START,
	DEADLINE_FRONT_READY,
	DEADLINE_FRONT_SILENT,
	DEADLINE_DRAIN, /* running jobs had their time */
	DEADLINE_FLUSH, /* the front had its time */
};

/* All zero is a deadline that is not set. */
struct deadline {
	uint64_t at_us;
	uint64_t owner;
	size_t place; /* in the heap, from 1; 0: not set */
	enum deadline_kind kind;
};

struct deadlines {
	struct deadline **heap; /* owned array of borrowed nodes; from 1 */
	size_t len, cap;
};

/* For at most cap deadlines at once. False when there is no memory. */
bool deadlines_init(struct deadlines *heap, size_t cap);
void deadlines_fini(struct deadlines *heap);

/* Sets it, or moves it when it is set already. */
void deadline_set(struct deadlines *heap, struct deadline *d,
		  enum deadline_kind kind, uint64_t owner, uint64_t at_us);
void deadline_clear(struct deadlines *heap, struct deadline *d);

static inline bool
deadline_is_set(const struct deadline *d)
{
	return d->place != 0;
}

/* The earliest; NULL when there is none. */
const struct deadline *deadlines_first(const struct deadlines *heap);

/* Takes the earliest off when it is due; false when none is. */
bool deadlines_take_due(struct deadlines *heap, uint64_t now_us,
			struct deadline *due_out);

#endif
