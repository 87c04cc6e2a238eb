/*
 * Two witnesses in either order, and what each says: the whole table.
 */
#include <criterion/criterion.h>

#include "broker/front/verdict.h"
#include "tests/unit/front/play.h"

TestSuite(verdict);

static struct job job;
static struct relay relay;
static struct obituary_record fine = {.status = ST_OK, .limit = LIMIT_NONE};
static struct obituary_record killed = {.status = ST_WORKER_KILLED,
					.signal = 9,
					.limit = LIMIT_NONE};

static void
relay_in(enum relay_state state)
{
	struct answer answer;
	struct failure failure;

	play_job(&job);
	play_answer(&answer);
	relay_init(&relay, &job, 0);
	failure_init(&failure, ST_EMPTY_INPUT, RE_NONE);
	switch (state) {
	case RELAY_READING:
		break;
	case RELAY_ROWS:
		(void)relay_feed(&relay, play_result(&answer));
		break;
	case RELAY_DONE:
		play_all(&relay);
		break;
	case RELAY_FAILED:
		(void)relay_feed(&relay, play_failed(&failure));
		break;
	case RELAY_BROKEN:
		relay_break(&relay, RE_TOO_MUCH);
		break;
	}
	cr_assert_eq(relay.state, state);
}

Test(verdict, takes_both_witnesses_whatever_the_relay_says)
{
	for (int state = RELAY_READING; state <= RELAY_BROKEN; state++) {
		struct failure failure;
		struct witnesses w = {.relay = &relay, .obituary = &fine};

		relay_in((enum relay_state)state);
		cr_expect_eq(verdict_reach(&w, &failure), VERDICT_OPEN);
		w.has_obituary = true;
		cr_expect_eq(verdict_reach(&w, &failure), VERDICT_OPEN);
		w.has_obituary = false;
		w.channel_over = true;
		cr_expect_eq(verdict_reach(&w, &failure), VERDICT_OPEN);
		w.has_obituary = true;
		cr_expect_neq(verdict_reach(&w, &failure), VERDICT_OPEN);
		relay_fini(&relay);
	}
}

Test(verdict, is_the_workers_whole_answer_else_the_obituary)
{
	static const struct {
		enum relay_state state;
		struct obituary_record *obituary;
		enum verdict verdict;
		enum status status;
		enum reason reason;
	} table[] = {
	    {RELAY_DONE, &fine, VERDICT_RESULT, ST_OK, RE_NONE},
	    {RELAY_DONE, &killed, VERDICT_RESULT, ST_OK, RE_NONE},
	    {RELAY_FAILED, &fine, VERDICT_FAILURE, ST_EMPTY_INPUT, RE_NONE},
	    {RELAY_FAILED, &killed, VERDICT_FAILURE, ST_EMPTY_INPUT, RE_NONE},
	    {RELAY_BROKEN, &fine, VERDICT_FAILURE, ST_BAD_REPLY, RE_TOO_MUCH},
	    {RELAY_BROKEN, &killed, VERDICT_FAILURE, ST_BAD_REPLY, RE_TOO_MUCH},
	    {RELAY_READING, &fine, VERDICT_FAILURE, ST_BAD_REPLY, RE_NO_ANSWER},
	    {RELAY_READING, &killed, VERDICT_FAILURE, ST_WORKER_KILLED,
	     RE_NONE},
	    {RELAY_ROWS, &fine, VERDICT_FAILURE, ST_BAD_REPLY, RE_NO_ANSWER},
	    {RELAY_ROWS, &killed, VERDICT_FAILURE, ST_WORKER_KILLED, RE_NONE},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct failure failure = {0};
		struct witnesses w = {.channel_over = true,
				      .has_obituary = true,
				      .relay = &relay,
				      .obituary = table[i].obituary};

		relay_in(table[i].state);
		cr_expect_eq(verdict_reach(&w, &failure), table[i].verdict);
		cr_expect_eq(failure.status, table[i].status, "row %zu", i);
		cr_expect_eq(failure.reason, table[i].reason, "row %zu", i);
		relay_fini(&relay);
	}
}

Test(verdict, of_an_adopted_job_without_an_answer_is_front_lost)
{
	struct failure failure;
	struct witnesses w = {.channel_over = true,
			      .has_obituary = true,
			      .adopted = true,
			      .relay = &relay,
			      .obituary = &fine};

	relay_in(RELAY_READING);
	cr_expect_eq(verdict_reach(&w, &failure), VERDICT_FAILURE);
	cr_expect_eq(failure.status, ST_FRONT_LOST);
	relay_fini(&relay);
	/* rows without the head that an earlier front has read */
	relay_break(&relay, RE_BAD_ORDER);
	cr_expect_eq(verdict_reach(&w, &failure), VERDICT_FAILURE);
	cr_expect_eq(failure.status, ST_FRONT_LOST);
	w.adopted = false;
	cr_expect_eq(verdict_reach(&w, &failure), VERDICT_FAILURE);
	cr_expect_eq(failure.status, ST_BAD_REPLY);
}

Test(verdict, names_the_signal)
{
	struct failure failure;
	struct witnesses w = {.channel_over = true,
			      .has_obituary = true,
			      .relay = &relay,
			      .obituary = &killed};

	relay_in(RELAY_READING);
	(void)verdict_reach(&w, &failure);
	cr_expect_eq(failure.signal, 9);
	cr_expect_str_eq(failure.message, "the worker was killed from outside "
					  "(signal 9, SIGKILL)");
	relay_fini(&relay);
}

Test(verdict, keeps_the_limit_of_an_obituary)
{
	struct obituary_record late = {.status = ST_LIMIT_EXCEEDED,
				       .limit = LIMIT_WALL_SECONDS,
				       .actual = 8,
				       .max = 7};
	struct failure failure;
	struct witnesses w = {.channel_over = true,
			      .has_obituary = true,
			      .relay = &relay,
			      .obituary = &late};

	relay_in(RELAY_READING);
	(void)verdict_reach(&w, &failure);
	cr_expect_eq(failure.limit, LIMIT_WALL_SECONDS);
	cr_expect_eq(failure.actual, 8);
	cr_expect_eq(failure.max, 7);
	relay_fini(&relay);
}
