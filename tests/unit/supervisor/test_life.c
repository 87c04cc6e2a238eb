/*
 * Whole lives of jobs, with the test as front and as kernel.
 */
#include "broker/supervisor/clock.h"
#include "tests/unit/supervisor/fixture.h"

/* A job that a worker has; *door and *end are the client's and the worker's
 * ends. The front has read CHANNEL. */
static struct live_job *
running_job(struct fixture *f, int *door, int *end)
{
	struct live_job *job = fixture_job(f);
	struct frame frame;
	int channel = -1;

	*door = fixture_start(f, job->id);
	cr_assert_eq(job->state, JOB_QUEUED);
	*end = fixture_worker(f);
	pool_assign(&f->s);
	cr_assert_eq(job->state, JOB_RUNNING);
	cr_assert(fixture_get(f, &frame, &channel));
	cr_assert_eq(frame.message, MSG_CHANNEL);
	cr_assert_geq(channel, 0);
	fd_close(&channel);
	return job;
}

static void
close_ends(int *door, int *end)
{
	fd_close(door);
	fd_close(end);
}

Test(life, a_job_goes_from_admission_to_delivery)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);
	struct obituary_record obituary;
	uint64_t id = job->id;

	cr_assert_eq(fixture_tell(f, MSG_ALIVE, id), ST_OK);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERING, id), ST_OK);
	cr_assert_eq(job->state, JOB_DELIVERING);
	fixture_reap(f, job);
	cr_assert_eq(job->state, JOB_ENDED);
	obituary = fixture_obituary(f);
	cr_assert_eq(obituary.status, ST_OK);
	cr_assert_eq(obituary.peak_rss_bytes, 6);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERED, id), ST_OK);
	cr_assert_null(jobs_find(&f->s.jobs, id));
	cr_assert_null(deadlines_first(&f->s.deadlines));
	cr_assert_eq(f->s.jobs.record_bytes, 0);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, an_ended_job_is_kept_longer_than_the_front_keeps_its_result)
{
	struct fixture *f = fixture_new();
	struct live_job *job;
	int door, end;

	f->s.config.result_ttl_seconds = 900;
	job = running_job(f, &door, &end);
	fixture_reap(f, job);
	cr_assert_eq(job->own.kind, DEADLINE_FORGET);
	cr_assert_eq(job->own.at_us, f->s.now_us + 960 * US_PER_SECOND);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, the_worker_gets_the_job_and_the_door_connection)
{
	struct fixture *f = fixture_new();
	int door, end, connection = -1;
	struct live_job *job = running_job(f, &door, &end);
	struct job_order order;
	struct frame frame;
	struct span bytes;

	cr_assert_eq(chan_receive(end, f->bytes, false, &connection, &bytes),
		     CHAN_OK);
	cr_assert_eq(frame_decode(bytes, PARTY_SUPERVISOR, &frame), ST_OK);
	cr_assert_eq(frame.message, MSG_JOB);
	cr_assert_eq(frame.job, job->id);
	cr_assert(job_order_read(frame.payload, &order));
	cr_assert_eq(order.memory_bytes, 256 * MIB);
	cr_assert_eq(send(door, "F", 1, 0), 1);
	cr_assert_eq(recv(connection, f->bytes, 8, 0), 1);
	fd_close(&connection);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, the_first_cause_is_the_one_that_is_told)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);

	cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
	life_end(&f->s, job, JOB_EVENT_LEASE_GONE, ST_CANCELLED,
		 RE_CLIENT_GONE);
	life_end(&f->s, job, JOB_EVENT_DEADLINE, ST_LIMIT_EXCEEDED, RE_NONE);
	cr_assert_eq(job->state, JOB_RUNNING);
	fixture_reap(f, job);
	cr_assert_eq(fixture_obituary(f).reason, RE_BY_CLIENT);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, a_killed_jobs_client_is_not_watched_any_more)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);

	cr_assert_geq(job->connection, 0);
	life_end(&f->s, job, JOB_EVENT_LEASE_GONE, ST_CANCELLED,
		 RE_CLIENT_GONE);
	cr_assert_eq(job->state, JOB_RUNNING);
	cr_assert_eq(job->connection, -1);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, a_reply_does_not_wait_for_a_worker_that_the_kernel_keeps)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);
	struct obituary_record obituary;

	cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
	cr_assert_eq(job->own.kind, DEADLINE_GRACE);
	cr_assert_eq(job->own.at_us, f->s.now_us + 200000);
	life_event(&f->s, job, JOB_EVENT_UNREAPED);
	obituary = fixture_obituary(f);
	cr_assert(obituary.unreaped);
	cr_assert_eq(obituary.status, ST_CANCELLED);
	cr_assert_eq(f->s.pool.stuck, 1);
	cr_assert_eq(pool_occupied(&f->s.pool), 1);
	cr_assert_eq(f->s.pool.memory_used_bytes, 256 * MIB);
	cr_assert(pool_is_clogged(&f->s));
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, the_stall_clock_follows_alive_and_hold)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);
	uint64_t first = job->stall.at_us;

	cr_assert_eq(first, f->s.now_us + 5000000);
	f->s.now_us += 1000;
	cr_assert_eq(fixture_tell(f, MSG_ALIVE, job->id), ST_OK);
	cr_assert_eq(job->stall.at_us, first + 1000);
	cr_assert_eq(fixture_tell(f, MSG_HOLD, job->id), ST_OK);
	cr_assert(!deadline_is_set(&job->stall));
	cr_assert_eq(job->wall.at_us, job->start_us + 20000000);
	cr_assert_eq(fixture_tell(f, MSG_ALIVE, job->id), ST_OK);
	cr_assert(deadline_is_set(&job->stall));
	close_ends(&door, &end);
	fixture_free(f);
}

/* The front dies, and its successor is there at once. */
static void
change_fronts(struct fixture *f)
{
	struct front *front = &f->s.front;
	int link[2];

	front_disown_jobs(&f->s);
	fd_close(&front->link);
	fd_close(&f->front);
	cr_assert(chan_pair(link));
	front->link = link[0];
	f->front = link[1];
	letterbox_init(&front->box, front->link);
	front->adopting = true;
}

static enum adopt_state
adopted(struct fixture *f, uint64_t id, bool with_channel)
{
	struct adopt_record adopt;
	struct frame frame;
	int channel = -1;

	cr_assert(fixture_get(f, &frame, &channel));
	cr_assert_eq(frame.message, MSG_ADOPT);
	cr_assert_eq(frame.job, id);
	cr_assert_eq(channel >= 0, with_channel);
	fd_close(&channel);
	cr_assert(adopt_read(frame.payload, &adopt));
	return adopt.state;
}

Test(life, a_running_job_goes_on_under_the_next_front)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);

	change_fronts(f);
	cr_assert_eq(job->state, JOB_RUNNING);
	cr_assert(!deadline_is_set(&job->stall));
	front_tend(&f->s);
	cr_assert_eq(adopted(f, job->id, true), ADOPT_RUNNING);
	cr_assert(!deadline_is_set(&job->stall));
	front_is_ready(&f->s);
	cr_assert(deadline_is_set(&job->stall));
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, an_answer_given_while_no_front_was_there_is_not_lost)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);

	change_fronts(f);
	fixture_reap(f, job);
	cr_assert_geq(job->channel, 0);
	front_tend(&f->s);
	cr_assert_eq(adopted(f, job->id, true), ADOPT_RUNNING);
	cr_assert_eq(fixture_obituary(f).status, ST_OK);
	cr_assert_eq(job->channel, -1);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, what_was_half_delivered_is_lost_with_the_front)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *job = running_job(f, &door, &end);

	cr_assert_eq(fixture_tell(f, MSG_DELIVERING, job->id), ST_OK);
	change_fronts(f);
	cr_assert_eq(job->own.kind, DEADLINE_GRACE);
	front_tend(&f->s);
	cr_assert_eq(adopted(f, job->id, false), ADOPT_ENDED,
		     "the rest of the answer is nobody's");
	fixture_reap(f, job);
	cr_assert_eq(fixture_obituary(f).status, ST_FRONT_LOST);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, an_undelivered_result_is_lost_but_a_crash_stays_a_crash)
{
	static const struct ending crash = {.signal = 11};
	struct fixture *f = fixture_new();
	int door[2], end[2];
	struct live_job *well = running_job(f, &door[0], &end[0]);
	struct live_job *crashed = running_job(f, &door[1], &end[1]);

	fixture_reap(f, well);
	pool_bury(&f->s, (unsigned)crashed->worker, &crash);
	change_fronts(f);
	front_tend(&f->s);
	cr_assert_eq(adopted(f, well->id, false), ADOPT_ENDED);
	cr_assert_eq(fixture_obituary(f).status, ST_FRONT_LOST);
	cr_assert_eq(adopted(f, crashed->id, false), ADOPT_ENDED);
	cr_assert_eq(fixture_obituary(f).status, ST_WORKER_CRASHED);
	close_ends(&door[0], &end[0]);
	close_ends(&door[1], &end[1]);
	fixture_free(f);
}

Test(life, waiting_jobs_are_told_when_no_worker_can_be_started)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	int door = fixture_start(f, job->id);

	f->s.pool.failures = POOL_FAILURES_MAX;
	pool_assign(&f->s);
	cr_assert_eq(fixture_obituary(f).status, ST_WORKER_START_FAILED);
	fd_close(&door);
	fixture_free(f);
}

Test(life, a_worker_that_does_not_take_the_job_costs_it_nothing)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	int door = fixture_start(f, job->id);
	int dead = fixture_worker(f), alive;

	fd_close(&dead);
	pool_assign(&f->s);
	cr_assert_eq(job->state, JOB_QUEUED);
	cr_assert_eq(f->s.pool.count[WORKER_DYING], 1);
	alive = fixture_worker(f);
	pool_assign(&f->s);
	cr_assert_eq(job->state, JOB_RUNNING);
	close_ends(&door, &alive);
	fixture_free(f);
}

Test(life, shutting_down_ends_what_waits_and_kills_what_runs_if_told_to)
{
	struct fixture *f = fixture_new();
	int door, end;
	struct live_job *running = running_job(f, &door, &end);
	struct live_job *waiting = fixture_job(f);

	life_shut_down(&f->s, false);
	cr_assert_eq(waiting->state, JOB_ENDED);
	cr_assert_eq(fixture_obituary(f).reason, RE_SHUTDOWN);
	cr_assert_eq(running->cause.status, ST_OK);
	life_shut_down(&f->s, true);
	cr_assert_eq(running->cause.reason, RE_SHUTDOWN);
	close_ends(&door, &end);
	fixture_free(f);
}

Test(life, a_front_that_never_says_delivered_costs_no_memory_without_end)
{
	struct fixture *f = fixture_new();

	for (unsigned i = 0; i < JOBS_ENDED_MAX + 100; i++) {
		struct live_job *job = fixture_job(f);

		cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
		(void)fixture_obituary(f);
	}
	cr_assert_leq(f->s.jobs.count[JOB_ENDED], JOBS_ENDED_MAX + 1);
	fixture_free(f);
}
