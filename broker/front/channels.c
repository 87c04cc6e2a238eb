/*
 * A worker is hostile: what it sends costs us at most the room that its job
 * has reserved, and at most a bounded time a turn.
 */
#include "broker/front/channels.h"

#include "broker/front/delivery.h"
#include "broker/front/front_log.h"
#include "broker/front/verdict.h"
#include "proto/chan.h"
#include "proto/fd.h"

#define FRAMES_A_TURN 64
/* ALIVE is said at most so often, and of the last frame at most so late. */
#define ALIVE_MS 50
#define HELD_MS 100 /* until room is looked for again */

void
channels_open(struct front *front, struct tracked *job, int *fd,
	      uint32_t sandbox)
{
	(void)front;
	fd_close(&job->channel);
	job->channel = fd_take(fd);
	job->sandbox = sandbox;
	job->stage = STAGE_RUNNING;
	job->news = true;
}

/* A frame came: the stall clock starts afresh. When that was just said it is
 * said again later, so that the last frame of all counts, too. */
static void
say_alive(struct front *front, struct tracked *job)
{
	job->alive_due =
	    job->alive_ms != 0 && front->now_ms - job->alive_ms < ALIVE_MS;
	if (job->alive_due)
		return;
	job->alive_ms = front->now_ms;
	link_client_say(&front->link, MSG_ALIVE, job->id);
}

/* The stall clock stands while we do not read, and goes on when we do, even if
 * nothing is there to be read. */
static void
hold(struct front *front, struct tracked *job, bool held)
{
	if (job->held == held)
		return;
	job->held = held;
	job->alive_ms = 0;
	job->alive_due = false;
	if (held)
		link_client_say(&front->link, MSG_HOLD, job->id);
	else
		say_alive(front, job);
}

/* From here on the answer is with us: if we die, it is lost. */
static void
begin_delivery(struct front *front, struct tracked *job)
{
	if (job->delivering_said)
		return;
	job->delivering_said = true;
	job->stage = STAGE_DELIVERING;
	job->news = true;
	link_client_say(&front->link, MSG_DELIVERING, job->id);
}

static void
close_channel(struct tracked *job)
{
	fd_close(&job->channel);
	job->held = false;
}

/* The worker is not to be trusted with another byte. */
static void
on_breach(struct front *front, struct tracked *job)
{
	front_log("breach", "job=j-%016llx reason=%s",
		  (unsigned long long)job->id, reason_name(job->relay.breach));
	close_channel(job);
	results_release(&front->results, job);
	link_client_cancel(&front->link, job->id, job->relay.breach);
}

static void
on_frame(struct front *front, struct tracked *job, struct span bytes)
{
	switch (relay_feed(&job->relay, bytes)) {
	case RELAY_ON_PROGRESS:
		job->news = true;
		break;
	case RELAY_ON_ANSWER:
		begin_delivery(front, job);
		break;
	case RELAY_ON_WORDS:
		front_log_words(job->id, job->relay.words);
		break;
	case RELAY_ON_BREACH:
		on_breach(front, job);
		return;
	}
	say_alive(front, job);
}

/* Room for the whole result, for which older ones may have to go. */
static bool
find_room(struct front *front, struct tracked *job)
{
	while (!results_reserve(&front->results, job)) {
		struct tracked *old =
		    results_in_the_way(&front->results, &front->ledger, job);

		if (old == NULL)
			return false;
		delivery_expire(front, old);
	}
	return true;
}

/* False when there is nothing more to read for now. */
static bool
read_frame(struct front *front, struct tracked *job)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;

	hold(front, job,
	     job->relay.state == RELAY_ROWS && !find_room(front, job));
	if (job->held)
		return false;
	switch (chan_receive(job->channel, buffer, false, NULL, &bytes)) {
	case CHAN_OK:
		on_frame(front, job, bytes);
		return job->channel >= 0;
	case CHAN_AGAIN:
		/* a worker that the kernel does not let go keeps its end */
		if (job->has_obituary && job->obituary.unreaped)
			close_channel(job);
		return false;
	case CHAN_CLOSED:
		close_channel(job);
		return false;
	case CHAN_SHORT: /* of sending only */
	case CHAN_LOST:	 /* where no descriptor is welcome there is none */
	case CHAN_BAD:
		relay_break(&job->relay, RE_BAD_FRAME);
		on_breach(front, job);
		return false;
	}
	return false;
}

void
channels_read(struct front *front, struct tracked *job)
{
	/* behind its obituary a worker writes no more, so the rest is bounded;
	 * and it must be read to its end, of which poll would not tell when
	 * the kernel does not let the worker go */
	for (int i = 0;
	     job->channel >= 0 && (i < FRAMES_A_TURN || job->has_obituary); i++)
		if (!read_frame(front, job))
			break;
	channels_settle(front, job);
}

void
channels_settle(struct front *front, struct tracked *job)
{
	struct witnesses w = {
	    .channel_over = job->channel < 0,
	    .has_obituary = job->has_obituary,
	    .adopted = job->adopted,
	    .relay = &job->relay,
	    .obituary = &job->obituary,
	};
	struct failure failure;

	if (job->stage == STAGE_ENDED)
		return;
	switch (verdict_reach(&w, &failure)) {
	case VERDICT_OPEN:
		break;
	case VERDICT_RESULT:
		delivery_end(front, job, NULL);
		break;
	case VERDICT_FAILURE:
		delivery_end(front, job, &failure);
		break;
	}
}

void
channels_tick(struct front *front)
{
	struct tracked *next;

	for (struct tracked *job = front->ledger.live.oldest; job != NULL;
	     job = next) {
		next = job->younger;
		if (job->held)
			channels_read(front, job);
		else if (job->alive_due)
			say_alive(front, job);
	}
}

int64_t
channels_deadline(const struct front *front)
{
	const struct tracked *job = front->ledger.live.oldest;
	int64_t at = INT64_MAX;

	for (; job != NULL; job = job->younger) {
		int64_t due = INT64_MAX;

		if (job->held)
			due = front->now_ms + HELD_MS;
		else if (job->alive_due)
			due = job->alive_ms + ALIVE_MS;
		at = due < at ? due : at;
	}
	return at;
}
