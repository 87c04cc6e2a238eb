/*
 * Who gets in, and what a front gone bad may not ask for.
 */
#include "tests/unit/supervisor/fixture.h"

static struct refused_record
refusal(struct fixture *f)
{
	struct refused_record refused;
	struct frame frame;

	fixture_expect(f, MSG_REFUSED, &frame);
	cr_assert(refused_read(frame.payload, &refused));
	cr_assert_eq(refused.request, 7);
	return refused;
}

Test(admission, an_admitted_job_gets_an_id_and_a_ticket)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	uint8_t ticket[TICKET_BYTES];
	struct live_job *job;
	struct frame frame;
	uint64_t request;

	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_ADMITTED, &frame);
	cr_assert(admitted_read(frame.payload, &request, ticket));
	cr_assert_eq(request, 7);
	job = jobs_find(&f->s.jobs, frame.job);
	cr_assert_not_null(job);
	cr_assert_arr_eq(job->ticket, ticket, TICKET_BYTES);
	cr_assert_eq(job->record_len, admit.job.len);
	cr_assert_eq(job->state, JOB_ADMITTED);
	cr_assert_eq(job->own.kind, DEADLINE_TICKET);
	cr_assert_eq(job->own.at_us, f->s.now_us + 10000000);
	fixture_free(f);
}

Test(admission, beyond_queue_and_workers_it_is_busy_and_says_when_to_retry)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	struct refused_record refused;

	for (unsigned i = 0; i < 4; i++)
		fixture_job(f);
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	refused = refusal(f);
	cr_assert_eq(refused.status, ST_BUSY);
	cr_assert_geq(refused.retry_after_ms, 50);
	cr_assert_leq(refused.retry_after_ms, 10000);
	cr_assert_eq(f->s.stats.jobs_refused, 1);
	fixture_free(f);
}

Test(admission, batch_jobs_leave_a_place_as_they_leave_a_worker)
{
	struct fixture *f = fixture_new();
	struct admit_record batch = fixture_ask();
	struct frame frame;

	batch.class = JOB_CLASS_BATCH;
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(fixture_admit(f, &batch), ST_OK);
		fixture_expect(f, MSG_ADMITTED, &frame);
	}
	cr_assert_eq(fixture_admit(f, &batch), ST_OK);
	cr_assert_eq(refusal(f).status, ST_BUSY);
	fixture_job(f); /* an interactive one gets in */
	fixture_free(f);
}

/* One more ticket for that client; NULL when it is refused. */
static struct live_job *
ask_as(struct fixture *f, uint64_t client)
{
	struct admit_record admit = fixture_ask();
	struct frame frame;

	admit.client = client;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert(fixture_get(f, &frame, NULL));
	if (frame.message == MSG_ADMITTED)
		return jobs_find(&f->s.jobs, frame.job);
	cr_assert_eq(frame.message, MSG_REFUSED);
	return NULL;
}

/* That client gets the ticket in place of the old one. */
static void
give_to(struct fixture *f, uint64_t client, uint64_t old)
{
	struct admit_record admit = fixture_ask();
	struct frame frame;

	admit.client = client;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_OBITUARY, &frame);
	cr_assert_eq(frame.job, old);
	fixture_expect(f, MSG_ADMITTED, &frame);
	cr_assert_null(jobs_find(&f->s.jobs, old), "it is kept");
}

Test(admission, tickets_of_one_client_keep_no_other_from_its_first)
{
	struct fixture *f = fixture_new();
	struct live_job *job;
	int door;

	f->s.config.spare = 2;
	while (ask_as(f, 1) != NULL)
		;
	cr_assert_eq(f->s.jobs.count[JOB_ADMITTED], 4);
	job = ask_as(f, 2);
	cr_assert_not_null(job);
	cr_assert_null(ask_as(f, 2), "a second ticket");
	door = fixture_start(f, job->id);
	cr_assert_eq(job->state, JOB_QUEUED);
	cr_assert_not_null(ask_as(f, 2), "its first job came to the door");
	fd_close(&door);
	fixture_free(f);
}

Test(admission, with_too_many_tickets_the_oldest_goes_to_the_newcomer)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	uint64_t oldest, next;

	f->s.config.spare = 2;
	oldest = ask_as(f, 1)->id;
	next = ask_as(f, 2)->id;
	for (uint64_t client = 3; client <= 6; client++)
		cr_assert_not_null(ask_as(f, client));
	admit.client = 7;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(fixture_obituary(f).status, ST_BUSY);
	fixture_expect(f, MSG_ADMITTED, &(struct frame){0});
	cr_assert_null(jobs_find(&f->s.jobs, oldest), "it is kept");
	cr_assert_not_null(jobs_find(&f->s.jobs, next));
	cr_assert_eq(jobs_busy(&f->s.jobs), 6);
	cr_assert_eq(f->s.stats.jobs_accepted, 7);
	cr_assert_eq(f->s.stats.jobs_refused, 0);
	fixture_free(f);
}

Test(admission, a_client_that_comes_late_to_a_ticket_that_went_is_no_fault)
{
	struct fixture *f = fixture_new();
	uint64_t oldest;
	int door;

	f->s.config.queue = 0;
	f->s.config.workers = 1;
	oldest = ask_as(f, 1)->id;
	f->s.config.spare = 0;
	cr_assert_null(ask_as(f, 1));
	cr_assert_eq(jobs_busy(&f->s.jobs), 1);
	give_to(f, 2, oldest);
	door = fixture_start(f, oldest);
	cr_assert_eq(f->s.jobs.count[JOB_QUEUED], 0);
	fd_close(&door);
	fixture_free(f);
}

Test(admission, jobs_that_came_to_the_door_are_never_turned_away)
{
	struct fixture *f = fixture_new();
	uint64_t ids[6];
	int doors[6];

	f->s.config.spare = 2;
	for (unsigned i = 0; i < 6; i++)
		ids[i] = ask_as(f, i)->id;
	for (unsigned i = 0; i < 6; i++)
		doors[i] = fixture_start(f, ids[i]);
	cr_assert_eq(f->s.jobs.count[JOB_QUEUED], 6);
	cr_assert_null(ask_as(f, 7), "all places are taken");
	for (unsigned i = 0; i < 6; i++)
		fd_close(&doors[i]);
	fixture_free(f);
}

Test(admission, batch_jobs_beyond_their_places_leave_one_all_the_same)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	struct frame frame;
	int doors[5];
	uint64_t ids[5];

	f->s.config.spare = 2;
	admit.class = JOB_CLASS_BATCH;
	for (unsigned i = 0; i < 5; i++) {
		admit.client = i;
		cr_assert_eq(fixture_admit(f, &admit), ST_OK);
		fixture_expect(f, MSG_ADMITTED, &frame);
		ids[i] = frame.job;
	}
	for (unsigned i = 0; i < 5; i++)
		doors[i] = fixture_start(f, ids[i]);
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(refusal(f).status, ST_BUSY);
	cr_assert_not_null(ask_as(f, 6), "an interactive one gets in");
	for (unsigned i = 0; i < 5; i++)
		fd_close(&doors[i]);
	fixture_free(f);
}

Test(admission, large_records_of_one_client_keep_no_other_out)
{
	struct fixture *f = fixture_new();
	struct config config;
	struct admit_record admit = fixture_ask();
	static const uint8_t large[30000];
	struct frame frame;

	fixture_config(&config);
	config.queue = CONFIG_QUEUE_MAX;
	jobs_fini(&f->s.jobs);
	f->s.config.queue = config.queue;
	cr_assert(jobs_init(&f->s.jobs, config.queue + config.workers));
	admit.job = span_of(large, sizeof(large));
	do {
		cr_assert_eq(fixture_admit(f, &admit), ST_OK);
		cr_assert(fixture_get(f, &frame, NULL));
	} while (frame.message == MSG_ADMITTED);
	cr_assert_eq(frame.message, MSG_REFUSED);
	admit.client = 1;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_OBITUARY, &frame);
	fixture_expect(f, MSG_ADMITTED, &frame);
	fixture_free(f);
}

Test(admission, an_ended_job_makes_room)
{
	struct fixture *f = fixture_new();
	struct live_job *job = NULL;

	for (unsigned i = 0; i < 4; i++)
		job = fixture_job(f);
	cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
	cr_assert_eq(fixture_obituary(f).status, ST_CANCELLED);
	fixture_job(f);
	fixture_free(f);
}

Test(admission, stuck_workers_make_it_busy)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();

	f->s.pool.stuck = 1; /* a quarter of two, rounded up */
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(refusal(f).status, ST_BUSY);
	f->s.pool.stuck = 0;
	fixture_free(f);
}

Test(admission, nobody_gets_in_while_the_service_stops)
{
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();

	f->s.drain.stage = DRAIN_DRAINING;
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	cr_assert_eq(refusal(f).status, ST_CANCELLED);
	fixture_free(f);
}

Test(admission, limits_beyond_ceiling_and_floor_are_not_a_sane_fronts)
{
	struct fixture *f = fixture_new();
	struct admit_record bad[8];

	for (unsigned i = 0; i < 8; i++)
		bad[i] = fixture_ask();
	bad[0].memory_bytes = GIB + 1;
	bad[1].memory_bytes = 0;
	bad[2].cpu_seconds = UINT64_MAX;
	bad[3].cpu_seconds = 0;
	bad[4].wall_seconds = UINT64_MAX;
	bad[5].stall_seconds = UINT64_MAX;
	bad[6].stall_seconds = 0;
	bad[7].job.len = 1;
	for (unsigned i = 0; i < 8; i++)
		cr_assert_eq(fixture_admit(f, &bad[i]), ST_BAD_REPLY, "%u", i);
	cr_assert_eq(jobs_busy(&f->s.jobs), 0);
	fixture_free(f);
}

Test(admission, a_job_waits_until_its_memory_fits_and_is_not_overtaken)
{
	struct fixture *f = fixture_new();
	struct admit_record big = fixture_ask(), small = fixture_ask();
	int ends[2], doors[3];
	struct frame frame;
	uint64_t ids[3];

	big.memory_bytes = 700 * MIB;
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(fixture_admit(f, i < 2 ? &big : &small), ST_OK);
		fixture_expect(f, MSG_ADMITTED, &frame);
		ids[i] = frame.job;
		doors[i] = fixture_start(f, frame.job);
	}
	ends[0] = fixture_worker(f);
	ends[1] = fixture_worker(f);
	pool_assign(&f->s);
	cr_assert_eq(jobs_find(&f->s.jobs, ids[0])->state, JOB_RUNNING);
	cr_assert_eq(jobs_find(&f->s.jobs, ids[1])->state, JOB_QUEUED);
	cr_assert_eq(jobs_find(&f->s.jobs, ids[2])->state, JOB_QUEUED);
	cr_assert_eq(f->s.pool.memory_used_bytes, 700 * MIB);
	for (unsigned i = 0; i < 3; i++)
		fd_close(&doors[i]);
	fd_close(&ends[0]);
	fd_close(&ends[1]);
	fixture_free(f);
}
