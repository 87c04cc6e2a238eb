/*
 * What is counted: each job once, each death by its cause.
 */
#include "broker/supervisor/stats.h"

#include <signal.h>

#include "tests/unit/supervisor/fixture.h"

static uint64_t
over(const struct stats *stats)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		for (unsigned k = 0; k < ST_COUNT; k++)
			sum += stats->tallies.ended[i][k];
	return sum;
}

static enum status
say_verdict(struct fixture *f, uint64_t job, enum status status)
{
	struct verdict_record verdict = {.status = status,
					 .format = FORMAT_V8_CPUPROFILE,
					 .input_bytes = 2000};
	struct writer w;
	int none = -1;

	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_VERDICT, job);
	verdict_write(&w, &verdict);
	return fixture_say(f, &w, &none);
}

/* A job that was run, and whose worker exited well. */
static struct live_job *
ended_job(struct fixture *f)
{
	struct live_job *job = fixture_job(f);
	int door = fixture_start(f, job->id), far = fixture_worker(f);

	pool_assign(&f->s);
	fixture_reap(f, job);
	fd_close(&door);
	fd_close(&far);
	return job;
}

Test(stats, a_verdict_counts_its_job_once)
{
	struct fixture *f = fixture_new();
	struct live_job *job = ended_job(f);
	const struct tallies *t = &f->s.stats.tallies;

	cr_assert_eq(say_verdict(f, job->id, ST_EMPTY_INPUT), ST_OK);
	cr_assert_eq(say_verdict(f, job->id, ST_OK), ST_OK);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERED, job->id), ST_OK);
	cr_assert_eq(t->ended[FORMAT_V8_CPUPROFILE][ST_EMPTY_INPUT], 1);
	cr_assert_eq(over(&f->s.stats), f->s.stats.jobs_accepted);
	cr_assert_eq(t->input_bytes.sum, 2000);
	fixture_free(f);
}

Test(stats, a_verdict_before_the_end_condemns_the_front)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);

	cr_assert_eq(say_verdict(f, job->id, ST_OK), ST_BAD_REPLY);
	fixture_free(f);
}

Test(stats, a_job_without_a_verdict_is_counted_when_it_is_forgotten)
{
	struct fixture *f = fixture_new();
	struct live_job *job = ended_job(f);

	cr_assert_eq(over(&f->s.stats), 0);
	life_event(&f->s, job, JOB_EVENT_FORGET);
	cr_assert_eq(f->s.stats.tallies.ended[FORMAT_ANY][ST_FRONT_LOST], 1);
	cr_assert_eq(over(&f->s.stats), 1);
	fixture_free(f);
}

Test(stats, accepted_jobs_are_live_or_over)
{
	struct fixture *f = fixture_new();
	struct live_job *job;

	fixture_job(f);
	job = ended_job(f);
	cr_assert_eq(f->s.stats.jobs_accepted,
		     jobs_busy(&f->s.jobs) + f->s.jobs.count[JOB_ENDED]);
	life_event(&f->s, job, JOB_EVENT_FORGET);
	cr_assert_eq(f->s.stats.jobs_accepted,
		     jobs_busy(&f->s.jobs) + over(&f->s.stats));
	fixture_free(f);
}

static enum death
death_by(enum status status, enum limit limit)
{
	struct stats stats = {0};
	struct obituary_record o = {.status = status,
				    .limit = limit,
				    .wall_us = 5};
	enum death found = DEATH_COUNT;

	stats_count_job(&stats, &o, true);
	for (unsigned i = 0; i < DEATH_COUNT; i++) {
		if (stats.tallies.deaths[i] == 0)
			continue;
		cr_assert_eq(found, DEATH_COUNT);
		found = (enum death)i;
	}
	return found;
}

Test(stats, a_death_is_counted_by_its_cause)
{
	cr_assert_eq(death_by(ST_OK, LIMIT_NONE), DEATH_COUNT);
	cr_assert_eq(death_by(ST_WORKER_CRASHED, LIMIT_NONE), DEATH_CRASHED);
	cr_assert_eq(death_by(ST_WORKER_KILLED, LIMIT_NONE), DEATH_KILLED);
	cr_assert_eq(death_by(ST_WORKER_POLICY_VIOLATION, LIMIT_NONE),
		     DEATH_POLICY_VIOLATION);
	cr_assert_eq(death_by(ST_CANCELLED, LIMIT_NONE), DEATH_CANCELLED);
	cr_assert_eq(death_by(ST_FRONT_LOST, LIMIT_NONE), DEATH_FRONT_LOST);
	cr_assert_eq(death_by(ST_BAD_REPLY, LIMIT_NONE), DEATH_BAD_REPLY);
	cr_assert_eq(death_by(ST_EMPTY_INPUT, LIMIT_NONE), DEATH_COUNT);
	cr_assert_eq(death_by(ST_LIMIT_EXCEEDED, LIMIT_CPU_SECONDS), DEATH_CPU);
	cr_assert_eq(death_by(ST_LIMIT_EXCEEDED, LIMIT_WALL_SECONDS),
		     DEATH_WALL);
	cr_assert_eq(death_by(ST_LIMIT_EXCEEDED, LIMIT_STALL_SECONDS),
		     DEATH_STALL);
}

/* A worker may die within the microsecond in which it was given its job. */
Test(stats, a_death_at_once_is_one)
{
	static const struct ending crash = {.signal = SIGSEGV};
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	int door = fixture_start(f, job->id), far = fixture_worker(f);

	pool_assign(&f->s);
	pool_bury(&f->s, (unsigned)job->worker, &crash);
	cr_assert_eq(job->obituary.wall_us, 0);
	cr_assert_eq(f->s.stats.tallies.deaths[DEATH_CRASHED], 1);
	fd_close(&door);
	fd_close(&far);
	fixture_free(f);
}

Test(stats, a_job_that_had_no_worker_killed_none)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);

	cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
	cr_assert_eq(f->s.stats.jobs_ended, 1);
	for (unsigned i = 0; i < DEATH_COUNT; i++)
		cr_assert_eq(f->s.stats.tallies.deaths[i], 0);
	cr_assert_eq(f->s.stats.mean_job_us, 0);
	fixture_free(f);
}

Test(stats, a_refusal_is_counted_by_its_reason)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	unsigned places = f->s.config.workers + f->s.config.queue;

	for (unsigned i = 0; i < places; i++)
		fixture_job(f);
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(f->s.stats.tallies.rejected[REJECTED_QUEUE_FULL], 1);
	f->s.drain.stage = DRAIN_DRAINING;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(f->s.stats.tallies.rejected[REJECTED_SHUTTING_DOWN], 1);
	fixture_free(f);
}

Test(stats, the_largest_worker_stays)
{
	struct stats stats = {0};
	struct obituary_record large = {.peak_rss_bytes = 3 * MIB};
	struct obituary_record small = {.peak_rss_bytes = MIB};

	stats_count_job(&stats, &large, true);
	stats_count_job(&stats, &small, true);
	cr_assert_eq(stats.tallies.peak_rss_bytes, 3 * MIB);
}

/* A refused client is told to come back after so long. */
Test(stats, the_mean_lies_among_what_it_is_the_mean_of)
{
	struct stats stats = {0};
	struct obituary_record long_one = {.wall_us = 800};
	struct obituary_record short_one = {.wall_us = 80};

	stats_count_job(&stats, &long_one, true);
	cr_assert_eq(stats.mean_job_us, 800);
	stats_count_job(&stats, &short_one, true);
	cr_assert_eq(stats.mean_job_us, 710);
}

Test(stats, an_input_that_was_not_opened_has_no_size)
{
	struct stats stats = {0};
	struct verdict_record verdict = {.status = ST_CANCELLED};

	stats_count_verdict(&stats, &verdict, 0);
	cr_assert_eq(stats.tallies.input_bytes.bucket[0], 0);
	cr_assert_eq(stats.tallies.job_us.bucket[0], 1);
}
