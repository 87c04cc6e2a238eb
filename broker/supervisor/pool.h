/*
 * The workers: given one job each, killed, reaped (recruit.h starts them).
 */
#ifndef SUPERVISOR_POOL_H
#define SUPERVISOR_POOL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "broker/supervisor/deadline.h"

struct service;
struct ending;

/* So many failed starts in a row, and waiting jobs are told. */
#define POOL_FAILURES_MAX 5

enum worker_state {
	WORKER_NONE,	 /* a free place */
	WORKER_STARTING, /* has yet to say READY */
	WORKER_WARM,
	WORKER_BUSY,
	WORKER_DYING, /* killed; has no job (any more) */
	WORKER_STATE_COUNT
};

struct worker {
	enum worker_state state;
	pid_t pid;
	int pidfd;	       /* owned */
	int channel;	       /* owned; the job's once it is BUSY */
	uint64_t job;	       /* 0: none */
	uint64_t memory_bytes; /* of the budget, until it is reaped */
	bool batch;	       /* its job is of that class, likewise */
	uint32_t sandbox;      /* layers in force */
	bool stuck;	       /* its job's reply did not wait for it */
	struct deadline ready; /* while STARTING */
};

struct pool {
	struct worker *workers; /* owned */
	unsigned places;
	unsigned count[WORKER_STATE_COUNT];
	unsigned stuck;
	uint64_t memory_used_bytes;
	unsigned batch_busy; /* places that hold a batch job */
	uint32_t sandbox;    /* layers that the last worker reported */
	unsigned failures;   /* starts in a row that came to nothing */
	bool proven;	     /* a worker has been READY */
	char refusal[128]; /* what was wrong instead, before that; for people */
	bool starved;	   /* a job is given again in CHAN_SHORT_MS */
	uint64_t retry_us; /* nothing is started before */
	unsigned lost;	   /* warm ones that were killed, since: */
	uint64_t lost_since_us;
	struct deadline refill;
};

/* False without memory. */
bool pool_init(struct service *s);
void pool_fini(struct service *s);

/* Gives waiting jobs to warm workers, in order, as far as the memory budget
 * goes; or tells them that there are no workers. */
void pool_assign(struct service *s);

/* Places beyond those of jobs that may run at once. */
unsigned pool_spare(unsigned workers);

/* NULL when no worker is in that state. */
struct worker *pool_find(struct pool *pool, enum worker_state state);
void pool_enter(struct pool *pool, struct worker *w, enum worker_state state);

/* The worker at a place has ended, perhaps: reaps it and tells its job. */
void pool_reap(struct service *s, unsigned place);

/* It has ended so: its place is free, and its job is told. */
void pool_bury(struct service *s, unsigned place, const struct ending *ending);

/* SIGKILL. It keeps its place until it is reaped. */
void pool_kill(struct service *s, unsigned place);

/* Its job's reply will not wait for the kernel any longer. */
void pool_give_up(struct service *s, unsigned place);

/* Workers that hold, or may still hold, a job's memory. */
unsigned pool_occupied(const struct pool *pool);

/* So many places are stuck that nothing new should be admitted. */
bool pool_is_clogged(const struct service *s);

#endif
