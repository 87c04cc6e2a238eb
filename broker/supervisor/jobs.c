/*
 * The table of jobs.
 *
 * A job's place is its id modulo the size of the table, so that finding it
 * needs no search; ids count up and skip those whose place is taken. The table
 * is its own mapping, which the kernel wipes in a fork: the holder of the room
 * has no tickets in its memory.
 */
#include "broker/supervisor/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "proto/bug.h"
#include "proto/fd.h"

#define DEADLINES_A_JOB 3

static size_t
table_bytes(const struct jobs *jobs)
{
	return jobs->cap * sizeof(struct live_job);
}

static void
fill_random(void *out, size_t len)
{
	/* blocks only before the kernel has any entropy, at boot */
	BUG_ON(getrandom(out, len, 0) != (ssize_t)len);
}

bool
jobs_init(struct jobs *jobs, unsigned busy)
{
	/* all that are busy may end before the surplus is forgotten; and half
	 * of the places stay free */
	size_t wanted = 2 * (2 * (size_t)busy + JOBS_ENDED_MAX);

	*jobs = (struct jobs){.cap = 1};
	while (jobs->cap < wanted)
		jobs->cap *= 2;
	for (unsigned i = 0; i < JOB_STATE_COUNT; i++)
		TAILQ_INIT(&jobs->of[i]);
	/* ids do not tell how many jobs there were, nor clash with those of a
	 * service that was here before */
	fill_random(&jobs->next_id, sizeof(jobs->next_id));
	/* resident now: ids touch all of it sooner or later, and then nobody
	 * makes us grow by submitting */
	jobs->table = mmap(NULL, table_bytes(jobs), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (jobs->table == MAP_FAILED) {
		jobs->table = NULL;
		return false;
	}
	return madvise(jobs->table, table_bytes(jobs), MADV_WIPEONFORK) == 0;
}

void
jobs_fini(struct jobs *jobs)
{
	if (jobs->table == NULL)
		return;
	for (size_t i = 0; i < jobs->cap; i++)
		if (jobs->table[i].id != 0)
			jobs_remove(jobs, &jobs->table[i]);
	munmap(jobs->table, table_bytes(jobs));
	jobs->table = NULL;
}

size_t
jobs_deadlines(const struct jobs *jobs)
{
	return DEADLINES_A_JOB * jobs->cap;
}

static struct live_job *
place_of(struct jobs *jobs, uint64_t id)
{
	return &jobs->table[id & (jobs->cap - 1)];
}

struct live_job *
jobs_find(struct jobs *jobs, uint64_t id)
{
	struct live_job *job = place_of(jobs, id);

	return id != 0 && job->id == id ? job : NULL;
}

/* The table is at most half full, so this ends soon. */
static struct live_job *
take_place(struct jobs *jobs, uint64_t *id_out)
{
	struct live_job *job;
	uint64_t id;

	do {
		id = jobs->next_id++;
		job = place_of(jobs, id);
	} while (id == 0 || job->id != 0);
	*id_out = id;
	return job;
}

struct live_job *
jobs_add(struct jobs *jobs, struct span record)
{
	struct live_job *job;
	uint8_t *copy;
	uint64_t id;

	BUG_ON(2 * (jobs_busy(jobs) + jobs->count[JOB_ENDED]) > jobs->cap);
	if (record.len > JOBS_RECORD_BYTES_MAX - jobs->record_bytes)
		return NULL;
	copy = malloc(record.len);
	if (copy == NULL)
		return NULL;
	memcpy(copy, record.data, record.len);
	job = take_place(jobs, &id);
	*job = (struct live_job){.id = id,
				 .record = copy,
				 .record_len = record.len,
				 .connection = -1,
				 .channel = -1,
				 .worker = -1,
				 .cause = {.limit = LIMIT_NONE}};
	fill_random(job->ticket, sizeof(job->ticket));
	jobs->record_bytes += record.len;
	TAILQ_INSERT_TAIL(&jobs->of[JOB_ADMITTED], job, line);
	jobs->count[JOB_ADMITTED]++;
	return job;
}

void
jobs_move(struct jobs *jobs, struct live_job *job, enum job_state state)
{
	TAILQ_REMOVE(&jobs->of[job->state], job, line);
	jobs->count[job->state]--;
	job->state = state;
	TAILQ_INSERT_TAIL(&jobs->of[state], job, line);
	jobs->count[state]++;
}

void
jobs_remove(struct jobs *jobs, struct live_job *job)
{
	TAILQ_REMOVE(&jobs->of[job->state], job, line);
	jobs->count[job->state]--;
	jobs->record_bytes -= job->record_len;
	free(job->record);
	fd_close(&job->connection);
	fd_close(&job->channel);
	*job = (struct live_job){.id = 0};
}

unsigned
jobs_busy(const struct jobs *jobs)
{
	unsigned busy = 0;

	for (unsigned i = 0; i < JOB_ENDED; i++)
		busy += jobs->count[i];
	return busy;
}

unsigned
jobs_arrived(const struct jobs *jobs)
{
	return jobs_busy(jobs) - jobs->count[JOB_ADMITTED];
}

unsigned
jobs_arrived_batch(const struct jobs *jobs)
{
	const struct live_job *job;
	unsigned batch = 0;

	for (unsigned i = JOB_QUEUED; i < JOB_ENDED; i++)
		TAILQ_FOREACH(job, &jobs->of[i], line)
			batch += job->class == JOB_CLASS_BATCH;
	return batch;
}
