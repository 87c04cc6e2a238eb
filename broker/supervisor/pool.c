/*
 * Places for workers, and what becomes of who is in them.
 *
 *   NONE -> STARTING -> WARM -> BUSY -> NONE
 *               |         |       |
 *               +---------+-------+--> DYING -> NONE
 *
 * There are a few more places than jobs that may run at once, so that the next
 * worker is warm when the last one is still on its way out.
 */
#include "broker/supervisor/pool.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker/supervisor/letters.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/recruit.h"
#include "broker/supervisor/service.h"
#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/frame.h"

unsigned
pool_spare(unsigned workers)
{
	return 1 + workers / 4;
}

bool
pool_init(struct service *s)
{
	struct pool *pool = &s->pool;

	*pool = (struct pool){.places = s->config.workers +
					pool_spare(s->config.workers)};
	pool->count[WORKER_NONE] = pool->places;
	pool->workers = calloc(pool->places, sizeof(pool->workers[0]));
	for (unsigned i = 0; pool->workers != NULL && i < pool->places; i++)
		pool->workers[i].pidfd = pool->workers[i].channel = -1;
	return pool->workers != NULL;
}

void
pool_enter(struct pool *pool, struct worker *w, enum worker_state state)
{
	pool->count[w->state]--;
	w->state = state;
	pool->count[state]++;
}

struct worker *
pool_find(struct pool *pool, enum worker_state state)
{
	for (unsigned i = 0; i < pool->places; i++)
		if (pool->workers[i].state == state)
			return &pool->workers[i];
	return NULL;
}

unsigned
pool_occupied(const struct pool *pool)
{
	return pool->count[WORKER_BUSY] + pool->count[WORKER_DYING];
}

bool
pool_is_clogged(const struct service *s)
{
	return s->pool.stuck >= (s->config.workers + 3) / 4;
}

static void
send_kill(const struct worker *w)
{
	/* fails only when it has ended, which is what we want */
	(void)syscall(SYS_pidfd_send_signal, w->pidfd, SIGKILL, NULL, 0);
}

void
pool_kill(struct service *s, unsigned place)
{
	struct worker *w = &s->pool.workers[place];

	BUG_ON(w->state == WORKER_NONE);
	send_kill(w);
	if (w->state == WORKER_STARTING || w->state == WORKER_WARM) {
		deadline_clear(&s->deadlines, &w->ready);
		fd_close(&w->channel);
		pool_enter(&s->pool, w, WORKER_DYING);
	}
}

void
pool_give_up(struct service *s, unsigned place)
{
	struct worker *w = &s->pool.workers[place];

	BUG_ON(w->state != WORKER_BUSY);
	w->job = 0;
	w->stuck = true;
	s->pool.stuck++;
	pool_enter(&s->pool, w, WORKER_DYING);
}

void
pool_fini(struct service *s)
{
	struct pool *pool = &s->pool;

	for (unsigned i = 0; pool->workers != NULL && i < pool->places; i++) {
		struct worker *w = &pool->workers[i];

		if (w->state != WORKER_NONE)
			send_kill(w);
		deadline_clear(&s->deadlines, &w->ready);
		fd_close(&w->pidfd);
		fd_close(&w->channel);
	}
	free(pool->workers);
	pool->workers = NULL;
}

/* Unless CHAN_SHORT, a worker that does not take it is dead, or as good as. */
static enum chan_result
hand_over(struct worker *w, const struct live_job *job)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct job_order order = {
	    .memory_bytes = job->memory_bytes,
	    .cpu_seconds = job->cpu_seconds,
	    .job = span_of(job->record, job->record_len),
	};
	struct writer writer;

	writer_init(&writer, buffer, sizeof(buffer));
	frame_begin(&writer, MSG_JOB, job->id);
	job_order_write(&writer, &order);
	return chan_send(w->channel, frame_end(&writer), job->connection,
			 false);
}

static void
give(struct service *s, struct worker *w, struct live_job *job)
{
	enum chan_result result = hand_over(w, job);

	s->pool.starved = result == CHAN_SHORT;
	if (s->pool.starved)
		return;
	if (result != CHAN_OK) {
		pool_kill(s, (unsigned)(w - s->pool.workers));
		return;
	}
	pool_enter(&s->pool, w, WORKER_BUSY);
	w->job = job->id;
	w->memory_bytes = job->memory_bytes;
	s->pool.memory_used_bytes += job->memory_bytes;
	w->batch = job->class == JOB_CLASS_BATCH;
	s->pool.batch_busy += w->batch;
	queue_started(s, job);
	s->pool.failures = 0;
	s->pool.retry_us = 0;
	job->worker = (int)(w - s->pool.workers);
	job->channel = fd_take(&w->channel);
	job->sandbox = w->sandbox;
	if (!job->leased)
		fd_close(&job->connection);
	life_event(s, job, JOB_EVENT_SLOT);
	if (job->known)
		letter_channel(&s->front.box, job);
}

void
pool_assign(struct service *s)
{
	struct pool *pool = &s->pool;
	struct job_list *queue = &s->jobs.of[JOB_QUEUED];
	struct live_job *job;

	pool->starved = false;
	while (!pool->starved && (job = TAILQ_FIRST(queue)) != NULL) {
		if (pool->count[WORKER_WARM] == 0 &&
		    pool->failures >= POOL_FAILURES_MAX) {
			life_end(s, job, JOB_EVENT_NO_WORKER,
				 ST_WORKER_START_FAILED, RE_NONE);
			continue;
		}
		if (pool->count[WORKER_WARM] == 0 || !queue_may_start(s, job))
			return;
		give(s, pool_find(pool, WORKER_WARM), job);
	}
}

/* A worker that was never of use. One that was killed from outside while it
 * stood by says nothing about whether the next can be started. */
static void
on_unused_end(struct service *s, const struct worker *w,
	      const struct ending *ending)
{
	log_event(LOG_LEVEL_INFO, "worker_ended_unused",
		  " pid=%d signal=%d exit=%d", (int)w->pid, ending->signal,
		  ending->exit_status);
	s->stats.tallies.deaths[DEATH_UNUSED]++;
	if (ending->signal == SIGKILL)
		recruit_lost(s);
	else
		recruit_failed(s);
}

void
pool_bury(struct service *s, unsigned place, const struct ending *ending)
{
	struct pool *pool = &s->pool;
	struct worker *w = &pool->workers[place];
	struct live_job *job = jobs_find(&s->jobs, w->job);
	struct happening reaped = {.event = JOB_EVENT_REAPED,
				   .cause = {.limit = LIMIT_NONE},
				   .ending = ending};

	if (w->state == WORKER_STARTING)
		recruit_hear(s, place); /* its last words say more */
	if (w->state == WORKER_WARM)
		on_unused_end(s, w, ending);
	deadline_clear(&s->deadlines, &w->ready);
	pool->memory_used_bytes -= w->memory_bytes;
	pool->batch_busy -= w->batch;
	pool->stuck -= w->stuck;
	fd_close(&w->pidfd);
	fd_close(&w->channel);
	pool_enter(pool, w, WORKER_NONE);
	*w = (struct worker){.pidfd = -1, .channel = -1};
	if (job != NULL)
		BUG_ON(life_happen(s, job, &reaped) != ST_OK);
}

void
pool_reap(struct service *s, unsigned place)
{
	struct ending ending;

	if (ending_take(s->pool.workers[place].pidfd, &ending))
		pool_bury(s, place, &ending);
}
