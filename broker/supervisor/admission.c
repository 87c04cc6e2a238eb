/*
 * The gate. The front has checked its client's limits already; it is not
 * trusted to have.
 *
 * A ticket costs a client nothing, so tickets must not keep others out. Jobs
 * whose client has come to the door take places for good; while those are not
 * all taken, whoever holds no ticket gets one. Where tickets take the rest of
 * the places, nobody gets a second, and there may be a few more tickets than
 * places: so it takes as many clients as there are of those, before the oldest
 * ticket is given away to a newcomer. Nobody who was let in is turned away at
 * the door; so a few more may wait than --queue says.
 */
#include "broker/supervisor/admission.h"

#include <inttypes.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/letters.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/service.h"

/* A client has so long to come to the door; then its place is given away. */
#define TICKET_US (10 * US_PER_SECOND)

#define RETRY_MS_MIN 50
#define RETRY_MS_MAX 10000

/* No job record is shorter; and a JOB message must not be. */
#define RECORD_BYTES_MIN 32

static bool
within(const struct service *s, enum limit limit, uint64_t value)
{
	return value >= limit_floor(limit) &&
	       value <= s->config.ceilings.of[limit];
}

/* The ceiling on memory is at most the whole budget (config.c), so that every
 * admitted job fits sooner or later. */
static bool
is_sane(const struct service *s, const struct admit_record *admit)
{
	return admit->job.len >= RECORD_BYTES_MIN &&
	       within(s, LIMIT_MEMORY_BYTES, admit->memory_bytes) &&
	       within(s, LIMIT_CPU_SECONDS, admit->cpu_seconds) &&
	       within(s, LIMIT_WALL_SECONDS, admit->wall_seconds) &&
	       within(s, LIMIT_STALL_SECONDS, admit->stall_seconds);
}

/* When a place may be free: the time that those before it will take. */
static uint32_t
retry_after_ms(const struct service *s)
{
	uint64_t turns = jobs_arrived(&s->jobs) / s->config.workers + 1;
	uint64_t ms = turns * (s->stats.mean_job_us / US_PER_MS);

	if (ms < RETRY_MS_MIN)
		return RETRY_MS_MIN;
	return ms > RETRY_MS_MAX ? RETRY_MS_MAX : (uint32_t)ms;
}

static void
refuse(struct service *s, const struct admit_record *admit, enum status status,
       enum rejected why, uint32_t retry_ms)
{
	struct refused_record refused = {.request = admit->request,
					 .status = status,
					 .retry_after_ms = retry_ms};

	s->stats.jobs_refused++;
	s->stats.tallies.rejected[why]++;
	letter_refused(&s->front.box, &refused);
}

/* The worker that batch jobs leave to an interactive one is no place for them:
 * else they would keep that one from being admitted. */
static unsigned
places(const struct service *s, enum job_class class)
{
	unsigned all = s->config.queue + s->config.workers;

	return class == JOB_CLASS_BATCH && s->config.workers > 1 ? all - 1
								 : all;
}

/* Whether jobs that came take all places that one of that class could have.
 * Batch jobs beyond theirs wait for one of their own. */
static bool
are_taken(const struct service *s, enum job_class class)
{
	unsigned arrived = jobs_arrived(&s->jobs);
	unsigned most = places(s, JOB_CLASS_BATCH), batch;

	if (arrived < places(s, class))
		return false;
	batch = jobs_arrived_batch(&s->jobs);
	if (class != JOB_CLASS_BATCH && batch > most)
		arrived -= batch - most;
	return arrived >= places(s, class);
}

static bool
holds_ticket(const struct service *s, uint64_t client)
{
	const struct live_job *job;

	TAILQ_FOREACH(job, &s->jobs.of[JOB_ADMITTED], line)
		if (job->client == client)
			return true;
	return false;
}

static bool
is_full(const struct service *s, const struct admit_record *admit)
{
	if (pool_is_clogged(s) || are_taken(s, admit->class))
		return true;
	return jobs_busy(&s->jobs) >= places(s, admit->class) &&
	       holds_ticket(s, admit->client);
}

/* Its client is told to come again. Nobody had anything of it but a ticket, so
 * a front that knows its end is all that must: others' jobs that ended do not
 * go before their time, however many come and stay away. */
static void
give_away(struct service *s, struct live_job *job)
{
	life_end(s, job, JOB_EVENT_TICKET, ST_BUSY, RE_NONE);
	if (job->known)
		life_event(s, job, JOB_EVENT_FORGET);
}

/* Jobs that ended make room for the records of new ones; then tickets, those
 * of others. */
static bool
make_room(struct service *s, uint64_t client)
{
	struct live_job *ended = TAILQ_FIRST(&s->jobs.of[JOB_ENDED]);
	struct live_job *ticket = TAILQ_FIRST(&s->jobs.of[JOB_ADMITTED]);

	if (ended != NULL)
		life_event(s, ended, JOB_EVENT_FORGET);
	else if (ticket != NULL && !holds_ticket(s, client))
		give_away(s, ticket);
	else
		return false;
	return true;
}

static struct live_job *
add(struct service *s, const struct admit_record *admit)
{
	struct live_job *job;

	life_forget_surplus(s);
	if (jobs_busy(&s->jobs) >=
	    places(s, JOB_CLASS_INTERACTIVE) + s->config.spare) {
		job = TAILQ_FIRST(&s->jobs.of[JOB_ADMITTED]);
		if (job == NULL)
			return NULL; /* batch jobs, come to the door */
		give_away(s, job);
	}
	while ((job = jobs_add(&s->jobs, admit->job)) == NULL)
		if (!make_room(s, admit->client))
			return NULL;
	return job;
}

enum status
admission_ask(struct service *s, const struct admit_record *admit)
{
	struct live_job *job;

	if (!is_sane(s, admit))
		return ST_BAD_REPLY;
	if (s->drain.stage != DRAIN_SERVING) {
		refuse(s, admit, ST_CANCELLED, REJECTED_SHUTTING_DOWN, 0);
		return ST_OK;
	}
	job = is_full(s, admit) ? NULL : add(s, admit);
	if (job == NULL) {
		refuse(s, admit, ST_BUSY,
		       pool_is_clogged(s) ? REJECTED_WORKERS_STUCK
					  : REJECTED_QUEUE_FULL,
		       retry_after_ms(s));
		return ST_OK;
	}
	job->leased = admit->leased;
	job->known = true;
	job->class = admit->class;
	job->client = admit->client;
	job->admitted_us = s->now_us;
	job->memory_bytes = admit->memory_bytes;
	job->cpu_seconds = admit->cpu_seconds;
	job->wall_seconds = admit->wall_seconds;
	job->stall_seconds = admit->stall_seconds;
	deadline_set(&s->deadlines, &job->own, DEADLINE_TICKET, job->id,
		     s->now_us + TICKET_US);
	s->stats.jobs_accepted++;
	log_event(LOG_LEVEL_DEBUG, "job_admitted",
		  " job=j-%016" PRIx64 " memory_bytes=%" PRIu64, job->id,
		  job->memory_bytes);
	letter_admitted(&s->front.box, job, admit->request);
	return ST_OK;
}
