/*
 * Workers and clients that are sockets only: enough for the supervisor's
 * tables to go through all their states without a process.
 */
#ifndef SUPPORT_SUPERVISOR_PLAY_H
#define SUPPORT_SUPERVISOR_PLAY_H

#include <stdlib.h>

#include "broker/supervisor/life.h"
#include "broker/supervisor/records.h"
#include "broker/supervisor/service.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/frame.h"

/* One end; the other is in *far_out. */
static inline int
play_socket(int *far_out)
{
	int pair[2];

	if (!chan_pair(pair))
		abort();
	*far_out = pair[1];
	return pair[0];
}

/* A warm worker at a free place; its end of the channel, -1 when there is no
 * free place. */
static inline int
play_worker(struct service *s)
{
	int far;

	for (unsigned i = 0; i < s->pool.places; i++) {
		struct worker *w = &s->pool.workers[i];

		if (w->state != WORKER_NONE)
			continue;
		w->state = WORKER_WARM;
		w->channel = play_socket(&far);
		s->pool.count[WORKER_NONE]--;
		s->pool.count[WORKER_WARM]++;
		return far;
	}
	return -1;
}

/* All workers that had a job or were killed are reaped. */
static inline void
play_reap(struct service *s, const struct ending *ending)
{
	for (unsigned i = 0; i < s->pool.places; i++)
		if (s->pool.workers[i].state == WORKER_BUSY ||
		    s->pool.workers[i].state == WORKER_DYING)
			pool_bury(s, i, ending);
}

/* Those that were killed are given up, as 200 ms later. */
static inline void
play_grace(struct service *s)
{
	for (unsigned i = 0; i < s->pool.places; i++) {
		struct live_job *job =
		    jobs_find(&s->jobs, s->pool.workers[i].job);

		if (job != NULL && job->state != JOB_ENDED &&
		    job->cause.status != ST_OK)
			life_event(s, job, JOB_EVENT_UNREAPED);
	}
}

#endif
