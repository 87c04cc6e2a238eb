/*
 * The jobs that this front knows, by id: the live ones and those that ended
 * and are kept for whoever asks. A job is in one of two lists, oldest first.
 */
#ifndef FRONT_LEDGER_H
#define FRONT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/front/outbox.h"
#include "broker/front/relay.h"
#include "broker/front/request.h"
#include "broker/front/server.h"
#include "proto/job.h"
#include "proto/limits.h"
#include "proto/link.h"

#define WAITERS_MAX 16	   /* who ask for one job's result */
#define KEPT_JOBS_MAX 8192 /* with results of a minute; the oldest goes */

enum stage {
	STAGE_ADMITTED, /* its client has not come to the door */
	STAGE_QUEUED,	/* waits for a worker */
	STAGE_RUNNING,
	STAGE_DELIVERING, /* the worker's answer is being read */
	STAGE_ENDED,	  /* `final` is what is to be told */
};

/* Someone who asked for a result and waits. */
struct waiter {
	struct waiter *next; /* owned */
	struct peer peer;
	bool progress;
	bool has_id;
	uint8_t id_len;
	uint8_t id[REQUEST_ID_BYTES_MAX];
};

struct tracked {
	struct tracked *same_bucket;	 /* next in its bucket */
	struct tracked *older, *younger; /* in its list */
	uint64_t id;
	uint8_t *record; /* owned; gone when ENDED */
	struct job job;	 /* borrows from record; when ENDED, only its name,
			  * from `name` */
	uint8_t *name;	 /* owned; when ENDED */
	struct relay relay;
	struct obituary_record obituary; /* once has_obituary */
	struct outbox final;	/* the result's or error's text, when ENDED */
	struct waiter *waiters; /* owned */
	size_t reserved;	/* of the results' budget */
	int64_t started_ms, ended_ms;
	int64_t alive_ms, progress_ms; /* when last said; 0: never */
	enum stage stage;
	int channel; /* owned; to the worker; -1: none (any more) */
	uint32_t sandbox;
	unsigned waiters_len;
	uint8_t ticket[TICKET_BYTES];
	enum job_class class;
	bool detached;	     /* not bound to its door connection */
	bool adopted;	     /* from an earlier front */
	bool partial;	     /* a result of a part, when ENDED */
	enum status outcome; /* when ENDED */
	bool has_obituary;
	bool delivering_said; /* to the supervisor, which takes it once */
	bool held;	      /* not read for want of room; HOLD was said */
	bool alive_due;	      /* ALIVE has to be said again */
	bool news;	      /* progress that waiters have not been told */
	bool final_is_error;
	bool told; /* somebody was sent the final text */
};

struct tracked_list {
	struct tracked *oldest, *youngest;
	size_t len;
};

#define LEDGER_BUCKETS 4096

struct ledger {
	struct tracked *buckets[LEDGER_BUCKETS];
	struct tracked_list live, ended;
	size_t telling; /* waiters of ended jobs that could not be sent to */
};

void ledger_init(struct ledger *ledger);
void ledger_fini(struct ledger *ledger);

/* A new live job with a copy of its record; NULL when the record is not one or
 * the id is taken. */
struct tracked *ledger_add(struct ledger *ledger, uint64_t id,
			   struct span record);

/* NULL when it is not known. */
struct tracked *ledger_find(const struct ledger *ledger, uint64_t id);
struct tracked *ledger_find_ticket(const struct ledger *ledger,
				   const uint8_t ticket[TICKET_BYTES]);

/* Moves it to the ended ones and gives back all that only a live job needs. */
void ledger_end(struct ledger *ledger, struct tracked *job);

/* Frees it, waiters included. */
void ledger_remove(struct ledger *ledger, struct tracked *job);

/* Adds a waiter, or gives the one of the same peer and id. When there are too
 * many, the peer's own oldest goes; NULL when it has none. */
struct waiter *ledger_wait(struct ledger *ledger, struct tracked *job,
			   const struct peer *peer,
			   const struct request *request);

/* Frees *at, which is a place in the job's list of waiters. */
void ledger_unwait(struct ledger *ledger, struct tracked *job,
		   struct waiter **at);

#endif
