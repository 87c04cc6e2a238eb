/*
 * Counts, and reports.
 */
#include "broker/supervisor/stats.h"

#include "broker/supervisor/clock.h"
#include "broker/supervisor/service.h"

/* The mean follows the last dozen jobs or so. */
#define MEAN_WEIGHT 8

void
stats_count_job(struct stats *stats, enum status status, uint64_t wall_us)
{
	stats->jobs_ended++;
	if (status == ST_WORKER_KILLED)
		stats->workers_killed++;
	if (status == ST_WORKER_CRASHED || status == ST_WORKER_POLICY_VIOLATION)
		stats->workers_crashed++;
	if (wall_us == 0)
		return;
	if (stats->mean_job_us == 0)
		stats->mean_job_us = wall_us;
	stats->mean_job_us -= stats->mean_job_us / MEAN_WEIGHT;
	stats->mean_job_us += wall_us / MEAN_WEIGHT;
}

void
stats_report(const struct service *s, uint64_t request,
	     struct status_record *out)
{
	const struct stats *stats = &s->stats;
	const struct pool *pool = &s->pool;

	*out = (struct status_record){
	    .request = request,
	    .uptime_ms = (s->now_us - stats->start_us) / US_PER_MS,
	    .workers_max = s->config.workers,
	    .workers_warm = pool->count[WORKER_WARM],
	    .workers_starting = pool->count[WORKER_STARTING],
	    .workers_busy = pool->count[WORKER_BUSY],
	    .workers_stuck = pool->stuck,
	    .queue_max = s->config.queue,
	    .jobs_admitted = s->jobs.count[JOB_ADMITTED],
	    .jobs_queued = s->jobs.count[JOB_QUEUED],
	    .memory_total_bytes = s->config.total_memory_bytes,
	    .memory_used_bytes = pool->memory_used_bytes,
	    .jobs_accepted = stats->jobs_accepted,
	    .jobs_refused = stats->jobs_refused,
	    .jobs_ended = stats->jobs_ended,
	    .workers_started = stats->workers_started,
	    .workers_killed = stats->workers_killed,
	    .workers_crashed = stats->workers_crashed,
	    .workers_failed_start = stats->workers_failed_start,
	    .front_restarts = s->front.restarts,
	    .sandbox = pool->sandbox,
	};
}
