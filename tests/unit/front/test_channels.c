/*
 * What the supervisor hears of a worker's frames, by which it tells a stall.
 */
#include "broker/front/channels.h"

#include <criterion/criterion.h>

#include "proto/chan.h"
#include "proto/fd.h"
#include "tests/unit/front/play.h"
#include "tests/unit/front/served.h"

static struct tracked *live;
static int worker = -1;

static void
begin(void)
{
	int chan[2];

	served_begin();
	live = served_job(7, span_str("a"));
	live->relay.id = 0; /* which the played frames name */
	cr_assert(chan_pair(chan));
	channels_open(&served, live, &chan[0], 0);
	worker = chan[1];
}

static void
end(void)
{
	fd_close(&worker);
	served_end();
}

static void
frame_comes(struct span bytes)
{
	cr_assert_eq(chan_send(worker, bytes, -1, false), CHAN_OK);
	channels_read(&served, live);
}

static void
time_passes(int64_t ms)
{
	served.now_ms += ms;
	channels_tick(&served);
}

static void
expect(enum message message)
{
	struct frame frame;

	cr_assert(served_next(&frame), "no %s came", message_name(message));
	cr_assert_eq(frame.message, message, "%s instead of %s",
		     message_name(frame.message), message_name(message));
	cr_assert_eq(frame.job, 7);
}

static void
expect_silence(void)
{
	struct frame frame;

	cr_assert_not(served_next(&frame));
}

Test(channels, the_last_frame_counts_though_another_was_just_told)
{
	begin();
	frame_comes(play_progress());
	expect(MSG_ALIVE);
	time_passes(30);
	frame_comes(play_progress());
	expect_silence();
	cr_assert_eq(channels_deadline(&served), served.now_ms + 20);
	time_passes(19);
	expect_silence();
	time_passes(1);
	expect(MSG_ALIVE);
	cr_assert_eq(channels_deadline(&served), INT64_MAX);
	time_passes(1000);
	expect_silence();
	end();
}

Test(channels, many_frames_are_few_words)
{
	unsigned words = 0;
	struct frame frame;

	begin();
	for (unsigned ms = 0; ms < 1000; ms++) {
		frame_comes(play_progress());
		time_passes(1);
		while (served_next(&frame))
			words++;
	}
	cr_assert_geq(words, 20);
	cr_assert_leq(words, 21);
	end();
}

/* The answer is there, and its rows find no room. */
static void
be_held(void)
{
	struct answer answer;

	served.results.used = served.results.max;
	play_answer(&answer);
	frame_comes(play_result(&answer));
	expect(MSG_DELIVERING);
	expect(MSG_ALIVE);
	expect(MSG_HOLD);
	cr_assert_eq(channels_deadline(&served), served.now_ms + 100);
}

Test(channels, a_hold_is_said_once)
{
	begin();
	be_held();
	time_passes(100);
	time_passes(5000);
	expect_silence();
	end();
}

Test(channels, behind_a_hold_a_worker_that_sends_nothing_is_waited_for_no_more)
{
	begin();
	be_held();
	served.results.used = 0;
	time_passes(100);
	expect(MSG_ALIVE);
	expect_silence();
	cr_assert_eq(channels_deadline(&served), INT64_MAX);
	end();
}
