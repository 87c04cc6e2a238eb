/*
 * One front after another.
 */
#include "broker/supervisor/fronts.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/records.h"
#include "broker/supervisor/service.h"
#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/fd.h"

#define READY_US (10 * US_PER_SECOND)

/* A front says something every FRONT_HERE_MS. One that has said nothing for so
 * long hangs; it has never so much to do in one turn. */
#define SILENT_US (10 * US_PER_SECOND)
#define QUIET_US (2 * FRONT_HERE_MS * US_PER_MS)

/* The first restart is at once; a front that keeps dying within a few seconds
 * is started at most once a second. */
#define SETTLED_US (5 * US_PER_SECOND)
#define BACKOFF_US_MIN (50 * US_PER_MS)
#define BACKOFF_US_MAX (1 * US_PER_SECOND)

/* So many that died before any was ready: nobody can reach the service. */
#define FIRST_DEATHS_MAX 5

/* What the front may take beside the results it keeps; beyond that it is gone.
 * See docs/SANDBOX.md. */
#define MEMORY_BYTES (768 * MIB)
#define FILES 4096

void
front_init(struct front *front)
{
	*front = (struct front){.pidfd = -1, .link = -1};
	letterbox_init(&front->box, -1);
}

static void
send_kill(const struct front *front)
{
	(void)syscall(SYS_pidfd_send_signal, front->pidfd, SIGKILL, NULL, 0);
}

void
front_fini(struct service *s)
{
	struct front *front = &s->front;

	if (front->pidfd >= 0)
		send_kill(front);
	deadline_clear(&s->deadlines, &front->clock);
	letterbox_fini(&front->box);
	fd_close(&front->link);
	fd_close(&front->pidfd);
}

void
front_condemn(struct service *s, const char *why)
{
	if (s->front.pidfd < 0 || s->front.condemned)
		return;
	log_event(LOG_LEVEL_ERROR, "front_condemned", " pid=%d why=%s",
		  (int)s->front.pid, why);
	s->front.condemned = true;
	send_kill(&s->front);
}

static bool
spawn_front(struct service *s, int link, struct child *child_out,
	    struct spawn_error *error_out)
{
	static const char *const argv[] = {"extractd-front", NULL};
	struct spawn_order order = {
	    .program_fd = s->programs.front_fd,
	    .argv = argv,
	    .null_fd = s->programs.null_fd,
	    .keep_stderr = true,
	    .fds_len = 3,
	    .fds = {link, s->rundir.api_fd, s->rundir.door_fd},
	    .identity = s->identities.front,
	    .room_pidfd = -1,
	    .rlimits_len = 3,
	    .rlimits = {{RLIMIT_AS,
			 MEMORY_BYTES + s->config.result_store_bytes},
			{RLIMIT_NOFILE, FILES},
			{RLIMIT_CORE, 0}},
	};

	return spawn(&order, child_out, error_out);
}

static void
greet(struct service *s)
{
	struct config_record config = {
	    .defaults = s->config.defaults,
	    .ceilings = s->config.ceilings,
	    .workers = s->config.workers,
	    .memory_total_bytes = s->config.total_memory_bytes,
	    .result_ttl_seconds = s->config.result_ttl_seconds,
	    .result_store_bytes = s->config.result_store_bytes,
	    .runtime_dir = span_str(s->config.runtime_dir),
	};

	letter_config(&s->front.box, &config);
	if (s->drain.stage != DRAIN_SERVING)
		letter_drain(&s->front.box);
}

/* Says when the next one is started. */
static void
schedule(struct service *s)
{
	struct front *front = &s->front;
	uint64_t delay = 0;

	if (s->now_us - front->start_us > SETTLED_US)
		front->deaths = 0;
	front->deaths++;
	for (unsigned i = 1; i < front->deaths && delay < BACKOFF_US_MAX; i++)
		delay = delay == 0 ? BACKOFF_US_MIN : 2 * delay;
	if (delay > BACKOFF_US_MAX)
		delay = BACKOFF_US_MAX;
	deadline_set(&s->deadlines, &front->clock, DEADLINE_FRONT_START, 0,
		     s->now_us + delay);
	if (!front->was_ready && front->deaths >= FIRST_DEATHS_MAX) {
		log_event(LOG_LEVEL_ERROR, "front_start_failed", " deaths=%u",
			  front->deaths);
		s->exit_status = EXIT_STATUS_FAILED;
		s->drain.stage = DRAIN_DONE;
	}
}

void
front_start(struct service *s)
{
	struct front *front = &s->front;
	struct spawn_error error = {"channel", 0};
	struct child child;
	int link[2];
	bool started = false;

	front->start_us = s->now_us;
	if (chan_pair(link)) {
		started = spawn_front(s, link[1], &child, &error);
		fd_close(&link[1]);
		if (!started)
			fd_close(&link[0]);
	}
	if (!started) {
		log_event(LOG_LEVEL_ERROR, "front_start_failed",
			  " step=%s error=%d", error.step, error.error);
		schedule(s);
		return;
	}
	front->pid = child.pid;
	front->pidfd = child.pidfd;
	front->link = link[0];
	front->ready = front->condemned = false;
	front->adopting = true;
	letterbox_init(&front->box, front->link);
	deadline_set(&s->deadlines, &front->clock, DEADLINE_FRONT_READY, 0,
		     s->now_us + READY_US);
	log_event(LOG_LEVEL_INFO, "front_started", " pid=%d", (int)child.pid);
	greet(s);
}

static void
watch_for_words(struct service *s)
{
	deadline_set(&s->deadlines, &s->front.clock, DEADLINE_FRONT_SILENT, 0,
		     s->front.heard_us + SILENT_US);
}

void
front_is_ready(struct service *s)
{
	struct live_job *job;

	s->front.ready = s->front.was_ready = true;
	s->front.heard_us = s->now_us;
	watch_for_words(s);
	/* the stall clocks stood while no front was there */
	for (unsigned state = JOB_RUNNING; state <= JOB_DELIVERING; state++)
		TAILQ_FOREACH(job, &s->jobs.of[state], line)
			life_event(s, job, JOB_EVENT_ALIVE);
}

void
front_late(struct service *s)
{
	front_condemn(s, "not_ready");
}

bool
front_is_quiet(const struct service *s)
{
	return s->now_us - s->front.heard_us > QUIET_US;
}

void
front_silent(struct service *s, uint64_t due_us)
{
	/* What it said waits to be read; and when we are late ourselves, we
	 * were stopped, and so was it perhaps. */
	records_read(s);
	if (s->now_us - due_us > US_PER_SECOND)
		s->front.heard_us = s->now_us;
	if (s->now_us - s->front.heard_us >= SILENT_US)
		front_condemn(s, "silent");
	else if (!s->front.condemned)
		watch_for_words(s);
}

void
front_disown_jobs(struct service *s)
{
	struct live_job *job;

	s->front.ready = false;
	for (unsigned state = 0; state < JOB_STATE_COUNT; state++) {
		TAILQ_FOREACH(job, &s->jobs.of[state], line) {
			if (job->known)
				life_end(s, job, JOB_EVENT_FRONT_LOST,
					 ST_FRONT_LOST, RE_NONE);
			/* the rest of a half-read answer is none */
			if (job->state == JOB_DELIVERING)
				fd_close(&job->channel);
			job->known = false;
		}
	}
}

void
front_reap(struct service *s)
{
	struct front *front = &s->front;
	struct ending ending;

	if (!ending_take(front->pidfd, &ending))
		return;
	records_read_last(s);
	log_event(LOG_LEVEL_INFO, "front_ended", " pid=%d signal=%d exit=%d",
		  (int)front->pid, ending.signal, ending.exit_status);
	letterbox_fini(&front->box);
	fd_close(&front->link);
	fd_close(&front->pidfd);
	deadline_clear(&s->deadlines, &front->clock);
	front_disown_jobs(s);
	if (s->drain.stage < DRAIN_FLUSHING) {
		front->restarts++;
		schedule(s);
	}
}

static void
adopt(struct service *s, struct live_job *job)
{
	letter_adopt(&s->front.box, job, s->now_us);
	job->known = true;
	if (job->state == JOB_RUNNING)
		life_event(s, job, JOB_EVENT_ALIVE);
	if (job->state == JOB_ENDED) {
		letter_obituary(&s->front.box, job);
		fd_close(&job->channel);
	}
}

void
front_tend(struct service *s)
{
	struct front *front = &s->front;
	struct live_job *job;

	if (front->link < 0 || front->condemned)
		return;
	letterbox_flush(&front->box);
	for (unsigned state = 0; front->adopting && state < JOB_STATE_COUNT;
	     state++) {
		TAILQ_FOREACH(job, &s->jobs.of[state], line) {
			if (!letterbox_empty(&front->box))
				return; /* go on when there is room */
			if (!job->known)
				adopt(s, job);
		}
	}
	front->adopting = !letterbox_empty(&front->box);
	if (front->box.overflowed)
		front_condemn(s, "does_not_read");
}
