/*
 * What holds of the supervisor's tables after every event.
 */
#ifndef TESTS_FUZZ_SUPERVISOR_H
#define TESTS_FUZZ_SUPERVISOR_H

#include "proto/bug.h"
#include "tests/support/supervisor_play.h"

/* A supervisor without processes, whose job ids count from 1; the far end of
 * its front's link. */
static inline int
supervisor_init(struct service *s)
{
	struct config config = {.workers = 2,
				.queue = 2,
				.spare = 2,
				.lifeline_fd = -1};
	int far;

	log_set_level(LOG_LEVEL_ERROR);
	config.ready_fd = -1;
	config.total_memory_bytes = GIB;
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		config.ceilings.of[i] = limit_ceiling((enum limit)i);
	BUG_ON(!service_init(s, &config));
	s->jobs.next_id = 1;
	s->front.link = play_socket(&far);
	letterbox_init(&s->front.box, s->front.link);
	return far;
}

static inline void
supervisor_check_pool(const struct service *s)
{
	unsigned count[WORKER_STATE_COUNT] = {0};
	uint64_t memory = 0;

	for (unsigned i = 0; i < s->pool.places; i++) {
		const struct worker *w = &s->pool.workers[i];

		count[w->state]++;
		memory += w->memory_bytes;
		BUG_ON(w->state == WORKER_NONE && w->memory_bytes != 0);
	}
	BUG_ON(memory != s->pool.memory_used_bytes);
	BUG_ON(memory > s->config.total_memory_bytes);
	BUG_ON(memcmp(count, s->pool.count, sizeof(count)) != 0);
}

static inline void
supervisor_check_jobs(const struct service *s)
{
	unsigned count[JOB_STATE_COUNT] = {0};
	size_t bytes = 0;

	for (unsigned state = 0; state < JOB_STATE_COUNT; state++) {
		const struct live_job *job;

		TAILQ_FOREACH(job, &s->jobs.of[state], line) {
			count[job->state]++;
			bytes += job->record_len;
			BUG_ON(job->state == JOB_RUNNING && job->worker < 0);
			BUG_ON(job->worker >= (int)s->pool.places);
		}
	}
	BUG_ON(bytes != s->jobs.record_bytes);
	BUG_ON(bytes > JOBS_RECORD_BYTES_MAX);
	BUG_ON(memcmp(count, s->jobs.count, sizeof(count)) != 0);
	BUG_ON(jobs_busy(&s->jobs) >
	       s->config.workers + s->config.queue + s->config.spare);
	BUG_ON(s->jobs.count[JOB_ENDED] > JOBS_ENDED_MAX);
}

#endif
