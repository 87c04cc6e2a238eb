/*
 * The table of jobs.
 */
#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/jobs.h"

static const uint8_t record[64] = {1, 2, 3};

Test(jobs, an_id_finds_its_job_and_no_other)
{
	struct jobs jobs;
	struct live_job *a, *b;
	uint64_t gone;

	cr_assert(jobs_init(&jobs, 4));
	a = jobs_add(&jobs, span_of(record, sizeof(record)));
	b = jobs_add(&jobs, span_of(record, sizeof(record)));
	cr_assert_neq(a->id, b->id);
	cr_assert_eq(jobs_find(&jobs, a->id), a);
	cr_assert_eq(jobs_find(&jobs, b->id), b);
	cr_assert_null(jobs_find(&jobs, 0));
	cr_assert_null(jobs_find(&jobs, a->id + jobs.cap));
	gone = a->id;
	jobs_remove(&jobs, a);
	cr_assert_null(jobs_find(&jobs, gone));
	cr_assert_eq(jobs_busy(&jobs), 1);
	jobs_fini(&jobs);
}

Test(jobs, ids_skip_the_places_of_jobs_that_live_long)
{
	struct jobs jobs;
	struct live_job *old;
	uint64_t id;

	cr_assert(jobs_init(&jobs, 1));
	old = jobs_add(&jobs, span_of(record, sizeof(record)));
	id = old->id;
	for (size_t i = 0; i < 3 * jobs.cap; i++) {
		struct live_job *job =
		    jobs_add(&jobs, span_of(record, sizeof(record)));

		cr_assert_neq(job, old);
		jobs_remove(&jobs, job);
	}
	cr_assert_eq(jobs_find(&jobs, id), old);
	jobs_fini(&jobs);
}

Test(jobs, tickets_differ)
{
	struct jobs jobs;
	struct live_job *a, *b;

	cr_assert(jobs_init(&jobs, 4));
	a = jobs_add(&jobs, span_of(record, sizeof(record)));
	b = jobs_add(&jobs, span_of(record, sizeof(record)));
	cr_assert_arr_neq(a->ticket, b->ticket, TICKET_BYTES);
	jobs_fini(&jobs);
}

Test(jobs, records_together_are_bounded)
{
	static uint8_t large[32000];
	struct jobs jobs;
	unsigned added = 0;

	cr_assert(jobs_init(&jobs, 4096));
	while (jobs_add(&jobs, span_of(large, sizeof(large))) != NULL)
		added++;
	cr_assert_eq(added, JOBS_RECORD_BYTES_MAX / sizeof(large));
	jobs_fini(&jobs);
}

Test(jobs, each_state_keeps_its_jobs_in_order)
{
	struct jobs jobs;
	struct live_job *of[3];

	cr_assert(jobs_init(&jobs, 4));
	for (unsigned i = 0; i < 3; i++)
		of[i] = jobs_add(&jobs, span_of(record, sizeof(record)));
	jobs_move(&jobs, of[2], JOB_QUEUED);
	jobs_move(&jobs, of[0], JOB_QUEUED);
	cr_assert_eq(TAILQ_FIRST(&jobs.of[JOB_QUEUED]), of[2]);
	cr_assert_eq(TAILQ_NEXT(of[2], line), of[0]);
	cr_assert_eq(jobs.count[JOB_QUEUED], 2);
	cr_assert_eq(jobs.count[JOB_ADMITTED], 1);
	jobs_fini(&jobs);
}

Test(jobs, a_fork_holds_no_tickets)
{
	struct jobs jobs;
	int status;
	pid_t pid;

	cr_assert(jobs_init(&jobs, 4));
	(void)jobs_add(&jobs, span_of(record, sizeof(record)));
	pid = fork();
	if (pid == 0) {
		const uint8_t *bytes = (const uint8_t *)jobs.table;
		size_t len = jobs.cap * sizeof(jobs.table[0]);

		for (size_t i = 0; i < len; i++)
			if (bytes[i] != 0)
				_exit(1);
		_exit(0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	jobs_fini(&jobs);
}
