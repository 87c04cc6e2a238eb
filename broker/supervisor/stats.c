/*
 * Counts, and reports.
 */
#include "broker/supervisor/stats.h"

#include "broker/supervisor/clock.h"
#include "broker/supervisor/service.h"

/* The mean follows the last dozen jobs or so. */
#define MEAN_WEIGHT 8

static enum death
death_of_limit(enum limit limit)
{
	if (limit == LIMIT_CPU_SECONDS)
		return DEATH_CPU;
	return limit == LIMIT_WALL_SECONDS ? DEATH_WALL : DEATH_STALL;
}

/* False when the worker ended by itself. One whose memory is spent says so and
 * ends by itself. */
static bool
death_of(const struct obituary_record *o, enum death *death_out)
{
	static const struct {
		enum status status;
		enum death death;
	} deaths[] = {
	    {ST_WORKER_CRASHED, DEATH_CRASHED},
	    {ST_WORKER_POLICY_VIOLATION, DEATH_POLICY_VIOLATION},
	    {ST_WORKER_KILLED, DEATH_KILLED},
	    {ST_FRONT_LOST, DEATH_FRONT_LOST},
	    {ST_CANCELLED, DEATH_CANCELLED},
	    {ST_BAD_REPLY, DEATH_BAD_REPLY},
	    {ST_WORKER_START_FAILED, DEATH_START_FAILED},
	};

	if (o->status == ST_LIMIT_EXCEEDED) {
		*death_out = death_of_limit(o->limit);
		return true;
	}
	for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		if (deaths[i].status == o->status) {
			*death_out = deaths[i].death;
			return true;
		}
	}
	return false;
}

void
stats_count_job(struct stats *stats, const struct obituary_record *o,
		bool had_worker)
{
	enum death death;

	stats->jobs_ended++;
	if (!had_worker)
		return;
	if (death_of(o, &death))
		stats->tallies.deaths[death]++;
	if (o->peak_rss_bytes > stats->tallies.peak_rss_bytes)
		stats->tallies.peak_rss_bytes = o->peak_rss_bytes;
	if (stats->mean_job_us == 0)
		stats->mean_job_us = o->wall_us;
	stats->mean_job_us -= stats->mean_job_us / MEAN_WEIGHT;
	stats->mean_job_us += o->wall_us / MEAN_WEIGHT;
}

void
stats_count_verdict(struct stats *stats, const struct verdict_record *verdict,
		    uint64_t over_us)
{
	struct tallies *t = &stats->tallies;

	t->ended[verdict->format][verdict->status]++;
	histogram_add(&t->job_us, histogram_job_us, over_us);
	if (verdict->input_bytes > 0)
		histogram_add(&t->input_bytes, histogram_input_bytes,
			      verdict->input_bytes);
}

static uint32_t
queued_batch(const struct jobs *jobs)
{
	const struct live_job *job;
	uint32_t count = 0;

	TAILQ_FOREACH(job, &jobs->of[JOB_QUEUED], line)
		count += job->class == JOB_CLASS_BATCH;
	return count;
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
	    .workers_failed_start = stats->workers_failed_start,
	    .front_restarts = s->front.restarts,
	    .sandbox = pool->sandbox,
	    .workers_wanted = s->config.workers_wanted,
	    .jobs_queued_batch = queued_batch(&s->jobs),
	    .tallies = stats->tallies,
	};
}
