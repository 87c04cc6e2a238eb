/*
 * What the supervisor is told of an ended job: one verdict, whatever its end.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "broker/front/channels.h"
#include "broker/front/delivery.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "tests/unit/front/play.h"
#include "tests/unit/front/served.h"

TestSuite(delivery);

#define JOB 7

static struct front front;
static struct tracked *job;
static int theirs;

static void
begin(void)
{
	uint8_t record[FRAME_PAYLOAD_MAX];
	struct writer w;
	struct job order;
	int fds[2];

	cr_assert(chan_pair(fds));
	theirs = fds[1];
	link_client_init(&front.link, fds[0]);
	ledger_init(&front.ledger);
	results_init(&front.results, 256 * MIB, 60000);
	limits_default(&front.rules.ceilings);
	play_job(&order);
	writer_init(&w, record, sizeof(record));
	job_write(&w, &order);
	job = ledger_add(&front.ledger, JOB, span_of(record, w.len));
	cr_assert_not_null(job);
	job->stage = STAGE_RUNNING;
}

/* Feeds a played frame, which is about no job, as about ours. */
static void
hear(struct span bytes)
{
	static uint8_t copy[FRAME_BYTES_MAX];

	memcpy(copy, bytes.data, bytes.len);
	copy[8] = JOB;
	(void)relay_feed(&job->relay, span_of(copy, bytes.len));
}

static void
hear_result(bool done)
{
	struct answer answer;
	struct row rows[2];

	play_answer(&answer);
	play_row(&rows[0], 0);
	play_row(&rows[1], 1);
	hear(play_result(&answer));
	hear(play_rows(rows, 2, 2));
	if (done)
		hear(play_done(2));
}

/* The channel is over and this obituary came. */
static void
end(enum status status)
{
	job->obituary =
	    (struct obituary_record){.status = status, .limit = LIMIT_NONE};
	job->has_obituary = true;
	channels_settle(&front, job);
	cr_assert_eq(job->stage, STAGE_ENDED);
}

/* False when no record is there. */
static bool
next(struct frame *frame_out)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;

	if (chan_receive(theirs, buffer, false, NULL, &bytes) != CHAN_OK)
		return false;
	cr_assert_eq(frame_decode(bytes, PARTY_FRONT, frame_out), ST_OK);
	return true;
}

/* Exactly one verdict was sent, and it says that. */
static void
expect(enum status status, enum format format, uint64_t bytes)
{
	struct verdict_record verdict;
	struct frame frame;

	channels_settle(&front, job);
	cr_assert(next(&frame));
	cr_expect_eq(frame.message, MSG_VERDICT);
	cr_expect_eq(frame.job, JOB);
	cr_assert(verdict_read(frame.payload, &verdict));
	cr_expect_eq(verdict.status, status);
	cr_expect_eq(verdict.format, format);
	cr_expect_eq(verdict.input_bytes, bytes);
	cr_expect_eq(job->outcome, status);
	cr_expect_not(next(&frame));
	ledger_fini(&front.ledger);
	fd_close(&front.link.fd);
	fd_close(&theirs);
}

Test(delivery, a_result_is_told_with_its_format_and_size)
{
	begin();
	hear(play_progress());
	hear_result(true);
	end(ST_OK);
	expect(ST_OK, FORMAT_V8_CPUPROFILE, 1234);
}

Test(delivery, a_whole_result_is_told_even_of_a_killed_worker)
{
	begin();
	hear_result(true);
	end(ST_WORKER_KILLED);
	expect(ST_OK, FORMAT_V8_CPUPROFILE, 1234);
}

Test(delivery, a_part_of_an_answer_is_told_as_the_obituary_says)
{
	begin();
	hear_result(false);
	end(ST_WORKER_CRASHED);
	expect(ST_WORKER_CRASHED, FORMAT_V8_CPUPROFILE, 1234);
}

Test(delivery, a_failure_is_told_with_the_size_that_progress_told)
{
	struct failure failure;

	begin();
	hear(play_progress());
	failure_init(&failure, ST_ARTIFACT_PARSE_FAILED, RE_INVALID_JSON);
	hear(play_failed(&failure));
	end(ST_OK);
	expect(ST_ARTIFACT_PARSE_FAILED, FORMAT_ANY, 1234);
}

Test(delivery, of_a_broken_answer_nothing_is_told_but_the_breach)
{
	begin();
	hear_result(true);
	hear(play_done(2));
	end(ST_BAD_REPLY);
	expect(ST_BAD_REPLY, FORMAT_ANY, 0);
}

Test(delivery, a_job_that_never_ran_has_a_verdict_too)
{
	begin();
	end(ST_CANCELLED);
	expect(ST_CANCELLED, FORMAT_ANY, 0);
}

Test(delivery, an_adopted_job_that_ended_has_a_verdict)
{
	begin();
	job->adopted = true;
	end(ST_OK);
	expect(ST_FRONT_LOST, FORMAT_ANY, 0);
}

Test(delivery, before_the_obituary_there_is_no_verdict)
{
	struct frame frame;

	begin();
	hear_result(true);
	channels_settle(&front, job);
	cr_expect_neq(job->stage, STAGE_ENDED);
	cr_expect_not(next(&frame));
	end(ST_OK);
	expect(ST_OK, FORMAT_V8_CPUPROFILE, 1234);
}

Test(delivery, what_goes_without_thanks_is_remembered)
{
	begin();
	end(ST_CANCELLED);
	front.now_ms = 59999;
	delivery_tick(&front);
	cr_expect_not_null(ledger_find(&front.ledger, JOB));
	cr_expect_eq(delivery_deadline(&front), 60000);
	front.now_ms = 60000;
	delivery_tick(&front);
	cr_expect_null(ledger_find(&front.ledger, JOB));
	cr_expect(results_went(&front.results, JOB));
	cr_expect_eq(front.results.used, 0);
	ledger_fini(&front.ledger);
}

Test(delivery, what_was_acknowledged_is_not)
{
	begin();
	end(ST_CANCELLED);
	delivery_forget(&front, job);
	cr_expect_not(results_went(&front.results, JOB));
	ledger_fini(&front.ledger);
}

#define ASK_8 "{\"op\":\"result\",\"job\":\"j-0000000000000008\"}"
#define ASK_9 "{\"op\":\"result\",\"job\":\"j-0000000000000009\"}"

/* An ended job, whose final text is larger than a socket takes at once. */
static struct tracked *
large_job(uint64_t id)
{
	struct tracked *large = served_job(id, span_str("a"));

	served_finish(large, ST_CANCELLED);
	outbox_fini(&large->final);
	outbox_init(&large->final, 5 * MIB);
	outbox_raw(&large->final, "[0");
	while (large->final.len < 4 * MIB)
		outbox_raw(&large->final, ",1234567890123456789");
	outbox_raw(&large->final, "]");
	return large;
}

/* What was told may go when room is needed; so only what was. */
Test(delivery, what_has_to_wait_was_not_told)
{
	struct tracked *first, *second;

	served_begin();
	first = large_job(8);
	second = large_job(9);
	for (unsigned i = 0; i < 5; i++)
		served_ask("{\"op\":\"version\"}");
	served_ask(ASK_8);
	cr_expect(first->told);
	served_ask(ASK_9);
	cr_expect_not(second->told, "the first is still on its way");
	cr_expect_eq(second->waiters_len, 1);
	cr_expect_eq(delivery_deadline(&served), served.now_ms + 50);
	for (unsigned i = 0; i < 5; i++)
		cr_expect_lt(strlen(served_hear()), 100);
	cr_expect_gt(strlen(served_hear()), 4 * MIB);
	served_end();
}

Test(delivery, who_has_gone_was_not_told)
{
	struct request request = {.op = OP_RESULT, .job_id = 8, .wait = true};
	struct tracked *ended;

	served_begin();
	ended = served_job(8, span_str("a"));
	cr_assert_not_null(
	    ledger_wait(&served.ledger, ended, &served_peer, &request));
	served_finish(ended, ST_CANCELLED);
	cr_expect_not(ended->told);
	cr_expect_eq(ended->waiters_len, 0);
	served_ask(ASK_8);
	cr_expect(ended->told);
	served_end();
}

Test(delivery, progress_is_told_five_times_a_second)
{
	struct tracked *live;

	served_begin();
	live = served_job(7, span_str("a"));
	served_ask("{\"op\":\"result\",\"job\":\"j-0000000000000007\","
		   "\"progress\":true}");
	(void)served_hear();
	cr_expect_eq(delivery_deadline(&served), INT64_MAX);
	live->news = true;
	served.now_ms += 199;
	delivery_tick(&served);
	cr_expect(live->news, "too early");
	cr_expect_eq(delivery_deadline(&served), served.now_ms + 1);
	served.now_ms += 1;
	delivery_tick(&served);
	cr_expect_not(live->news);
	(void)served_hear();
	served_end();
}
