/*
 * What the front makes of the supervisor's records.
 */
#include "broker/front/link_events.h"

#include <criterion/criterion.h>
#include <fcntl.h>

#include "proto/chan.h"
#include "proto/fd.h"
#include "tests/unit/front/play.h"
#include "tests/unit/front/served.h"

TestSuite(link_events);

static uint8_t bytes[FRAME_BYTES_MAX];

static struct writer *
begin(enum message message, uint64_t job)
{
	static struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, message, job);
	return &w;
}

static bool
adopt(uint64_t id, enum adopt_state state, uint32_t ran_ms, int fd)
{
	static uint8_t record[FRAME_PAYLOAD_MAX];
	struct adopt_record adopt = {.state = state,
				     .ticket = {1, 2, 3},
				     .sandbox = 5,
				     .ran_ms = ran_ms};
	struct writer *w, made;
	struct job job;

	play_job(&job);
	writer_init(&made, record, sizeof(record));
	job_write(&made, &job);
	adopt.job = span_of(record, made.len);
	w = begin(MSG_ADOPT, id);
	adopt_write(w, &adopt);
	return served_say(w, &fd);
}

static bool
tell_status(uint64_t request)
{
	struct status_record status = {.request = request};
	struct writer *w = begin(MSG_STATUS, 0);
	int none = -1;

	status_record_write(w, &status);
	return served_say(w, &none);
}

static bool
tell_obituary(uint64_t job)
{
	struct obituary_record obituary = {.limit = LIMIT_NONE};
	struct writer *w = begin(MSG_OBITUARY, job);
	int none = -1;

	obituary_write(w, &obituary);
	return served_say(w, &none);
}

/* The number of the question that the front has asked. */
static uint64_t
asked(void)
{
	struct frame frame;
	struct reader r;

	do
		cr_assert(served_next(&frame), "it does not ask");
	while (frame.message != MSG_ASK_STATUS);
	reader_init(&r, frame.payload);
	return reader_get_u64(&r);
}

Test(link_events, it_is_settled_when_nothing_came_before_the_answer)
{
	struct frame frame;

	served_begin();
	link_ask_settled(&served);
	cr_assert(tell_status(asked()));
	cr_expect(served.settled);
	cr_expect_not(served_next(&frame));
	served_end();
}

Test(link_events, it_is_not_settled_while_jobs_still_come)
{
	uint64_t first;

	served_begin();
	link_ask_settled(&served);
	first = asked();
	cr_assert(adopt(7, ADOPT_QUEUED, 0, -1));
	cr_assert(tell_status(first));
	cr_assert_not(served.settled, "more may follow");
	first = asked();
	cr_assert(tell_obituary(7));
	cr_assert(tell_status(first));
	cr_assert_not(served.settled, "more obituaries may follow");
	cr_assert(tell_status(asked()));
	cr_expect(served.settled);
	served_end();
}

Test(link_events, a_clients_question_settles_nothing)
{
	served_begin();
	served_ask("{\"op\":\"status\",\"id\":\"s\"}");
	cr_assert(tell_status(asked()));
	cr_expect_not(served.settled);
	cr_expect_not_null(strstr(served_hear(), "\"status\":{"));
	served_end();
}

Test(link_events, an_adopted_job_has_run_since_it_began)
{
	struct tracked *job;
	int fds[2];

	served_begin();
	cr_assert(chan_pair(fds));
	cr_assert(adopt(7, ADOPT_RUNNING, 1500, fds[0]));
	job = ledger_find(&served.ledger, 7);
	cr_assert_not_null(job);
	cr_expect_eq(job->started_ms, served.now_ms - 1500);
	cr_expect_eq(job->stage, STAGE_RUNNING);
	cr_expect_eq(job->ticket[2], 3);
	cr_expect_eq(job->sandbox, 5);
	cr_expect_geq(job->channel, 0);
	cr_expect(job->adopted);
	served_ask("{\"op\":\"jobs\"}");
	cr_expect_not_null(strstr(served_hear(), "\"elapsed_ms\":1500,"));
	fd_close(&fds[1]);
	served_end();
}

Test(link_events, a_job_is_adopted_once_and_with_a_channel_when_it_runs)
{
	served_begin();
	cr_expect_not(adopt(7, ADOPT_RUNNING, 0, -1));
	cr_expect_not(adopt(7, ADOPT_QUEUED, 0, dup(STDIN_FILENO)));
	cr_expect(adopt(7, ADOPT_QUEUED, 0, -1));
	cr_expect_not(adopt(7, ADOPT_QUEUED, 0, -1));
	served_end();
}

Test(link_events, an_answer_without_a_question_is_no_supervisors)
{
	served_begin();
	cr_expect_not(tell_status(0));
	cr_expect_not(tell_status(1));
	served_end();
}

Test(link_events, a_channel_brings_its_descriptor)
{
	struct writer *w;
	int none = -1;

	served_begin();
	served_job(7, span_str("a"));
	w = begin(MSG_CHANNEL, 7);
	channel_write(w, 1);
	cr_expect_not(served_say(w, &none));
	served_end();
}
