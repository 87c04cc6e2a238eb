/*
 * The life of a delta: it gives its sample a time; the sample is put on the
 * timeline there; and when the next one's time is certain, its duration is
 * added to its node.
 */
#include "worker/formats/v8_times.h"

#include <assert.h>
#include <inttypes.h>

#include "proto/bug.h"

void
v8_times_init(struct v8_times *t, struct extraction *extraction,
	      struct json_stream *stream)
{
	*t = (struct v8_times){
	    .extraction = extraction,
	    .stream = stream,
	    .earliest = INT64_MAX,
	    .latest = INT64_MIN,
	};
	v8_samples_init(&t->samples, extraction, stream);
	column_init(&t->durations, extraction->arena);
	timeline_init(&t->timeline, extraction->arena, &t->durations);
	median_init(&t->median, extraction->arena);
}

void
v8_times_fini(struct v8_times *t)
{
	v8_samples_fini(&t->samples);
	column_fini(&t->durations);
	timeline_fini(&t->timeline);
	median_fini(&t->median);
}

/* A failure at the stream's place, or at none when it has ended. */
static enum status
fail(struct v8_times *t, enum reason reason)
{
	if (t->stream != NULL)
		return json_stream_fail(t->stream, reason);
	failure_init(t->extraction->failure, ST_ARTIFACT_PARSE_FAILED, reason);
	return ST_ARTIFACT_PARSE_FAILED;
}

static uint64_t
wanted(const struct v8_times *t)
{
	return v8_samples_wanted(&t->samples);
}

static enum status
check_lengths(struct v8_times *t)
{
	if (!t->samples.ended || !t->deltas.ended ||
	    t->samples.len == t->deltas.len)
		return ST_OK;
	(void)fail(t, RE_LENGTH_MISMATCH);
	failure_say(t->extraction->failure,
		    "%" PRIu64 " samples and %" PRIu64 " %s", t->samples.len,
		    t->deltas.len, t->absolute ? "timestamps" : "time deltas");
	return ST_ARTIFACT_PARSE_FAILED;
}

void
v8_times_start_samples(struct v8_times *t)
{
	v8_samples_start(&t->samples, t->deltas.seen);
}

enum status
v8_times_end_samples(struct v8_times *t)
{
	v8_samples_end(&t->samples);
	return check_lengths(t);
}

void
v8_times_start_deltas(struct v8_times *t, bool absolute)
{
	t->deltas.seen = true;
	t->absolute = absolute;
	t->again.offset = json_stream_offset(t->stream) + 1;
	t->deltas.late = !t->samples.ended || t->samples.late;
}

/* What the deltas are like, whether or not there are samples for them. */
static enum status
note_delta(struct v8_times *t, uint64_t index, int64_t delta)
{
	int64_t gap = delta;

	if (t->absolute && index > 0 &&
	    __builtin_sub_overflow(delta, t->before, &gap))
		return fail(t, RE_TIME_OVERFLOW);
	t->before = delta;
	/* A first timestamp is no gap. */
	if (gap < 0 && (index > 0 || !t->absolute))
		t->negative++;
	if (index > 0)
		median_add(&t->median, gap);
	return ST_OK;
}

/* The time of a sample from its delta. */
static enum status
step(struct v8_times *t, int64_t delta)
{
	if (t->absolute)
		t->now = delta;
	else if (__builtin_add_overflow(t->now, delta, &t->now))
		return fail(t, RE_TIME_OVERFLOW);
	if (t->now < t->earliest)
		t->earliest = t->now;
	if (t->now > t->latest)
		t->latest = t->now;
	return ST_OK;
}

/* The samples that were put where timeline_next said are taken. */
static enum status
put(struct v8_times *t, size_t n)
{
	return timeline_add(&t->timeline, n) ? ST_OK
					     : fail(t, RE_TIME_OVERFLOW);
}

/* Puts a sample on the timeline, at its delta's time. */
static enum status
place(struct v8_times *t, uint32_t slot, int64_t delta)
{
	int64_t *times;
	uint32_t *slots;

	TRY(step(t, delta));
	timeline_next(&t->timeline, &times, &slots);
	*times = t->now;
	*slots = slot;
	return put(t, 1);
}

/* The first sample beyond what is wanted says when the last one ended. */
static enum status
place_cut(struct v8_times *t, int64_t delta)
{
	if (t->has_cut_end)
		return ST_OK;
	TRY(step(t, delta));
	t->has_cut_end = true;
	t->cut_end = t->now;
	return ST_OK;
}

/* note_delta of deltas that are gaps and not too large. */
static void
note_gaps(struct v8_times *t, uint64_t index, const int64_t *deltas, size_t n)
{
	if (index == 0)
		t->negative += deltas[0] < 0;
	t->negative -= t->median.negative;
	median_add_all(&t->median, deltas + (index == 0), n - (index == 0));
	t->negative += t->median.negative;
	t->before = deltas[n - 1];
}

/* The same for step. */
static void
step_all(struct v8_times *t, const int64_t *deltas, size_t n, int64_t *times)
{
	int64_t now = t->now, back = 0;

	for (size_t i = 0; i < n; i++) {
		back |= deltas[i];
		now += deltas[i];
		times[i] = now;
	}
	t->now = now;
	/* the first and the last are enough, unless time went back */
	for (size_t i = 0; i < n; i += back < 0 || i == n - 1 ? 1 : n - 1) {
		if (times[i] < t->earliest)
			t->earliest = times[i];
		if (times[i] > t->latest)
			t->latest = times[i];
	}
}

static void
note(struct v8_times *t, const int64_t *deltas, size_t n)
{
	t->deltas.len += n;
	if (t->deltas.late)
		v8_array_note(&t->again, deltas, n);
}

static enum status
take_deltas(struct v8_times *t, const int64_t *deltas, size_t n)
{
	int64_t *times;
	uint32_t *slots;
	uint64_t index = t->deltas.len, left;

	if (n == 0)
		return ST_OK;
	note(t, deltas, n);
	note_gaps(t, index, deltas, n);
	if (t->deltas.late || index >= t->samples.len)
		return ST_OK;
	left = t->samples.len - index;
	if (n > left)
		n = (size_t)left;
	timeline_next(&t->timeline, &times, &slots);
	TRY(v8_samples_recall(&t->samples, index, n, slots));
	step_all(t, deltas, n, times);
	return put(t, n);
}

/* One delta of any size, of any number of them. */
static enum status
take_delta(struct v8_times *t, int64_t delta)
{
	uint64_t index = t->deltas.len;
	uint32_t slot;

	note(t, &delta, 1);
	if (index <= wanted(t))
		TRY(note_delta(t, index, delta));
	/* What has no sample is told at the end of the array. */
	if (t->deltas.late || index >= t->samples.len)
		return ST_OK;
	if (index >= wanted(t) && t->samples.kept.len >= wanted(t))
		return place_cut(t, delta);
	TRY(v8_samples_recall(&t->samples, index, 1, &slot));
	return index < wanted(t) ? place(t, slot, delta) : place_cut(t, delta);
}

static enum status
flush_deltas(struct v8_times *t)
{
	size_t n = t->waiting.len;

	t->waiting.len = 0;
	TRY(take_deltas(t, t->waiting.values, n));
	t->waiting.max = v8_times_room(t);
	return ST_OK;
}

enum status
v8_times_take(struct v8_times *t, const int64_t *deltas, size_t n)
{
	TRY(flush_deltas(t));
	BUG_ON(n > t->waiting.max);
	t->waiting.max = 0;
	return take_deltas(t, deltas, n);
}

enum status
v8_times_delta(struct v8_times *t, int64_t delta)
{
	bool small = delta <= V8_DELTA_MOST && delta >= -V8_DELTA_MOST;

	if (t->waiting.len == t->waiting.max || !small)
		TRY(flush_deltas(t));
	if (t->waiting.max > 0 && small) {
		t->waiting.values[t->waiting.len++] = delta;
		return ST_OK;
	}
	t->waiting.max = 0;
	return take_delta(t, delta);
}

/* Times and sums stay far from what 64 bits hold. */
#define TIME_FAR (INT64_C(1) << 61)
static_assert(V8_DELTA_MOST * V8_BATCH < TIME_FAR, "also behind a batch");

size_t
v8_times_room(const struct v8_times *t)
{
	uint64_t max = wanted(t), len = t->deltas.len + t->waiting.len, room;

	if (t->absolute || len >= max || t->now > TIME_FAR ||
	    t->now < -TIME_FAR || t->durations.total > TIME_FAR ||
	    t->durations.none > TIME_FAR)
		return 0;
	room = max - len;
	return room < V8_BATCH ? (size_t)room : V8_BATCH;
}

enum status
v8_times_end_deltas(struct v8_times *t)
{
	TRY(flush_deltas(t));
	t->deltas.ended = true;
	TRY(check_lengths(t));
	return v8_samples_recalled(&t->samples);
}

/* A batch of samples from `index` on, and of deltas unless that is NULL. */
static enum status
replay_some(struct v8_times *t, uint64_t index, struct v8_cursor *deltas)
{
	int64_t values[V8_BATCH];
	uint32_t slots[V8_BATCH];
	uint64_t left = t->samples.len - index, max = wanted(t);
	size_t n = left < V8_BATCH ? (size_t)left : V8_BATCH;

	TRY(v8_samples_recall(&t->samples, index, n, slots));
	if (t->samples.late && index < max)
		column_count(&t->samples.counts, slots,
			     max - index < n ? (size_t)(max - index) : n);
	if (deltas == NULL)
		return ST_OK;
	TRY(v8_cursor_next(deltas, values, n));
	for (size_t i = 0; i < n; i++)
		TRY(index + i < max ? place(t, slots[i], values[i])
				    : place_cut(t, values[i]));
	return ST_OK;
}

/* Reads again, side by side, what came too early in the file. */
static enum status
replay(struct v8_times *t)
{
	bool timed = t->deltas.seen && t->deltas.late;
	struct v8_cursor deltas = {0};
	enum status status = ST_OK;

	if (timed)
		status = v8_cursor_open(&deltas, t->extraction, &t->again);
	for (uint64_t i = 0; status == ST_OK && i < t->samples.len;
	     i += V8_BATCH) {
		status = replay_some(t, i, timed ? &deltas : NULL);
		if (i % 65536 == 0)
			extraction_progress(t->extraction, PHASE_TIMING);
	}
	if (status == ST_OK)
		status = v8_samples_recalled(&t->samples);
	if (status == ST_OK && timed)
		status = v8_cursor_end(&deltas, &t->again);
	v8_cursor_close(&deltas);
	return status;
}

/* The end on the timeline's own scale, and whether all times fit 64 bits. */
static enum status
end_time(struct v8_times *t, int64_t start, int64_t end, int64_t *end_out)
{
	int64_t sum;

	if (t->absolute) {
		*end_out = t->has_cut_end ? t->cut_end : end;
		return ST_OK;
	}
	if (__builtin_sub_overflow(end, start, &sum))
		return fail(t, RE_TIME_OVERFLOW);
	*end_out = t->has_cut_end ? t->cut_end : sum;
	if (t->deltas.len > 0 &&
	    (__builtin_add_overflow(start, t->earliest, &sum) ||
	     __builtin_add_overflow(start, t->latest, &sum)))
		return fail(t, RE_TIME_OVERFLOW);
	return ST_OK;
}

static void
note_deltas(struct v8_times *t)
{
	struct profile *p = t->extraction->profile;
	int64_t median;

	p->coverage[COVERAGE_OUT_OF_ORDER_DELTAS] = t->negative;
	p->interval_us.known = median_get(&t->median, &median);
	if (p->interval_us.known)
		p->interval_us.value = median;
}

static enum status
make_times(struct v8_times *t, struct maybe start, struct maybe end)
{
	struct profile *p = t->extraction->profile;
	int64_t end_us = 0;

	note_deltas(t);
	if (!t->deltas.seen || !t->samples.seen || !end.known) {
		profile_lacks(p, "wall.time",
			      !t->samples.seen	? "no_samples"
			      : !t->deltas.seen ? "no_time_deltas"
						: "no_end_time");
		return ST_OK;
	}
	TRY(end_time(t, start.known ? start.value : 0, end.value, &end_us));
	if (!timeline_end(&t->timeline, end_us))
		return fail(t, RE_TIME_OVERFLOW);
	p->coverage[COVERAGE_CLAMPED_DELTAS] = t->timeline.clamped;
	if (t->negative > 0)
		profile_limitation(p, LIMITATION_DELTAS_REORDERED);
	profile_limitation(p, LIMITATION_WALL_NOT_CPU);
	return profile_metric(p, "wall.time", "microseconds", &t->durations,
			      t->durations.none, LANGUAGE_JAVASCRIPT,
			      FRAME_TYPE_V8JS);
}

enum status
v8_times_finish(struct v8_times *t, struct maybe start, struct maybe end)
{
	struct profile *p = t->extraction->profile;
	uint64_t max = wanted(t);

	t->stream = NULL;
	if (t->samples.seen && (t->samples.late || t->deltas.late))
		TRY(replay(t));
	if (!t->samples.seen) {
		profile_lacks(p, "cpu.samples", "no_samples");
		return make_times(t, start, end);
	}
	p->samples = (struct maybe){true, (int64_t)t->samples.len};
	p->coverage[COVERAGE_UNRESOLVED_SAMPLES] = t->samples.counts.none;
	if (p->partial) {
		p->coverage[COVERAGE_CUT_SAMPLES] = t->samples.len - max;
		profile_limitation(p, LIMITATION_INPUT_CUT);
	}
	TRY(profile_metric(p, "cpu.samples", "count", &t->samples.counts,
			   t->samples.counts.none, LANGUAGE_JAVASCRIPT,
			   FRAME_TYPE_V8JS));
	return make_times(t, start, end);
}
