/*
 * The jobs that live: a table of fixed size, and a list for each state.
 */
#ifndef SUPERVISOR_JOBS_H
#define SUPERVISOR_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "broker/supervisor/deadline.h"
#include "broker/supervisor/jobstate.h"
#include "broker/supervisor/obituary.h"
#include "proto/limits.h"
#include "proto/link.h"

/* Jobs that ended and were not delivered; the oldest goes when there are more,
 * so a front that never says DELIVERED costs no more than this. */
#define JOBS_ENDED_MAX 1024

/* All job records together: we stay small, and a usual record is a few hundred
 * bytes. */
#define JOBS_RECORD_BYTES_MAX (4 * MIB)

struct live_job {
	uint64_t id; /* 0: the place is free */
	enum job_state state;
	uint8_t ticket[TICKET_BYTES];
	bool leased;  /* its client's hang-up cancels it */
	bool known;   /* to the front that is up */
	bool counted; /* its outcome, in the tallies */
	enum job_class class;
	uint64_t client; /* whose turn it takes */
	uint64_t turn;	 /* in its class's queue */
	uint64_t admitted_us;
	uint64_t over_us; /* from then to its end */
	uint64_t memory_bytes, cpu_seconds, wall_seconds, stall_seconds;
	uint8_t *record; /* owned; the job record, never looked into */
	size_t record_len;
	int connection;	   /* owned; the client's door connection, never read */
	int channel;	   /* owned; to the worker, never read */
	int worker;	   /* its place in the pool; -1: none */
	uint32_t sandbox;  /* its worker's layers */
	uint64_t start_us; /* when a worker was given it */
	struct cause cause;		  /* why we ended it */
	struct obituary_record obituary;  /* when ENDED */
	struct deadline wall, stall, own; /* own: the state's */
	TAILQ_ENTRY(live_job) line;	  /* in its state's list */
};

TAILQ_HEAD(job_list, live_job);

struct jobs {
	struct live_job *table; /* owned; cap places, by id modulo cap */
	size_t cap;		/* a power of two */
	uint64_t next_id;
	struct job_list of[JOB_STATE_COUNT]; /* oldest in that state first */
	unsigned count[JOB_STATE_COUNT];
	size_t record_bytes;
};

/* For at most `busy` jobs that have not ended. False without memory. */
bool jobs_init(struct jobs *jobs, unsigned busy);
void jobs_fini(struct jobs *jobs);

/* Deadlines that all jobs together can have. */
size_t jobs_deadlines(const struct jobs *jobs);

/* NULL when there is no such job (any more). */
struct live_job *jobs_find(struct jobs *jobs, uint64_t id);

/* A new job with a copy of its record and a ticket, ADMITTED. NULL when the
 * records take too much memory. */
struct live_job *jobs_add(struct jobs *jobs, struct span record);

/* Moves it to the end of that state's list. */
void jobs_move(struct jobs *jobs, struct live_job *job, enum job_state state);

/* Frees its place; its deadlines must be cleared. */
void jobs_remove(struct jobs *jobs, struct live_job *job);

/* Jobs that have not ended; those of them whose client has come to the door;
 * and those of class batch among these. */
unsigned jobs_busy(const struct jobs *jobs);
unsigned jobs_arrived(const struct jobs *jobs);
unsigned jobs_arrived_batch(const struct jobs *jobs);

#endif
