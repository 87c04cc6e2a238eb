/*
 * One function for each action of the table.
 */
#include "broker/supervisor/life.h"

#include <inttypes.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/letters.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/service.h"
#include "proto/bug.h"
#include "proto/fd.h"

/* A reply waits no longer for the kernel to let go of a killed worker. */
#define GRACE_US (200 * US_PER_MS)

/* Longer than the front keeps a result: only then has it gone for good. */
#define FORGET_MORE_SECONDS 60

static void
clear_clocks(struct service *s, struct live_job *job)
{
	deadline_clear(&s->deadlines, &job->wall);
	deadline_clear(&s->deadlines, &job->stall);
	deadline_clear(&s->deadlines, &job->own);
}

/* The stall clock stands while no front is there to see progress. */
static void
restart_stall_clock(struct service *s, struct live_job *job)
{
	if (s->front.ready && job->known && job->cause.status == ST_OK)
		deadline_set(&s->deadlines, &job->stall, DEADLINE_STALL,
			     job->id,
			     s->now_us + job->stall_seconds * US_PER_SECOND);
}

static void
run(struct service *s, struct live_job *job)
{
	job->start_us = s->now_us;
	deadline_set(&s->deadlines, &job->wall, DEADLINE_WALL, job->id,
		     s->now_us + job->wall_seconds * US_PER_SECOND);
	restart_stall_clock(s, job);
}

static void
kill_worker(struct service *s, struct live_job *job, const struct cause *cause)
{
	BUG_ON(cause->status == ST_OK);
	if (job->cause.status != ST_OK)
		return; /* first cause wins, and the worker is dying */
	job->cause = *cause;
	clear_clocks(s, job);
	/* it ends whether its client hangs up or not; a hang-up that were
	 * watched on would wake us again and again */
	fd_close(&job->connection);
	pool_kill(s, (unsigned)job->worker);
	deadline_set(&s->deadlines, &job->own, DEADLINE_GRACE, job->id,
		     s->now_us + GRACE_US);
}

/* One line for each job that had a worker. */
static void
log_obituary(const struct live_job *job)
{
	const struct obituary_record *o = &job->obituary;

	if (job->start_us == 0)
		return;
	log_event(LOG_LEVEL_INFO, "obituary",
		  " job=j-%016" PRIx64 " status=%s reason=%s limit=%s"
		  " signal=%d unreaped=%d wall_ms=%" PRIu64 " cpu_ms=%" PRIu64
		  " peak_rss_bytes=%" PRIu64,
		  job->id, status_name(o->status),
		  o->reason == RE_NONE ? "none" : reason_name(o->reason),
		  o->limit == LIMIT_NONE ? "none" : limit_name(o->limit),
		  o->signal, o->unreaped, o->wall_us / US_PER_MS,
		  o->cpu_us / US_PER_MS, o->peak_rss_bytes);
}

static void
write_obituary(struct service *s, struct live_job *job,
	       const struct happening *happening)
{
	struct service_time time = {
	    .wall_us = job->start_us == 0 ? 0 : s->now_us - job->start_us,
	    .cpu_seconds = job->cpu_seconds,
	    .wall_seconds = job->wall_seconds,
	    .stall_seconds = job->stall_seconds,
	};

	if (job->cause.status == ST_OK)
		job->cause = happening->cause;
	obituary_make(&job->cause, happening->ending, &time, &job->obituary);
	job->obituary.unreaped = happening->event == JOB_EVENT_UNREAPED;
	job->over_us = s->now_us - job->admitted_us;
	stats_count_job(&s->stats, &job->obituary, job->start_us != 0);
	log_obituary(job);
}

/* Its channel is kept while no front has it: the answer may be in there. */
static void
end(struct service *s, struct live_job *job, const struct happening *happening)
{
	clear_clocks(s, job);
	write_obituary(s, job, happening);
	if (happening->event == JOB_EVENT_UNREAPED)
		pool_give_up(s, (unsigned)job->worker);
	job->worker = -1;
	fd_close(&job->connection);
	if (job->known) {
		fd_close(&job->channel);
		letter_obituary(&s->front.box, job);
	}
	deadline_set(&s->deadlines, &job->own, DEADLINE_FORGET, job->id,
		     s->now_us +
			 (s->config.result_ttl_seconds + FORGET_MORE_SECONDS) *
			     US_PER_SECOND);
}

/*
 * The front died before its client knew. A result is lost with it; what else
 * the obituary says stays true, and it matters: a job that killed a worker
 * must not look as if trying again were harmless.
 */
static void
lose(struct live_job *job)
{
	if (job->obituary.status == ST_OK)
		job->obituary.status = ST_FRONT_LOST;
}

/* Each job once, by what its client is told: so the front's word counts, and
 * where there was none, the client was told as here. */
static void
tally(struct service *s, struct live_job *job,
      const struct verdict_record *verdict)
{
	if (job->counted)
		return;
	job->counted = true;
	stats_count_verdict(&s->stats, verdict, job->over_us);
}

static void
forget(struct service *s, struct live_job *job)
{
	struct verdict_record verdict = {.status = job->obituary.status};

	if (verdict.status == ST_OK)
		verdict.status = ST_FRONT_LOST;
	tally(s, job, &verdict);
	clear_clocks(s, job);
	jobs_remove(&s->jobs, job);
}

static void
act(struct service *s, struct live_job *job, enum job_action action,
    const struct happening *happening)
{
	switch (action) {
	case JOB_IGNORE:
		return;
	case JOB_REFUSE:
	case JOB_BUG:
		break;
	case JOB_WAIT:
		clear_clocks(s, job);
		queue_enter(s, job);
		return;
	case JOB_RUN:
		run(s, job);
		return;
	case JOB_ALIVE:
		restart_stall_clock(s, job);
		return;
	case JOB_HOLD:
		deadline_clear(&s->deadlines, &job->stall);
		return;
	case JOB_KILL:
		kill_worker(s, job, &happening->cause);
		return;
	case JOB_END:
		end(s, job, happening);
		return;
	case JOB_LOSE:
		lose(job);
		return;
	case JOB_TALLY:
		tally(s, job, &happening->verdict);
		return;
	case JOB_FORGET:
		forget(s, job);
		return;
	}
	BUG_ON(action == JOB_BUG || action == JOB_REFUSE);
}

enum status
life_happen(struct service *s, struct live_job *job,
	    const struct happening *happening)
{
	struct job_step step = job_step(job->state, happening->event);

	if (step.action == JOB_REFUSE)
		return ST_BAD_REPLY;
	if (step.next != job->state) {
		log_event(LOG_LEVEL_DEBUG, "job_state",
			  " job=j-%016" PRIx64 " from=%s to=%s", job->id,
			  job_state_name(job->state),
			  job_state_name(step.next));
		jobs_move(&s->jobs, job, step.next);
	}
	act(s, job, step.action, happening);
	return ST_OK;
}

static void
happen_surely(struct service *s, struct live_job *job,
	      const struct happening *happening)
{
	enum status status = life_happen(s, job, happening);

	BUG_ON(status != ST_OK);
}

void
life_event(struct service *s, struct live_job *job, enum job_event event)
{
	struct happening happening = {.event = event,
				      .cause = {.limit = LIMIT_NONE}};

	happen_surely(s, job, &happening);
}

void
life_end(struct service *s, struct live_job *job, enum job_event event,
	 enum status status, enum reason reason)
{
	struct happening happening = {
	    .event = event,
	    .cause = {status, reason, LIMIT_NONE},
	};

	if (event == JOB_EVENT_DEADLINE)
		happening.cause.limit = LIMIT_WALL_SECONDS;
	if (event == JOB_EVENT_STALL)
		happening.cause.limit = LIMIT_STALL_SECONDS;
	happen_surely(s, job, &happening);
}

void
life_shut_down(struct service *s, bool running)
{
	enum job_state last = running ? JOB_DELIVERING : JOB_QUEUED;

	for (unsigned state = JOB_ADMITTED; state <= last; state++) {
		struct live_job *job, *next;

		for (job = TAILQ_FIRST(&s->jobs.of[state]); job != NULL;
		     job = next) {
			next = TAILQ_NEXT(job, line);
			life_end(s, job, JOB_EVENT_SHUTDOWN, ST_CANCELLED,
				 RE_SHUTDOWN);
		}
	}
}

void
life_forget_surplus(struct service *s)
{
	while (s->jobs.count[JOB_ENDED] > JOBS_ENDED_MAX)
		life_event(s, TAILQ_FIRST(&s->jobs.of[JOB_ENDED]),
			   JOB_EVENT_FORGET);
}
