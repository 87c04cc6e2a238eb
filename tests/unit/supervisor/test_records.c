/*
 * The front's records as hostile input: what is refused, what is ignored.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/supervisor/fixture.h"

static enum status
feed(struct fixture *f, const void *bytes, size_t len)
{
	int none = -1;

	return record_handle(&f->s, span_of(bytes, len), &none);
}

Test(records, what_is_no_frame_of_a_front_is_refused)
{
	struct fixture *f = fixture_new();
	struct ready_record ready = {.pid = 1};
	struct writer w;
	int none = -1;

	cr_assert_eq(feed(f, "", 0), ST_BAD_REPLY);
	cr_assert_eq(feed(f, "garbage of some length", 22), ST_BAD_REPLY);
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_READY, 0);
	ready_write(&w, &ready);
	cr_assert_eq(fixture_say(f, &w, &none), ST_BAD_REPLY);
	fixture_free(f);
}

Test(records, ready_comes_once)
{
	struct fixture *f = fixture_new();

	f->s.front.ready = false;
	cr_assert_eq(fixture_tell(f, MSG_FRONT_READY, 1), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_FRONT_READY, 0), ST_OK);
	cr_assert_eq(fixture_tell(f, MSG_FRONT_READY, 0), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_FRONT_HERE, 1), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_FRONT_HERE, 0), ST_OK);
	fixture_free(f);
}

Test(records, unknown_jobs_are_ignored)
{
	struct fixture *f = fixture_new();

	cr_assert_eq(fixture_tell(f, MSG_ALIVE, 12345), ST_OK);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERED, 0), ST_OK);
	cr_assert_eq(fixture_cancel(f, 12345, RE_BY_CLIENT), ST_OK);
	fixture_free(f);
}

Test(records, a_job_that_the_front_was_not_given_is_not_its_own)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);

	job->known = false;
	cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT), ST_OK);
	cr_assert_eq(job->state, JOB_ADMITTED);
	fixture_free(f);
}

Test(records, what_a_job_is_not_ready_for_is_refused)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);

	cr_assert_eq(fixture_tell(f, MSG_ALIVE, job->id), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_HOLD, job->id), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERING, job->id), ST_BAD_REPLY);
	cr_assert_eq(fixture_tell(f, MSG_DELIVERED, job->id), ST_BAD_REPLY);
	cr_assert_eq(job->state, JOB_ADMITTED);
	fixture_free(f);
}

Test(records, reasons_to_cancel_are_few)
{
	struct fixture *f = fixture_new();

	for (unsigned reason = 0; reason < RE_COUNT; reason++) {
		struct live_job *job = fixture_job(f);
		enum status said =
		    fixture_cancel(f, job->id, (enum reason)reason);

		if (said != ST_OK)
			cr_assert_eq(fixture_cancel(f, job->id, RE_BY_CLIENT),
				     ST_OK);
		cr_assert_eq(fixture_obituary(f).reason,
			     said == ST_OK ? reason : RE_BY_CLIENT);
		cr_assert_eq(said == ST_OK, reason == RE_BY_CLIENT ||
						reason == RE_CLIENT_GONE ||
						reason == RE_BAD_FRAME ||
						reason == RE_BAD_ORDER ||
						reason == RE_NO_ANSWER ||
						reason == RE_TOO_MUCH);
	}
	fixture_free(f);
}

Test(records, a_start_needs_a_door_connection)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	struct writer w;
	int pipe_fds[2], none = -1;

	cr_assert_eq(pipe(pipe_fds), 0);
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_START, job->id);
	cr_assert_eq(fixture_say(f, &w, &pipe_fds[0]), ST_BAD_REPLY);
	cr_assert_eq(fixture_say(f, &w, &none), ST_BAD_REPLY);
	cr_assert_eq(job->state, JOB_ADMITTED);
	fd_close(&pipe_fds[1]);
	fixture_free(f);
}

/* Nothing but what the door hands out: of a stream, a worker could wait for
 * the rest of a message. */
Test(records, a_start_with_another_kind_of_socket_is_refused)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	struct writer w;
	int stream[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, stream), 0);
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_START, job->id);
	cr_assert_eq(fixture_say(f, &w, &stream[0]), ST_BAD_REPLY);
	cr_assert_eq(job->state, JOB_ADMITTED);
	fd_close(&stream[0]);
	fd_close(&stream[1]);
	fixture_free(f);
}

Test(records, a_descriptor_where_none_belongs_is_refused)
{
	struct fixture *f = fixture_new();
	struct writer w;
	int door[2];

	cr_assert(chan_pair(door));
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_ALIVE, 1);
	cr_assert_eq(fixture_say(f, &w, &door[0]), ST_BAD_REPLY);
	fd_close(&door[1]);
	fixture_free(f);
}

Test(records, a_second_start_is_refused)
{
	struct fixture *f = fixture_new();
	struct live_job *job = fixture_job(f);
	int door = fixture_start(f, job->id), again[2];
	int connection = job->connection;
	struct writer w;

	cr_assert(chan_pair(again));
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_START, job->id);
	cr_assert_eq(fixture_say(f, &w, &again[0]), ST_BAD_REPLY);
	cr_assert_eq(job->connection, connection);
	fd_close(&door);
	fd_close(&again[1]);
	fixture_free(f);
}

Test(records, status_is_answered)
{
	struct fixture *f = fixture_new();
	struct status_record status;
	struct frame frame;
	struct writer w;
	int none = -1;

	fixture_job(f);
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_ASK_STATUS, 0);
	writer_put_u64(&w, 99);
	cr_assert_eq(fixture_say(f, &w, &none), ST_OK);
	fixture_expect(f, MSG_STATUS, &frame);
	cr_assert(status_record_read(frame.payload, &status));
	cr_assert_eq(status.request, 99);
	cr_assert_eq(status.workers_max, 2);
	cr_assert_eq(status.queue_max, 2);
	cr_assert_eq(status.jobs_admitted, 1);
	cr_assert_eq(status.jobs_accepted, 1);
	cr_assert_eq(status.memory_total_bytes, GIB);
	fixture_free(f);
}
