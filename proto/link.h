/*
 * The records between supervisor and front. The supervisor reads a front's
 * records as hostile input: a front can only touch its own jobs.
 *
 * ADMIT     u64 request, u64 memory_bytes, u64 cpu_seconds, u64 wall_seconds,
 *           u64 stall_seconds, u64 client, u8 leased, u8 class, then the job
 *           record's bytes
 * CANCEL    u16 reason (RE_BY_CLIENT, RE_BAD_FRAME …)
 * VERDICT   u16 status, u8 format, u64 stored bytes of the artifact
 * ASK_STATUS u64 request
 * ADMITTED  (job) u64 request, ticket
 * REFUSED   u64 request, u16 status, u32 retry_after_ms
 * CHANNEL   (job) u32 sandbox layers; the worker's channel rides along
 * OBITUARY  (job) see struct obituary_record
 * ADOPT     (job) u8 state, ticket, u32 sandbox layers, u32 ran_ms, u8 leased,
 *           u8 class, then the job record; the channel rides along when the
 *           job is running
 * STATUS    see struct status_record
 * CONFIG    see struct config_record
 * START     (job) empty; the client's door connection rides along
 * ALIVE, HOLD, DELIVERING, DELIVERED, FRONT_READY, FRONT_HERE, DRAIN: empty
 */
#ifndef PROTO_LINK_H
#define PROTO_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"
#include "proto/tally.h"
#include "proto/terms.h"

/* A front says FRONT_HERE so often; who says nothing is taken to hang. */
#define FRONT_HERE_MS 1000

/* What of a job the supervisor needs to know. */
struct admit_record {
	uint64_t request; /* the front's own number, echoed */
	uint64_t memory_bytes;
	uint64_t cpu_seconds;
	uint64_t wall_seconds;
	uint64_t stall_seconds;
	uint64_t client; /* who takes turns: equal for one client's jobs */
	bool leased;	 /* hang-up of the door connection cancels */
	enum job_class class;
	struct span job; /* forwarded unread */
};

struct refused_record {
	uint64_t request;
	enum status status; /* ST_BUSY, ST_WORKER_START_FAILED, … */
	uint32_t retry_after_ms;
};

/* What the client of an ended job is told: once a job, for the counters. */
struct verdict_record {
	enum status status;
	enum format format; /* FORMAT_ANY: not found out */
	uint64_t input_bytes;
};

/* How a worker ended, in the kernel's words and ours. */
struct obituary_record {
	enum status status; /* ST_OK: it exited by itself with success */
	enum reason reason;
	int32_t signal;
	enum limit limit;
	bool unreaped;	      /* killed, and the kernel has not let go yet */
	uint64_t actual, max; /* with a limit */
	uint64_t wall_us;     /* from assignment to end */
	uint64_t cpu_us;
	uint64_t peak_rss_bytes;
};

/* Where a job stands when a restarted front is given it. */
enum adopt_state {
	ADOPT_ADMITTED, /* waiting for its door connection */
	ADOPT_QUEUED,	/* has it; waiting for a worker */
	ADOPT_RUNNING,	/* the channel rides along */
	ADOPT_ENDED,	/* an OBITUARY follows */
	ADOPT_STATE_COUNT
};

struct adopt_record {
	enum adopt_state state;
	uint8_t ticket[TICKET_BYTES];
	uint32_t sandbox; /* layers of its worker, when running or ended */
	uint32_t ran_ms;  /* since a worker was given it */
	bool leased;	  /* as admitted */
	enum job_class class;
	struct span job;
};

/* Gauges and counters for `status`. */
struct status_record {
	uint64_t request;
	uint64_t uptime_ms;
	uint32_t workers_max, workers_warm, workers_starting, workers_busy,
	    workers_stuck;
	uint32_t queue_max, jobs_admitted, jobs_queued;
	uint64_t memory_total_bytes, memory_used_bytes;
	uint64_t jobs_accepted, jobs_refused, jobs_ended;
	uint64_t workers_started, workers_failed_start;
	uint32_t front_restarts;
	uint32_t sandbox; /* layers that the last worker reported */
	/* as asked for; workers_max are those whose memory fits the total */
	uint32_t workers_wanted;
	uint32_t jobs_queued_batch; /* of jobs_queued */
	struct tallies tallies;
};

/* Of it on the wire; message.def has to have the number itself, for the pages
 * and scripts that read it there. */
#define STATUS_BYTES (2 * 8 + 8 * 4 + 7 * 8 + 4 * 4 + TALLIES_BYTES)

/* What a front is told when it starts. */
struct config_record {
	struct limits defaults;
	struct limits ceilings;
	uint32_t workers;
	uint64_t memory_total_bytes;
	uint64_t result_ttl_seconds, result_store_bytes;
	struct span runtime_dir; /* holds extractd.sock and door.sock */
};

/* A worker's first words. */
struct ready_record {
	uint32_t sandbox; /* layers in force; seccomp follows with the job */
	uint32_t pid;
};

/* What a worker is given: JOB, with the door connection riding along. */
struct job_order {
	uint64_t memory_bytes;
	uint64_t cpu_seconds;
	struct span job; /* job_read takes it apart */
};

/* *_write puts a payload behind frame_begin; *_read takes a payload apart and
 * is false when it is not exactly right. Spans borrow from the payload. */
void admit_write(struct writer *w, const struct admit_record *admit);
NODISCARD bool admit_read(struct span payload, struct admit_record *out);
void refused_write(struct writer *w, const struct refused_record *refused);
NODISCARD bool refused_read(struct span payload, struct refused_record *out);
void verdict_write(struct writer *w, const struct verdict_record *verdict);
NODISCARD bool verdict_read(struct span payload, struct verdict_record *out);
void obituary_write(struct writer *w, const struct obituary_record *obituary);
NODISCARD bool obituary_read(struct span payload, struct obituary_record *out);
void adopt_write(struct writer *w, const struct adopt_record *adopt);
NODISCARD bool adopt_read(struct span payload, struct adopt_record *out);
void status_record_write(struct writer *w, const struct status_record *s);
NODISCARD bool status_record_read(struct span payload,
				  struct status_record *out);
void config_write(struct writer *w, const struct config_record *config);
NODISCARD bool config_read(struct span payload, struct config_record *out);
void ready_write(struct writer *w, const struct ready_record *ready);
NODISCARD bool ready_read(struct span payload, struct ready_record *out);
void job_order_write(struct writer *w, const struct job_order *order);
NODISCARD bool job_order_read(struct span payload, struct job_order *out);

/* The small ones. */
void admitted_write(struct writer *w, uint64_t request,
		    const uint8_t ticket[TICKET_BYTES]);
NODISCARD bool admitted_read(struct span payload, uint64_t *request_out,
			     uint8_t ticket_out[TICKET_BYTES]);
void cancel_write(struct writer *w, enum reason reason);
NODISCARD bool cancel_read(struct span payload, enum reason *reason_out);
void channel_write(struct writer *w, uint32_t sandbox);
NODISCARD bool channel_read(struct span payload, uint32_t *sandbox_out);

#endif
