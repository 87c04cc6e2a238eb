/*
 * Every order and every lie that a worker may try, and that a good one passes.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/unit/front/play.h"

TestSuite(relay);

static struct job job;
static struct relay relay;
static struct answer answer;
static struct row rows[2];

static void
begin(void)
{
	play_job(&job);
	play_answer(&answer);
	play_row(&rows[0], 0);
	play_row(&rows[1], 1);
	relay_init(&relay, &job, 0);
}

static void
end(enum relay_state state, enum reason breach)
{
	cr_expect_eq(relay.state, state, "state %d", relay.state);
	cr_expect_eq(relay.breach, breach, "breach %s",
		     reason_name(relay.breach));
	relay_fini(&relay);
}

/* The frames by letter: Progress Result roWs Done Failed Last words. */
static struct span
frame_of(char letter)
{
	struct failure failure;

	switch (letter) {
	case 'P':
		return play_progress();
	case 'R':
		return play_result(&answer);
	case 'W':
		return play_rows(rows, 2, 2);
	case 'D':
		return play_done(2);
	case 'L':
		return play_words("bug: x.c:1: y");
	default:
		failure_of_limit(&failure, LIMIT_MEMORY_BYTES, 2, 1);
		return play_failed(&failure);
	}
}

static void
feed_all(const char *letters)
{
	for (; *letters != '\0'; letters++)
		(void)relay_feed(&relay, frame_of(*letters));
}

Test(relay, takes_every_legal_order)
{
	static const struct {
		const char *letters;
		enum relay_state state;
	} legal[] = {
	    {"", RELAY_READING},    {"P", RELAY_READING},
	    {"PPP", RELAY_READING}, {"L", RELAY_READING},
	    {"R", RELAY_ROWS},	    {"RW", RELAY_ROWS},
	    {"RWD", RELAY_DONE},    {"PLRLWLDL", RELAY_DONE},
	    {"F", RELAY_FAILED},    {"PPF", RELAY_FAILED},
	    {"RF", RELAY_FAILED},   {"RWF", RELAY_FAILED},
	    {"RWFL", RELAY_FAILED},
	};

	for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) {
		begin();
		feed_all(legal[i].letters);
		end(legal[i].state, RE_NONE);
	}
}

Test(relay, takes_no_other_order)
{
	static const char *const illegal[] = {
	    "W",    "D",    "PW",   "RR", "RP", "RWP", "RWR", "RWDD", "RWDW",
	    "RWDR", "RWDF", "RWDP", "FF", "FP", "FR",  "FW",  "FD",
	};

	for (size_t i = 0; i < sizeof(illegal) / sizeof(illegal[0]); i++) {
		begin();
		feed_all(illegal[i]);
		end(RELAY_BROKEN, RE_BAD_ORDER);
	}
}

Test(relay, stays_broken)
{
	begin();
	feed_all("WRWD");
	cr_expect_eq(relay_feed(&relay, frame_of('P')), RELAY_ON_BREACH);
	end(RELAY_BROKEN, RE_BAD_ORDER);
}

Test(relay, refuses_bytes_that_are_no_frame)
{
	uint8_t copy[FRAME_BYTES_MAX];
	struct span good;

	begin();
	good = frame_of('R');
	for (size_t len = 0; len < good.len; len++) {
		relay_init(&relay, &job, 0);
		cr_expect_eq(relay_feed(&relay, span_of(good.data, len)),
			     RELAY_ON_BREACH);
		end(RELAY_BROKEN, RE_BAD_FRAME);
	}
	memcpy(copy, good.data, good.len);
	copy[3] = MSG_CONFIG; /* a supervisor's */
	relay_init(&relay, &job, 0);
	(void)relay_feed(&relay, span_of(copy, good.len));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, keeps_the_last_progress)
{
	begin();
	cr_expect_eq(relay_feed(&relay, frame_of('P')), RELAY_ON_PROGRESS);
	cr_expect(relay.has_progress);
	cr_expect_eq(relay.progress.bytes, 500);
	end(RELAY_READING, RE_NONE);
}

Test(relay, hands_out_last_words_for_the_log)
{
	begin();
	cr_expect_eq(relay_feed(&relay, frame_of('L')), RELAY_ON_WORDS);
	cr_expect(span_is(relay.words, "bug: x.c:1: y"));
	end(RELAY_READING, RE_NONE);
}

Test(relay, refuses_last_words_that_are_not_utf8)
{
	begin();
	(void)relay_feed(&relay, play_words("\xff"));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, refuses_more_last_words_than_a_log_needs)
{
	begin();
	for (unsigned i = 0; i < RELAY_WORDS_MAX; i++)
		cr_expect_eq(relay_feed(&relay, frame_of('L')), RELAY_ON_WORDS);
	cr_expect_eq(relay_feed(&relay, frame_of('L')), RELAY_ON_BREACH);
	end(RELAY_BROKEN, RE_TOO_MUCH);
}

/* A result whose answer was bent; rows and DONE follow as far as they may. */
static void
expect_lie(enum reason breach)
{
	feed_all("RWD");
	end(RELAY_BROKEN, breach);
}

Test(relay, refuses_more_rows_than_were_asked_for)
{
	begin();
	job.rows = 1;
	expect_lie(RE_TOO_MUCH);
}

Test(relay, refuses_another_format_than_the_declared)
{
	begin();
	job.format = FORMAT_V8_HEAPPROFILE;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_a_cut_that_was_not_asked_for)
{
	begin();
	answer.partial = true;
	expect_lie(RE_BAD_FRAME);
	begin();
	answer.partial = true;
	job.on_limit = ON_LIMIT_TRUNCATE;
	feed_all("RWD");
	end(RELAY_DONE, RE_NONE);
}

Test(relay, wants_a_digest_when_asked_for_and_only_then)
{
	begin();
	job.digest = false;
	expect_lie(RE_BAD_FRAME);
	begin();
	answer.has_digest = false;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_a_metric_twice)
{
	begin();
	answer.metrics[1].name = answer.metrics[0].name;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_values_in_other_when_there_are_no_other_rows)
{
	begin();
	answer.rows_total = 2;
	rows[0].rank_inclusive = 2;
	rows[1].rank_self = 2;
	rows[1].rank_inclusive = 1;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_totals_that_rows_do_not_reach)
{
	begin();
	answer.metrics[0].total++;
	expect_lie(RE_BAD_FRAME);
	begin();
	rows[1].self[1]--;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_totals_that_rows_exceed)
{
	begin();
	rows[0].self[0]++;
	expect_lie(RE_BAD_FRAME);
	begin();
	answer.other_self[1]++;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_sums_that_wrap_around)
{
	begin();
	rows[0].self[0] = rows[0].inclusive[0] = UINT64_MAX;
	rows[1].self[0] = 13;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_an_inclusive_value_above_the_total)
{
	begin();
	rows[1].inclusive[0] = 16;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_ranks_that_are_none)
{
	begin();
	rows[0].rank_self = 0;
	expect_lie(RE_BAD_FRAME);
	begin();
	rows[0].rank_inclusive = 4;
	expect_lie(RE_BAD_FRAME);
}

Test(relay, refuses_more_rows_than_were_announced)
{
	begin();
	answer.rows_returned = 1;
	expect_lie(RE_TOO_MUCH);
	begin();
	feed_all("RWW");
	end(RELAY_BROKEN, RE_TOO_MUCH);
}

Test(relay, refuses_fewer_rows_than_were_announced)
{
	begin();
	feed_all("RD");
	end(RELAY_BROKEN, RE_BAD_FRAME);
	begin();
	(void)relay_feed(&relay, frame_of('R'));
	(void)relay_feed(&relay, play_rows(rows, 1, 2));
	(void)relay_feed(&relay, play_done(1));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, refuses_a_done_that_miscounts)
{
	begin();
	feed_all("RW");
	(void)relay_feed(&relay, play_done(3));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, refuses_rows_without_a_row)
{
	begin();
	feed_all("R");
	(void)relay_feed(&relay, play_rows(rows, 0, 2));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, refuses_bytes_behind_the_last_row)
{
	uint8_t copy[FRAME_BYTES_MAX];
	struct writer w;

	begin();
	feed_all("R");
	writer_init(&w, copy, sizeof(copy));
	frame_begin(&w, MSG_ROWS, 0);
	writer_put_u16(&w, 1);
	row_write(&w, &rows[0], 2);
	writer_put_u8(&w, 0);
	(void)relay_feed(&relay, frame_end(&w));
	end(RELAY_BROKEN, RE_BAD_FRAME);
}

Test(relay, takes_rows_one_by_one)
{
	begin();
	feed_all("R");
	(void)relay_feed(&relay, play_rows(&rows[0], 1, 2));
	(void)relay_feed(&relay, play_rows(&rows[1], 1, 2));
	feed_all("D");
	end(RELAY_DONE, RE_NONE);
}

Test(relay, takes_no_rows_when_none_are_announced)
{
	begin();
	answer.rows_returned = 0;
	answer.other_self[0] = 15;
	answer.other_self[1] = 150;
	feed_all("R");
	(void)relay_feed(&relay, play_done(0));
	end(RELAY_DONE, RE_NONE);
}

/* Strings as long as they may be, all of bytes that take six in JSON. */
static void
make_fat(struct row *row)
{
	static uint8_t bytes[6144];

	memset(bytes, 1, sizeof(bytes));
	row->function = row->url = row->file = row->script = row->package =
	    span_of(bytes, sizeof(bytes));
	row->has_script = row->has_file = row->has_package = true;
}

Test(relay, refuses_more_text_than_max_result_bytes)
{
	begin();
	job.limits.of[LIMIT_MAX_RESULT_BYTES] = 64 * KIB;
	relay_init(&relay, &job, 0);
	make_fat(&rows[0]);
	feed_all("R");
	(void)relay_feed(&relay, play_rows(rows, 1, 2));
	end(RELAY_BROKEN, RE_TOO_MUCH);
}

Test(relay, refuses_a_tail_beyond_max_result_bytes)
{
	struct run run = {0};

	begin();
	play_all(&relay);
	relay.text.cap = relay.text.len + 100;
	cr_expect_not(relay_finish(&relay, &run));
	end(RELAY_BROKEN, RE_TOO_MUCH);
}

Test(relay, lets_a_worker_blame_only_the_artifact_and_the_job)
{
	for (unsigned i = 1; i < ST_COUNT; i++) {
		struct failure failure;
		bool may = i == ST_UNSUPPORTED_FORMAT ||
			   i == ST_FORMAT_MISMATCH || i == ST_EMPTY_INPUT ||
			   i == ST_ARTIFACT_PARSE_FAILED ||
			   i == ST_ARTIFACT_CORRUPT || i == ST_LIMIT_EXCEEDED ||
			   i == ST_ARTIFACT_CHANGED || i == ST_INPUT_KIND;

		begin();
		failure_init(&failure, (enum status)i, RE_NONE);
		if (i == ST_LIMIT_EXCEEDED)
			failure.limit = LIMIT_MAX_NODES;
		(void)relay_feed(&relay, play_failed(&failure));
		end(may ? RELAY_FAILED : RELAY_BROKEN,
		    may ? RE_NONE : RE_BAD_FRAME);
	}
}

Test(relay, lets_a_worker_refuse_a_metric_that_is_not_there)
{
	struct failure failure;

	begin();
	failure_init(&failure, ST_INVALID_REQUEST, RE_NO_SUCH_METRIC);
	failure.signal = 9; /* not the worker's to say */
	(void)relay_feed(&relay, play_failed(&failure));
	cr_expect_eq(relay.failure.signal, 0);
	end(RELAY_FAILED, RE_NONE);
}
