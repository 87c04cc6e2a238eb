/*
 * Counts bytes; the texts themselves lie with their jobs.
 */
#include "broker/front/results.h"

#include "proto/bug.h"

void
results_init(struct results *results, size_t max, int64_t ttl_ms)
{
	*results = (struct results){.max = max, .ttl_ms = ttl_ms};
}

/* The most that its result takes, or all there is. */
static size_t
wanted(const struct results *results, const struct tracked *job)
{
	uint64_t want = job->job.limits.of[LIMIT_MAX_RESULT_BYTES];

	return want < results->max ? (size_t)want : results->max;
}

bool
results_reserve(struct results *results, struct tracked *job)
{
	size_t want = wanted(results, job);

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
	results->kept += job->reserved;
}

void
results_release(struct results *results, struct tracked *job)
{
	BUG_ON(job->reserved > results->used);
	results->used -= job->reserved;
	if (job->stage == STAGE_ENDED)
		results->kept -= job->reserved;
	job->reserved = 0;
}

/* The oldest that nobody waits for, and, if so asked, somebody was sent. */
static struct tracked *
oldest(const struct ledger *ledger, bool told)
{
	struct tracked *job = ledger->ended.oldest;

	while (job != NULL && (job->waiters != NULL || (told && !job->told)))
		job = job->younger;
	return job;
}

struct tracked *
results_in_the_way(const struct results *results, const struct ledger *ledger,
		   const struct tracked *job)
{
	struct tracked *old = oldest(ledger, true);

	if (old == NULL &&
	    (results->kept > results->max ||
	     wanted(results, job) > results->max - results->kept))
		old = oldest(ledger, false);
	return old;
}

struct tracked *
results_expired(const struct results *results, const struct ledger *ledger,
		int64_t now_ms)
{
	struct tracked *first = ledger->ended.oldest, *job = NULL;

	if (results->used > results->max) {
		job = oldest(ledger, true);
		job = job == NULL ? oldest(ledger, false) : job;
		/* nobody who waits may keep us from our bound */
		return job == NULL ? first : job;
	}
	if (ledger->ended.len > KEPT_JOBS_MAX)
		return first;
	return first != NULL && now_ms - first->ended_ms >= results->ttl_ms
		   ? first
		   : NULL;
}

void
results_remember(struct results *results, uint64_t job)
{
	results->gone[results->gone_next] = job;
	results->gone_next = (results->gone_next + 1) % RESULTS_GONE_MAX;
}

bool
results_went(const struct results *results, uint64_t job)
{
	for (size_t i = 0; i < RESULTS_GONE_MAX; i++)
		if (results->gone[i] == job)
			return job != 0;
	return false;
}
