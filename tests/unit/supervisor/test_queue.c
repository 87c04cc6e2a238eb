/*
 * Who is started next.
 */
#include "broker/supervisor/queue.h"

#include "tests/unit/supervisor/fixture.h"

static struct live_job *
enqueue(struct fixture *f, uint64_t client, enum job_class class)
{
	struct admit_record admit = fixture_ask();
	struct frame frame;
	int door;

	admit.client = client;
	admit.class = class;
	admit.memory_bytes = 16 * MIB;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_ADMITTED, &frame);
	door = fixture_start(f, frame.job);
	fd_close(&door);
	return jobs_find(&f->s.jobs, frame.job);
}

/* The next to be started, and started. */
static struct live_job *
start_next(struct fixture *f)
{
	struct live_job *job = TAILQ_FIRST(&f->s.jobs.of[JOB_QUEUED]);

	cr_assert_not_null(job);
	queue_started(&f->s, job);
	life_event(&f->s, job, JOB_EVENT_SLOT);
	return job;
}

static struct fixture *
fixture_for(unsigned queue)
{
	struct fixture *f = fixture_new();

	f->s.config.queue = queue;
	return f;
}

Test(queue, one_client_is_served_in_the_order_it_came)
{
	struct fixture *f = fixture_for(4);
	struct live_job *a = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	struct live_job *b = enqueue(f, 1, JOB_CLASS_INTERACTIVE);

	cr_assert_eq(start_next(f), a);
	cr_assert_eq(start_next(f), b);
	fixture_free(f);
}

Test(queue, who_has_one_job_waits_for_one_of_who_has_many)
{
	struct fixture *f = fixture_for(4);
	struct live_job *many[3], *one;

	for (unsigned i = 0; i < 3; i++)
		many[i] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	one = enqueue(f, 2, JOB_CLASS_INTERACTIVE);
	cr_assert_eq(start_next(f), many[0]);
	cr_assert_eq(start_next(f), one);
	cr_assert_eq(start_next(f), many[1]);
	cr_assert_eq(start_next(f), many[2]);
	fixture_free(f);
}

Test(queue, a_client_that_comes_late_has_saved_up_no_turns)
{
	struct fixture *f = fixture_for(4);
	struct live_job *late[2], *early[2];

	early[0] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	early[1] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	cr_assert_eq(start_next(f), early[0]);
	cr_assert_eq(start_next(f), early[1]);
	early[0] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	late[0] = enqueue(f, 2, JOB_CLASS_INTERACTIVE);
	late[1] = enqueue(f, 2, JOB_CLASS_INTERACTIVE);
	cr_assert_eq(start_next(f), late[0]);
	cr_assert_eq(start_next(f), early[0]);
	cr_assert_eq(start_next(f), late[1]);
	fixture_free(f);
}

/* Who always has one job waiting, and who has two: a job a turn each. */
Test(queue, a_client_that_always_has_one_waiting_keeps_nobody_from_a_second)
{
	struct fixture *f = fixture_for(8);
	struct live_job *two[2], *steady;

	two[0] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	two[1] = enqueue(f, 1, JOB_CLASS_INTERACTIVE);
	steady = enqueue(f, 2, JOB_CLASS_INTERACTIVE);
	cr_assert_eq(start_next(f), two[0]);
	cr_assert_eq(start_next(f), steady);
	steady = enqueue(f, 2, JOB_CLASS_INTERACTIVE);
	cr_assert_eq(start_next(f), two[1]);
	cr_assert_eq(start_next(f), steady);
	fixture_free(f);
}

/* A job that is only in the queue: no door, no deadline. */
static struct live_job *
put(struct fixture *f, uint64_t client)
{
	struct admit_record admit = fixture_ask();
	struct live_job *job = jobs_add(&f->s.jobs, admit.job);

	cr_assert_not_null(job);
	job->client = client;
	jobs_move(&f->s.jobs, job, JOB_QUEUED);
	queue_enter(&f->s, job);
	return job;
}

/* Whose job went. */
static uint64_t
take(struct fixture *f)
{
	struct live_job *job = TAILQ_FIRST(&f->s.jobs.of[JOB_QUEUED]);
	uint64_t client;

	cr_assert_not_null(job);
	client = job->client;
	queue_started(&f->s, job);
	jobs_remove(&f->s.jobs, job);
	return client;
}

static struct fixture *
fixture_wide(void)
{
	struct config config;
	struct fixture *f = fixture_new();

	fixture_config(&config);
	config.queue = CONFIG_QUEUE_MAX;
	service_fini(&f->s);
	cr_assert(service_init(&f->s, &config));
	return f;
}

Test(queue, one_job_goes_second_at_the_latest_among_a_thousand)
{
	for (unsigned before = 0; before < 1000; before += 37) {
		struct fixture *f = fixture_wide();

		for (unsigned i = 0; i < 1000; i++)
			put(f, 1);
		for (unsigned i = 0; i < before; i++)
			cr_assert_eq(take(f), 1);
		put(f, 2);
		cr_assert(take(f) == 2 || take(f) == 2, "after %u", before);
		fixture_free(f);
	}
}

#define CLIENTS 12

/* Jobs come and go at random. While one client's first job waits, no other
 * is served more than twice: once in this turn, once in the next. */
Test(queue, nobody_waits_for_more_than_two_jobs_of_each_other)
{
	unsigned queued[CLIENTS] = {0}, ahead[CLIENTS][CLIENTS] = {{0}};
	struct fixture *f = fixture_wide();
	unsigned len = 0;

	srandom(7);
	for (unsigned step = 0; step < 50000; step++) {
		/* some have a lot, most a little */
		uint64_t who = (uint64_t)random() % CLIENTS;
		unsigned most = who < 3 ? 50 : 1 + (unsigned)who % 3;

		if (queued[who] < most && random() % 3 != 0) {
			put(f, who);
			queued[who]++;
			len++;
		}
		if (len == 0 || random() % 2 != 0)
			continue;
		who = take(f);
		queued[who]--;
		len--;
		for (unsigned i = 0; i < CLIENTS; i++) {
			ahead[who][i] = 0;
			if (i == who || queued[i] == 0)
				ahead[i][who] = 0;
			else
				cr_assert_leq(++ahead[i][who], 2);
		}
	}
	fixture_free(f);
}

/* A new client for each job, as many as come, delays others by a turn. */
Test(queue, a_flood_of_new_clients_does_not_make_a_turn_endless)
{
	struct fixture *f = fixture_wide();
	unsigned waited = 0;

	put(f, 1);
	put(f, 1);
	cr_assert_eq(take(f), 1);
	put(f, 2);
	for (uint64_t stranger = 3; take(f) != 1; stranger++) {
		put(f, stranger);
		cr_assert_leq(++waited, QUEUE_SERVED_MAX);
	}
	fixture_free(f);
}

Test(queue, interactive_jobs_go_before_batch_jobs)
{
	struct fixture *f = fixture_for(4);
	struct live_job *batch = enqueue(f, 1, JOB_CLASS_BATCH);
	struct live_job *person = enqueue(f, 2, JOB_CLASS_INTERACTIVE);

	cr_assert_eq(start_next(f), person);
	cr_assert_eq(start_next(f), batch);
	fixture_free(f);
}

Test(queue, batch_jobs_never_take_the_last_worker)
{
	struct fixture *f = fixture_for(4);
	struct live_job *batch, *person;
	struct frame frame;
	int near, far;

	f->s.config.defaults.of[LIMIT_MEMORY_BYTES] = 16 * MIB;
	near = fixture_worker(f);
	far = fixture_worker(f);
	enqueue(f, 1, JOB_CLASS_BATCH);
	batch = enqueue(f, 2, JOB_CLASS_BATCH);
	pool_assign(&f->s);
	cr_assert_eq(f->s.jobs.count[JOB_RUNNING], 1);
	cr_assert_eq(batch->state, JOB_QUEUED);
	fixture_expect(f, MSG_CHANNEL, &frame);
	person = enqueue(f, 3, JOB_CLASS_INTERACTIVE);
	pool_assign(&f->s);
	cr_assert_eq(person->state, JOB_RUNNING);
	cr_assert_eq(batch->state, JOB_QUEUED);
	fd_close(&near);
	fd_close(&far);
	fixture_free(f);
}

Test(queue, batch_jobs_leave_the_memory_of_one_job)
{
	struct fixture *f = fixture_for(4);
	struct live_job *batch;
	int near = fixture_worker(f), far = fixture_worker(f);

	f->s.config.workers = 3;
	f->s.config.defaults.of[LIMIT_MEMORY_BYTES] = GIB - 20 * MIB;
	enqueue(f, 1, JOB_CLASS_BATCH);
	batch = enqueue(f, 2, JOB_CLASS_BATCH);
	pool_assign(&f->s);
	cr_assert_eq(batch->state, JOB_QUEUED);
	fd_close(&near);
	fd_close(&far);
	fixture_free(f);
}

Test(queue, a_lone_worker_takes_batch_jobs_too)
{
	struct fixture *f = fixture_for(4);
	struct live_job *batch = enqueue(f, 1, JOB_CLASS_BATCH);
	int far = fixture_worker(f);

	f->s.config.workers = 1;
	pool_assign(&f->s);
	cr_assert_eq(batch->state, JOB_RUNNING);
	fd_close(&far);
	fixture_free(f);
}

/* It never would, if it had to leave memory to others. */
Test(queue, a_batch_job_that_needs_all_memory_runs_alone)
{
	struct fixture *f = fixture_for(4);
	int near = fixture_worker(f), far = fixture_worker(f);
	struct admit_record admit = fixture_ask();
	struct live_job *large, *small;
	struct frame frame;
	int door;

	admit.class = JOB_CLASS_BATCH;
	admit.memory_bytes = f->s.config.total_memory_bytes;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_ADMITTED, &frame);
	large = jobs_find(&f->s.jobs, frame.job);
	door = fixture_start(f, large->id);
	pool_assign(&f->s);
	cr_assert_eq(large->state, JOB_RUNNING);
	fixture_expect(f, MSG_CHANNEL, &frame);
	small = enqueue(f, 2, JOB_CLASS_BATCH);
	pool_assign(&f->s);
	cr_assert_eq(small->state, JOB_QUEUED);
	fd_close(&door);
	fd_close(&near);
	fd_close(&far);
	fixture_free(f);
}
