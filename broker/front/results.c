/*
 * Counts bytes; the texts themselves lie with their jobs.
 */
#include "broker/front/results.h"

#include "proto/bug.h"

void
results_init(struct results *results, size_t max)
{
	*results = (struct results){.max = max};
}

bool
results_reserve(struct results *results, struct tracked *job)
{
	size_t want = job->job.limits.of[LIMIT_MAX_RESULT_BYTES];

	if (job->reserved > 0)
		return true;
	if (results->used > results->max || want > results->max - results->used)
		return false;
	job->reserved = want;
	results->used += want;
	return true;
}

void
results_settle(struct results *results, struct tracked *job)
{
	results_release(results, job);
	job->reserved = job->final.len;
	results->used += job->reserved;
}

void
results_release(struct results *results, struct tracked *job)
{
	BUG_ON(job->reserved > results->used);
	results->used -= job->reserved;
	job->reserved = 0;
}

struct tracked *
results_oldest_told(const struct ledger *ledger)
{
	struct tracked *job = ledger->ended.oldest;

	while (job != NULL && (!job->told || job->waiters != NULL))
		job = job->younger;
	return job;
}

struct tracked *
results_expired(const struct results *results, const struct ledger *ledger,
		int64_t now_ms)
{
	struct tracked *job = ledger->ended.oldest;

	if (ledger->ended.len > KEPT_JOBS_MAX || results->used > results->max)
		return job;
	return job != NULL && now_ms - job->ended_ms >= RESULTS_KEPT_MS ? job
									: NULL;
}
