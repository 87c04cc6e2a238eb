/*
 * What clients are sent: envelopes around progress, results and errors, and
 * when a job may be forgotten.
 */
#ifndef FRONT_DELIVERY_H
#define FRONT_DELIVERY_H

#include "broker/front/error_reply.h"
#include "broker/front/front.h"
#include "proto/failure.h"

/* {"type":…,"id":… and, unless job is NULL, ,"job":… */
void delivery_envelope(struct outbox *o, const char *type, bool has_id,
		       struct span id, const uint64_t *job);

/* Sends one reply. A peer that does not read its replies loses them. */
enum sent delivery_reply(struct front *front, const struct peer *peer,
			 const struct outbox *reply);

/* An error about a request; about says what is known. */
void delivery_refuse(struct front *front, const struct peer *peer, bool has_id,
		     struct span id, const struct failure *failure,
		     const struct about *about);

/* Ends a job whose obituary came: with its relay's result when failure is
 * NULL. Whoever waits is told, and the supervisor what. */
void delivery_end(struct front *front, struct tracked *job,
		  const struct failure *failure);

/* Tells an ended job's waiters, those who can be told. */
void delivery_tell(struct front *front, struct tracked *job);

/*
 * Tells progress, when there is news and the last is not just told. The job's
 * progress_ms is when it last was; 0 stands for never, which front->now_ms,
 * the machine's time since it was started, is not.
 */
void delivery_progress(struct front *front, struct tracked *job);

/* Drops an ended job and says so to the supervisor. */
void delivery_forget(struct front *front, struct tracked *job);

/* The same, of one that nobody acknowledged. */
void delivery_expire(struct front *front, struct tracked *job);

/* What time brings: progress, those who could not be told, and results whose
 * time is over. */
void delivery_tick(struct front *front);

/* When delivery_tick has something to do; INT64_MAX: never. */
int64_t delivery_deadline(const struct front *front);

/* "queued", "running", "delivering", "ended" */
const char *delivery_state(const struct tracked *job);

#endif
