/*
 * From a free place to a warm worker: the room, the spawn, its first words.
 */
#include "broker/supervisor/recruit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/room_keeper.h"
#include "broker/supervisor/service.h"
#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/failure.h"
#include "proto/fd.h"
#include "proto/frame.h"
#include "proto/terms.h"

#define READY_US (10 * US_PER_SECOND)
#define BACKOFF_US_MIN (50 * US_PER_MS)
#define BACKOFF_US_MAX (5 * US_PER_SECOND)

/* Warm workers that were killed are made anew at once; but more than a whole
 * pool and this many within a second, and the rest of it is waited out, so that
 * who kills them all the time does not keep us busy with that. */
#define LOST_US (1 * US_PER_SECOND)
#define LOST_MORE 32

static void
wait_until(struct service *s, uint64_t at_us)
{
	struct pool *pool = &s->pool;

	if (pool->retry_us < at_us)
		pool->retry_us = at_us;
	deadline_set(&s->deadlines, &pool->refill, DEADLINE_REFILL, 0,
		     pool->retry_us);
}

void
recruit_failed(struct service *s)
{
	struct pool *pool = &s->pool;
	uint64_t delay = BACKOFF_US_MIN;

	for (unsigned i = 0; i < pool->failures && delay < BACKOFF_US_MAX; i++)
		delay *= 2;
	if (delay > BACKOFF_US_MAX)
		delay = BACKOFF_US_MAX;
	pool->failures++;
	s->stats.workers_failed_start++;
	wait_until(s, s->now_us + delay);
}

void
recruit_lost(struct service *s)
{
	struct pool *pool = &s->pool;

	if (s->now_us >= pool->lost_since_us + LOST_US) {
		pool->lost_since_us = s->now_us;
		pool->lost = 0;
	}
	if (++pool->lost > pool->places + LOST_MORE)
		wait_until(s, pool->lost_since_us + LOST_US);
}

/* Before the first worker was ready: what the service then ends with. */
static void
refuse(struct service *s, const char *why)
{
	if (!s->pool.proven)
		snprintf(s->pool.refusal, sizeof(s->pool.refusal), "%s", why);
}

static uint32_t
layers_arranged(const struct service *s)
{
	return (s->room.state == ROOM_STANDS ? 1U << SANDBOX_ROOM : 0) |
	       (s->identities.worker.change ? 1U << SANDBOX_OWN_UID : 0);
}

static bool
spawn_worker(struct service *s, int channel, struct child *child_out)
{
	char parent[16], layers[16];
	const char *argv[] = {"extract-worker", parent, layers, NULL};
	struct spawn_order order = {
	    .program_fd = s->programs.worker_fd,
	    .argv = argv,
	    .null_fd = s->programs.null_fd,
	    .fds_len = 2,
	    .fds = {channel, s->filter_fd},
	    .identity = s->identities.worker,
	    .room_pidfd = s->room.state == ROOM_STANDS ? s->room.pidfd : -1,
	};
	struct spawn_error error;
	char why[128];

	snprintf(parent, sizeof(parent), "%d", (int)getpid());
	snprintf(layers, sizeof(layers), "%" PRIu32, layers_arranged(s));
	if (spawn(&order, child_out, &error))
		return true;
	log_failure("worker_start_failed", error.step, error.error);
	snprintf(why, sizeof(why), "it cannot be started: %s: %s", error.step,
		 strerror(error.error));
	refuse(s, why);
	if (strcmp(error.step, SPAWN_STEP_ROOM) == 0)
		room_keeper_leave(s);
	return false;
}

static bool
start_one(struct service *s)
{
	struct worker *w = pool_find(&s->pool, WORKER_NONE);
	struct child child;
	int chan[2];
	bool started;

	BUG_ON(w == NULL);
	if (!chan_pair(chan))
		return false;
	started = spawn_worker(s, chan[1], &child);
	fd_close(&chan[1]); /* at once, so that its end is the worker's end */
	if (!started) {
		fd_close(&chan[0]);
		return false;
	}
	w->pid = child.pid;
	w->pidfd = child.pidfd;
	w->channel = chan[0];
	pool_enter(&s->pool, w, WORKER_STARTING);
	deadline_set(&s->deadlines, &w->ready, DEADLINE_WORKER_READY,
		     (uint64_t)(w - s->pool.workers), s->now_us + READY_US);
	s->stats.workers_started++;
	log_event(LOG_LEVEL_DEBUG, "worker_started", " pid=%d", (int)w->pid);
	return true;
}

/* How many more workers should be on their way to being warm. */
static unsigned
missing(const struct service *s)
{
	const struct pool *pool = &s->pool;
	unsigned workers = s->config.workers;
	unsigned occupied = pool_occupied(pool);
	unsigned wanted = occupied < workers ? workers - occupied : 0;
	unsigned have = pool->count[WORKER_STARTING] + pool->count[WORKER_WARM];

	if (s->drain.stage != DRAIN_SERVING)
		return 0;
	if (wanted < pool_spare(workers))
		wanted = pool_spare(workers);
	/* after failures one is tried at a time */
	if (pool->failures > 0 && have < wanted)
		wanted = have + (pool->count[WORKER_STARTING] == 0);
	wanted = wanted > have ? wanted - have : 0;
	return wanted < pool->count[WORKER_NONE] ? wanted
						 : pool->count[WORKER_NONE];
}

void
recruit_fill(struct service *s)
{
	unsigned n = missing(s);

	if (n == 0 || s->now_us < s->pool.retry_us || !room_keeper_ready(s))
		return;
	for (; n > 0; n--) {
		if (!start_one(s)) {
			recruit_failed(s);
			return;
		}
	}
}

/* What every worker must have put up by itself before it says READY. */
static bool
is_boxed_in(const struct service *s, uint32_t layers)
{
	uint32_t needed = layers_arranged(s);

	for (unsigned i = 0; i < SANDBOX_LAYER_COUNT; i++)
		if (i != SANDBOX_SECCOMP &&
		    sandbox_layer_required((enum sandbox_layer)i))
			needed |= 1U << i;
	return (layers & needed) == needed;
}

/* NULL when the record is a good READY; else what is wrong. */
static const char *
first_word(struct service *s, struct worker *w, struct span bytes)
{
	static struct failure failure;
	struct ready_record ready;
	struct frame frame;

	if (frame_decode(bytes, PARTY_WORKER, &frame) != ST_OK)
		return "no frame";
	if (frame.message == MSG_FAILED &&
	    failure_read(frame.payload, &failure))
		return failure.message;
	if (frame.message != MSG_READY || !ready_read(frame.payload, &ready))
		return "neither READY nor FAILED";
	if (!is_boxed_in(s, ready.sandbox))
		return "a required layer is not in force";
	/* the filter is put up before the first byte of the artifact */
	w->sandbox = ready.sandbox | 1U << SANDBOX_SECCOMP;
	return NULL;
}

static void
on_ready(struct service *s, struct worker *w)
{
	deadline_clear(&s->deadlines, &w->ready);
	pool_enter(&s->pool, w, WORKER_WARM);
	s->pool.sandbox = w->sandbox;
	s->pool.proven = true;
	log_event(LOG_LEVEL_DEBUG, "worker_ready", " pid=%d", (int)w->pid);
}

/* A worker that was started and will not be ready. */
static void
give_up(struct service *s, unsigned place)
{
	pool_kill(s, place);
	s->stats.tallies.deaths[DEATH_START_FAILED]++;
	recruit_failed(s);
}

void
recruit_hear(struct service *s, unsigned place)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct worker *w = &s->pool.workers[place];
	const char *wrong = "it ended before it was ready";
	char quoted[128];
	struct span bytes;
	enum chan_result result;

	BUG_ON(w->state != WORKER_STARTING);
	result = chan_receive(w->channel, buffer, false, NULL, &bytes);
	if (result == CHAN_AGAIN)
		return;
	if (result == CHAN_OK)
		wrong = first_word(s, w, bytes);
	if (wrong == NULL) {
		on_ready(s, w);
		return;
	}
	log_event(LOG_LEVEL_ERROR, "worker_not_ready", " pid=%d why=%s",
		  (int)w->pid, log_quote(quoted, sizeof(quoted), wrong));
	refuse(s, quoted);
	give_up(s, place);
}

void
recruit_late(struct service *s, unsigned place)
{
	log_event(LOG_LEVEL_ERROR, "worker_not_ready",
		  " pid=%d why=\"it took too long\"",
		  (int)s->pool.workers[place].pid);
	refuse(s, "it took too long");
	give_up(s, place);
}
