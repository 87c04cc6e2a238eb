/*
 * Each delta moves the clock; the sample is put on the timeline at its time.
 */
#include "worker/formats/v8_clock.h"

#include <assert.h>

/* Times and sums that are no larger stay within 64 bits for a batch more. */
#define NEAR (INT64_C(1) << 61)
static_assert(V8_CLOCK_SMALL * V8_CLOCK_BATCH < NEAR, "as they should");

void
v8_clock_init(struct v8_clock *c, struct extraction *extraction,
	      struct json_stream *stream)
{
	*c = (struct v8_clock){
	    .extraction = extraction,
	    .stream = stream,
	    .earliest = INT64_MAX,
	    .latest = INT64_MIN,
	};
	column_init(&c->durations, extraction->arena);
	timeline_init(&c->timeline, extraction->arena, &c->durations);
}

void
v8_clock_fini(struct v8_clock *c)
{
	timeline_fini(&c->timeline);
	column_fini(&c->durations);
}

static enum status
overflow(struct v8_clock *c)
{
	struct failure *failure = c->extraction->failure;

	if (c->stream != NULL)
		return json_stream_fail(c->stream, RE_TIME_OVERFLOW);
	failure_init(failure, ST_ARTIFACT_PARSE_FAILED, RE_TIME_OVERFLOW);
	return ST_ARTIFACT_PARSE_FAILED;
}

static enum status
step(struct v8_clock *c, int64_t delta)
{
	if (c->absolute)
		c->now = delta;
	else if (__builtin_add_overflow(c->now, delta, &c->now))
		return overflow(c);
	if (c->now < c->earliest)
		c->earliest = c->now;
	if (c->now > c->latest)
		c->latest = c->now;
	return ST_OK;
}

static enum status
put(struct v8_clock *c, size_t n, bool ascending)
{
	return timeline_add(&c->timeline, n, ascending) ? ST_OK : overflow(c);
}

enum status
v8_clock_place(struct v8_clock *c, uint32_t slot, int64_t delta)
{
	int64_t *times;
	uint32_t *slots;

	TRY(step(c, delta));
	timeline_next(&c->timeline, &times, &slots);
	*times = c->now;
	*slots = slot;
	return put(c, 1, true);
}

enum status
v8_clock_cut(struct v8_clock *c, int64_t delta)
{
	if (c->has_cut_end)
		return ST_OK;
	TRY(step(c, delta));
	c->has_cut_end = true;
	c->cut_end = c->now;
	return ST_OK;
}

bool
v8_clock_near(const struct v8_clock *c)
{
	return !c->absolute && c->now < NEAR && c->now > -NEAR &&
	       c->durations.total < NEAR && c->durations.none < NEAR;
}

uint32_t *
v8_clock_slots(struct v8_clock *c)
{
	int64_t *times;
	uint32_t *slots;

	timeline_next(&c->timeline, &times, &slots);
	return slots;
}

/* step of all of them; whether time never went back. */
static bool
run(struct v8_clock *c, const int64_t *deltas, size_t n, int64_t *times)
{
	int64_t now = c->now, back = 0;

	for (size_t i = 0; i < n; i++) {
		back |= deltas[i];
		now += deltas[i];
		times[i] = now;
	}
	c->now = now;
	/* the first and the last are enough, unless time went back */
	for (size_t i = 0; i < n; i += back < 0 || i == n - 1 ? 1 : n - 1) {
		if (times[i] < c->earliest)
			c->earliest = times[i];
		if (times[i] > c->latest)
			c->latest = times[i];
	}
	return back >= 0;
}

enum status
v8_clock_run(struct v8_clock *c, const int64_t *deltas, size_t n)
{
	int64_t *times;
	uint32_t *slots;

	timeline_next(&c->timeline, &times, &slots);
	return put(c, n, run(c, deltas, n, times));
}

/* The end on the timeline's own scale, and whether all times fit 64 bits. */
static enum status
end_time(struct v8_clock *c, int64_t start, int64_t end, int64_t *end_out)
{
	int64_t sum;

	if (c->absolute) {
		*end_out = c->has_cut_end ? c->cut_end : end;
		return ST_OK;
	}
	if (__builtin_sub_overflow(end, start, &sum))
		return overflow(c);
	*end_out = c->has_cut_end ? c->cut_end : sum;
	if (c->earliest <= c->latest &&
	    (__builtin_add_overflow(start, c->earliest, &sum) ||
	     __builtin_add_overflow(start, c->latest, &sum)))
		return overflow(c);
	return ST_OK;
}

enum status
v8_clock_end(struct v8_clock *c, int64_t start, int64_t end)
{
	int64_t end_us = 0;

	TRY(end_time(c, start, end, &end_us));
	return timeline_end(&c->timeline, end_us) ? ST_OK : overflow(c);
}
