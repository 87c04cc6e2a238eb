/*
 * Letters to a front that reads slowly, or not at all.
 */
#include "tests/support/few_under_way.h"
#include "tests/unit/supervisor/fixture.h"

Test(letters, what_the_link_does_not_take_waits_and_goes_out_in_order)
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;
	struct refused_record refused = {.status = ST_BUSY};
	struct refused_record got;
	struct frame frame;
	uint64_t next = 0;

	while (letterbox_empty(box)) {
		letter_refused(box, &refused);
		refused.request++;
	}
	letter_refused(box, &refused);
	cr_assert_eq(box->letters, 2);
	while (fixture_get(f, &frame, NULL)) {
		cr_assert(refused_read(frame.payload, &got));
		cr_assert_eq(got.request, next++);
		letterbox_flush(box);
	}
	cr_assert_eq(next, refused.request + 1);
	cr_assert(letterbox_empty(box));
	cr_assert_eq(box->bytes, 0);
	fixture_free(f);
}

/* Poll says that there is room all the while. */
Test(letters, what_the_kernel_is_short_of_is_tried_again_in_a_while)
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;
	struct live_job *job = fixture_job(f);
	int far;

	job->channel = play_socket(&far);
	few_under_way();
	for (unsigned i = 0; i < 100 && letterbox_empty(box); i++)
		letter_channel(box, job);
	cr_assert_not(letterbox_empty(box));
	cr_assert(box->starved);
	cr_assert_not(box->overflowed);
	fd_close(&f->front); /* what was under way is gone */
	letterbox_flush(box);
	cr_assert_not(box->starved);
	fd_close(&far);
	fixture_free(f);
}

Test(letters, a_front_that_does_not_read_is_given_up)
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;
	struct refused_record refused = {.status = ST_BUSY};

	for (unsigned i = 0; i < 100000 && !box->overflowed; i++)
		letter_refused(box, &refused);
	cr_assert(box->overflowed);
	cr_assert_leq(box->letters, LETTERBOX_LETTERS_MAX);
	cr_assert_leq(box->bytes, LETTERBOX_BYTES_MAX);
	fixture_free(f);
}

Test(letters, a_waiting_letter_keeps_its_descriptor_alive)
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;
	struct refused_record refused = {.status = ST_BUSY};
	struct live_job *job = fixture_job(f);
	int chan[2], got = -1;
	struct frame frame;

	while (letterbox_empty(box))
		letter_refused(box, &refused);
	cr_assert(chan_pair(chan));
	job->channel = chan[0];
	letter_channel(box, job);
	fd_close(&job->channel);
	while (fixture_get(f, &frame, &got) && frame.message != MSG_CHANNEL)
		letterbox_flush(box);
	cr_assert_geq(got, 0);
	cr_assert_eq(send(chan[1], "x", 1, 0), 1);
	cr_assert_eq(recv(got, f->bytes, 8, 0), 1);
	fd_close(&got);
	fd_close(&chan[1]);
	fixture_free(f);
}

/* No descriptor is left to keep the channel by until the link takes it. */
static void
with_no_descriptor_left(void (*letter)(struct letterbox *box,
				       const struct live_job *job))
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;
	struct refused_record refused = {.status = ST_BUSY};
	struct live_job *job = fixture_job(f);
	struct rlimit was, none;
	struct frame frame;
	int far;

	job->channel = play_socket(&far);
	while (letterbox_empty(box))
		letter_refused(box, &refused);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = was.rlim_max};
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	letter(box, job);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	cr_assert(box->overflowed);
	while (fixture_get(f, &frame, NULL)) {
		cr_assert_eq(frame.message, MSG_REFUSED);
		letterbox_flush(box);
	}
	fd_close(&far);
	fixture_free(f);
}

static void
adopt(struct letterbox *box, const struct live_job *job)
{
	letter_adopt(box, job, 0);
}

Test(letters, a_channel_is_not_given_without_its_descriptor)
{
	with_no_descriptor_left(letter_channel);
}

Test(letters, a_running_job_is_not_adopted_without_its_descriptor)
{
	with_no_descriptor_left(adopt);
}

Test(letters, a_front_that_closed_its_link_has_to_go)
{
	struct fixture *f = fixture_new();
	struct letterbox *box = &f->s.front.box;

	fd_close(&f->front);
	letter_drain(box);
	cr_assert(box->overflowed);
	cr_assert(letterbox_empty(box));
	fixture_free(f);
}

Test(letters, without_a_front_they_go_nowhere)
{
	struct fixture *f = fixture_new();
	struct letterbox nowhere;

	letterbox_init(&nowhere, -1);
	letter_drain(&nowhere);
	cr_assert(letterbox_empty(&nowhere) && !nowhere.overflowed);
	fixture_free(f);
}

Test(letters, the_largest_record_can_be_adopted_and_given_to_a_worker)
{
	static uint8_t record[FRAME_PAYLOAD_MAX - 50];
	struct fixture *f = fixture_new();
	struct admit_record admit = fixture_ask();
	struct frame frame;
	int door, end;

	admit.job = span_of(record, sizeof(record));
	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_ADMITTED, &frame);
	letter_adopt(&f->s.front.box, jobs_find(&f->s.jobs, frame.job),
		     f->s.now_us);
	door = fixture_start(f, frame.job);
	end = fixture_worker(f);
	pool_assign(&f->s);
	cr_assert_eq(f->s.jobs.count[JOB_RUNNING], 1);
	fd_close(&door);
	fd_close(&end);
	fixture_free(f);
}
