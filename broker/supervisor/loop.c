/*
 * The loop: wait for the next deadline or event, then go through what may have
 * happened, in the same order each time. What is waited for is listed afresh
 * each turn, from the tables, so that it can never be out of step with them;
 * an entry whose owner is gone meanwhile is skipped.
 */
#include "broker/supervisor/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/notify.h"
#include "broker/supervisor/records.h"
#include "broker/supervisor/recruit.h"
#include "broker/supervisor/room_keeper.h"
#include "broker/supervisor/service.h"
#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/fd.h"

/* Signals, lifeline, the room's holder and its word, the front's process and
 * its link. */
#define FIXED_WATCHES 6

enum watch_kind {
	WATCH_SIGNALS,
	WATCH_LIFELINE,
	WATCH_ROOM_WORD,
	WATCH_ROOM,
	WATCH_FRONT,
	WATCH_LINK,
	WATCH_WORKER,	  /* its process */
	WATCH_FIRST_WORD, /* its channel, until it is READY */
	WATCH_LEASE,	  /* a client's connection: hang-up only */
};

struct watch {
	enum watch_kind kind;
	uint64_t owner; /* a worker's place, a job's id */
};

/* Two arrays side by side: what the kernel wants, and what it is for. */
struct watches {
	struct pollfd *fds;    /* owned */
	struct watch *watches; /* owned */
	size_t len, cap;
};

static void
watch(struct watches *w, enum watch_kind kind, uint64_t owner, int fd,
      short events)
{
	if (fd < 0)
		return;
	BUG_ON(w->len == w->cap);
	w->fds[w->len] = (struct pollfd){.fd = fd, .events = events};
	w->watches[w->len++] = (struct watch){.kind = kind, .owner = owner};
}

static void
watch_workers(struct watches *w, const struct pool *pool)
{
	for (unsigned i = 0; i < pool->places; i++) {
		const struct worker *worker = &pool->workers[i];

		watch(w, WATCH_WORKER, i, worker->pidfd, POLLIN);
		if (worker->state == WORKER_STARTING)
			watch(w, WATCH_FIRST_WORD, i, worker->channel, POLLIN);
	}
}

static void
watch_leases(struct watches *w, const struct jobs *jobs)
{
	const struct live_job *job;

	for (unsigned state = JOB_QUEUED; state <= JOB_DELIVERING; state++)
		TAILQ_FOREACH(job, &jobs->of[state], line)
			if (job->leased)
				watch(w, WATCH_LEASE, job->id, job->connection,
				      0);
}

static void
list_watches(struct watches *w, const struct service *s)
{
	const struct front *front = &s->front;
	bool waits = !letterbox_empty(&front->box) && !front->box.starved;
	short link_events = waits ? POLLIN | POLLOUT : POLLIN;

	w->len = 0;
	watch(w, WATCH_SIGNALS, 0, s->signal_fd, POLLIN);
	watch(w, WATCH_LIFELINE, 0, s->config.lifeline_fd, 0);
	watch(w, WATCH_ROOM_WORD, 0, s->room.word, POLLIN);
	watch(w, WATCH_ROOM, 0, s->room.pidfd, POLLIN);
	watch(w, WATCH_FRONT, 0, front->pidfd, POLLIN);
	if (!front->condemned)
		watch(w, WATCH_LINK, 0, front->link, link_events);
	watch_workers(w, &s->pool);
	watch_leases(w, &s->jobs);
}

static bool
watches_init(struct watches *w, const struct service *s)
{
	w->len = 0;
	w->cap = FIXED_WATCHES + 2 * (size_t)s->pool.places + s->config.queue +
		 s->config.workers + s->config.spare;
	w->fds = calloc(w->cap, sizeof(w->fds[0]));
	w->watches = calloc(w->cap, sizeof(w->watches[0]));
	return w->fds != NULL && w->watches != NULL;
}

static void
watches_fini(struct watches *w)
{
	free(w->fds);
	free(w->watches);
}

/* When to wake up even if nothing happens; UINT64_MAX: never. */
static uint64_t
latest(const struct service *s, uint64_t now_us)
{
	const struct deadline *first = deadlines_first(&s->deadlines);
	uint64_t at_us = first == NULL ? UINT64_MAX : first->at_us;
	uint64_t retry_us = now_us + CHAN_SHORT_MS * US_PER_MS;
	bool starved = s->front.box.starved || s->pool.starved;

	return starved && retry_us < at_us ? retry_us : at_us;
}

/* Sleeps until something happens or the first deadline is due. */
static void
wait_for_events(struct watches *w, struct service *s)
{
	struct timespec left = {0}, *timeout = NULL;
	uint64_t now_us = clock_us(), at_us = latest(s, now_us);

	if (at_us != UINT64_MAX) {
		uint64_t us = at_us > now_us ? at_us - now_us : 0;

		left.tv_sec = (time_t)(us / US_PER_SECOND);
		left.tv_nsec = (long)(us % US_PER_SECOND) * 1000;
		timeout = &left;
	}
	if (ppoll(w->fds, (nfds_t)w->len, timeout, NULL) < 0) {
		BUG_ON(errno != EINTR && errno != ENOMEM);
		w->len = 0;
	}
	s->now_us = clock_us();
}

static void
on_signal(struct service *s)
{
	struct signalfd_siginfo info;

	if (read(s->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	log_event(LOG_LEVEL_INFO, "signal", " number=%u", info.ssi_signo);
	if (s->drain.stage == DRAIN_SERVING)
		drain_begin(s);
	else
		drain_cancel(s);
}

static void
on_lifeline(struct service *s)
{
	fd_close(&s->config.lifeline_fd);
	s->drain.orphaned = true;
	log_event(LOG_LEVEL_INFO, "lifeline_ended", "%s", "");
	drain_cancel(s);
}

static void
on_lease(struct service *s, uint64_t id)
{
	struct live_job *job = jobs_find(&s->jobs, id);

	if (job != NULL && job->connection >= 0)
		life_end(s, job, JOB_EVENT_LEASE_GONE, ST_CANCELLED,
			 RE_CLIENT_GONE);
}

static void
on_event(struct service *s, const struct watch *watch)
{
	const struct worker *worker = NULL;

	if (watch->kind == WATCH_WORKER || watch->kind == WATCH_FIRST_WORD)
		worker = &s->pool.workers[watch->owner];
	switch (watch->kind) {
	case WATCH_SIGNALS:
		on_signal(s);
		break;
	case WATCH_LIFELINE:
		on_lifeline(s);
		break;
	case WATCH_ROOM_WORD:
		room_keeper_hear(s);
		break;
	case WATCH_ROOM:
		room_keeper_lost(s);
		break;
	case WATCH_FRONT:
		front_reap(s);
		break;
	case WATCH_LINK:
		records_read(s);
		break;
	case WATCH_WORKER:
		pool_reap(s, (unsigned)watch->owner);
		break;
	case WATCH_FIRST_WORD:
		if (worker->state == WORKER_STARTING)
			recruit_hear(s, (unsigned)watch->owner);
		break;
	case WATCH_LEASE:
		on_lease(s, watch->owner);
		break;
	}
}

static void
handle_events(const struct watches *w, struct service *s)
{
	for (size_t i = 0; i < w->len; i++)
		if (w->fds[i].revents != 0)
			on_event(s, &w->watches[i]);
}

static void
on_job_deadline(struct service *s, const struct deadline *due)
{
	struct live_job *job = jobs_find(&s->jobs, due->owner);

	BUG_ON(job == NULL);
	switch (due->kind) {
	case DEADLINE_TICKET:
		life_end(s, job, JOB_EVENT_TICKET, ST_CANCELLED,
			 RE_TICKET_EXPIRED);
		break;
	case DEADLINE_WALL:
		life_end(s, job, JOB_EVENT_DEADLINE, ST_LIMIT_EXCEEDED,
			 RE_NONE);
		break;
	case DEADLINE_STALL:
		if (front_is_quiet(s))
			life_event(s, job, JOB_EVENT_ALIVE);
		else
			life_end(s, job, JOB_EVENT_STALL, ST_LIMIT_EXCEEDED,
				 RE_NONE);
		break;
	case DEADLINE_GRACE:
		life_event(s, job, JOB_EVENT_UNREAPED);
		break;
	default:
		life_event(s, job, JOB_EVENT_FORGET);
	}
}

static void
on_deadline(struct service *s, const struct deadline *due)
{
	switch (due->kind) {
	case DEADLINE_TICKET:
	case DEADLINE_WALL:
	case DEADLINE_STALL:
	case DEADLINE_GRACE:
	case DEADLINE_FORGET:
		on_job_deadline(s, due);
		break;
	case DEADLINE_WORKER_READY:
		recruit_late(s, (unsigned)due->owner);
		break;
	case DEADLINE_REFILL:
		break; /* it was to wake us: the pool is refilled each turn */
	case DEADLINE_ROOM:
		room_keeper_late(s);
		break;
	case DEADLINE_FRONT_START:
		front_start(s);
		break;
	case DEADLINE_FRONT_READY:
		front_late(s);
		break;
	case DEADLINE_FRONT_SILENT:
		front_silent(s, due->at_us);
		break;
	case DEADLINE_DRAIN:
	case DEADLINE_FLUSH:
		drain_late(s);
		break;
	}
}

static void
handle_deadlines(struct service *s)
{
	struct deadline due;

	while (deadlines_take_due(&s->deadlines, s->now_us, &due))
		on_deadline(s, &due);
}

/* A parent learns that jobs are taken even if no worker can be started, since
 * then they are answered, with that. */
static void
announce(struct service *s)
{
	if (!s->front.ready)
		return;
	if (s->pool.proven || s->pool.failures >= POOL_FAILURES_MAX)
		notify_parent(&s->config.ready_fd);
	if (s->pool.proven && !s->announced) {
		s->announced = true;
		notify_systemd("READY=1");
		log_event(LOG_LEVEL_INFO, "ready", " dir=%s",
			  s->config.runtime_dir);
	}
}

void
loop_run(struct service *s)
{
	struct watches watches;

	if (!watches_init(&watches, s))
		die(EXIT_STATUS_FAILED, "no memory");
	while (s->drain.stage != DRAIN_DONE) {
		recruit_fill(s);
		list_watches(&watches, s);
		wait_for_events(&watches, s);
		handle_deadlines(s);
		/* signals, children, the front's records, leases */
		handle_events(&watches, s);
		pool_assign(s);
		front_tend(s);
		announce(s);
		drain_advance(s);
	}
	watches_fini(&watches);
}

void
loop_prove_sandbox(struct service *s)
{
	struct watches watches;

	if (!watches_init(&watches, s))
		die(EXIT_STATUS_FAILED, "no memory");
	while (s->drain.stage != DRAIN_DONE && !s->pool.proven &&
	       s->pool.failures == 0) {
		recruit_fill(s);
		list_watches(&watches, s);
		wait_for_events(&watches, s);
		handle_deadlines(s);
		handle_events(&watches, s);
		drain_advance(s);
	}
	if (s->drain.stage != DRAIN_DONE && !s->pool.proven)
		die(EXIT_STATUS_NO_SANDBOX,
		    "no sandbox, no service: the first worker: %s",
		    s->pool.refusal[0] == '\0' ? "it cannot be started"
					       : s->pool.refusal);
	watches_fini(&watches);
}
