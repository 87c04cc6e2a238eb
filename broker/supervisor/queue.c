/*
 * Start-time fair queuing with jobs as the unit. The list of queued jobs is
 * kept sorted by class, turn and arrival; it is bounded by --queue.
 */
#include "broker/supervisor/queue.h"

#include "broker/supervisor/service.h"

static bool
was_served(const struct class_queue *q, uint64_t client)
{
	for (unsigned i = 0; i < q->served_len; i++)
		if (q->served[i] == client)
			return true;
	return q->served_len == QUEUE_SERVED_MAX;
}

static uint64_t
turn_for(const struct service *s, const struct live_job *job)
{
	const struct class_queue *q = &s->queue.of[job->class];
	const struct live_job *other;
	uint64_t turn = q->turn + was_served(q, job->client);

	TAILQ_FOREACH(other, &s->jobs.of[JOB_QUEUED], line)
		if (other != job && other->class == job->class &&
		    other->client == job->client && other->turn >= turn)
			turn = other->turn + 1;
	return turn;
}

static bool
goes_before(const struct live_job *a, const struct live_job *b)
{
	return a->class != b->class ? a->class < b->class : a->turn < b->turn;
}

void
queue_enter(struct service *s, struct live_job *job)
{
	struct job_list *list = &s->jobs.of[JOB_QUEUED];
	struct live_job *before;

	job->turn = turn_for(s, job);
	TAILQ_REMOVE(list, job, line);
	before = TAILQ_LAST(list, job_list);
	while (before != NULL && goes_before(job, before))
		before = TAILQ_PREV(before, job_list, line);
	if (before == NULL)
		TAILQ_INSERT_HEAD(list, job, line);
	else
		TAILQ_INSERT_AFTER(list, before, job, line);
}

/* Leaves a worker and memory to an interactive job. */
static bool
leaves_enough(const struct service *s, const struct live_job *job,
	      uint64_t free_bytes)
{
	if (s->config.workers < 2 || s->pool.memory_used_bytes == 0)
		return true;
	return s->pool.batch_busy < s->config.workers - 1 &&
	       free_bytes - job->memory_bytes >=
		   s->config.defaults.of[LIMIT_MEMORY_BYTES];
}

bool
queue_may_start(const struct service *s, const struct live_job *job)
{
	uint64_t free_bytes =
	    s->config.total_memory_bytes - s->pool.memory_used_bytes;

	if (pool_occupied(&s->pool) >= s->config.workers ||
	    job->memory_bytes > free_bytes)
		return false;
	return job->class != JOB_CLASS_BATCH ||
	       leaves_enough(s, job, free_bytes);
}

void
queue_started(struct service *s, const struct live_job *job)
{
	struct class_queue *q = &s->queue.of[job->class];

	if (job->turn != q->turn) {
		q->turn = job->turn;
		q->served_len = 0;
	}
	if (q->served_len < QUEUE_SERVED_MAX)
		q->served[q->served_len++] = job->client;
}
