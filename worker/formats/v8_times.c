/*
 * The life of a delta: it is noted what they are like; and with its sample's
 * slot, kept or read again, it goes to the clock.
 */
#include "worker/formats/v8_times.h"

#include <inttypes.h>

#include "proto/bug.h"

void
v8_times_init(struct v8_times *t, struct extraction *extraction,
	      struct json_stream *stream)
{
	*t = (struct v8_times){
	    .extraction = extraction,
	    .stream = stream,
	};
	v8_samples_init(&t->samples, extraction, stream);
	v8_clock_init(&t->clock, extraction, stream);
	median_init(&t->median, extraction->arena);
}

void
v8_times_fini(struct v8_times *t)
{
	v8_samples_fini(&t->samples);
	v8_clock_fini(&t->clock);
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
		    t->deltas.len,
		    t->clock.absolute ? "timestamps" : "time deltas");
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
	t->clock.absolute = absolute;
	t->again.offset = json_stream_offset(t->stream) + 1;
	t->deltas.late = !t->samples.ended || t->samples.late;
}

/* What the deltas are like, whether or not there are samples for them. */
static enum status
note_delta(struct v8_times *t, uint64_t index, int64_t delta)
{
	int64_t gap = delta;

	if (t->clock.absolute && index > 0 &&
	    __builtin_sub_overflow(delta, t->before, &gap))
		return fail(t, RE_TIME_OVERFLOW);
	t->before = delta;
	/* A first timestamp is no gap. */
	if (gap < 0 && (index > 0 || !t->clock.absolute))
		t->negative++;
	if (index > 0)
		median_add(&t->median, gap);
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
	TRY(v8_samples_recall(&t->samples, index, n,
			      v8_clock_slots(&t->clock)));
	return v8_clock_run(&t->clock, deltas, n);
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
		return v8_clock_cut(&t->clock, delta);
	TRY(v8_samples_recall(&t->samples, index, 1, &slot));
	return index < wanted(t) ? v8_clock_place(&t->clock, slot, delta)
				 : v8_clock_cut(&t->clock, delta);
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
	bool small = delta <= V8_CLOCK_SMALL && delta >= -V8_CLOCK_SMALL;

	if (t->waiting.len == t->waiting.max || !small)
		TRY(flush_deltas(t));
	if (t->waiting.max > 0 && small) {
		t->waiting.values[t->waiting.len++] = delta;
		return ST_OK;
	}
	t->waiting.max = 0;
	return take_delta(t, delta);
}

size_t
v8_times_room(const struct v8_times *t)
{
	uint64_t max = wanted(t), len = t->deltas.len + t->waiting.len, room;

	if (len >= max || !v8_clock_near(&t->clock))
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
	if (deltas == NULL)
		return ST_OK;
	TRY(v8_cursor_next(deltas, values, n));
	for (size_t i = 0; i < n; i++)
		TRY(index + i < max
			? v8_clock_place(&t->clock, slots[i], values[i])
			: v8_clock_cut(&t->clock, values[i]));
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

/* Whether there are samples that no delta has recalled. */
static bool
needs_replay(const struct v8_times *t)
{
	return t->samples.rest.len > 0 && (!t->deltas.seen || t->deltas.late);
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

	note_deltas(t);
	if (!t->deltas.seen || !t->samples.seen || !end.known) {
		profile_lacks(p, "wall.time",
			      !t->samples.seen	? "no_samples"
			      : !t->deltas.seen ? "no_time_deltas"
						: "no_end_time");
		return ST_OK;
	}
	TRY(v8_clock_end(&t->clock, start.known ? start.value : 0, end.value));
	p->coverage[COVERAGE_CLAMPED_DELTAS] = t->clock.timeline.clamped;
	if (t->negative > 0)
		profile_limitation(p, LIMITATION_DELTAS_REORDERED);
	profile_limitation(p, LIMITATION_WALL_NOT_CPU);
	return profile_metric(p, "wall.time", "microseconds",
			      &t->clock.durations, t->clock.durations.none,
			      LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS);
}

enum status
v8_times_finish(struct v8_times *t, struct maybe start, struct maybe end)
{
	struct profile *p = t->extraction->profile;
	uint64_t max = wanted(t);

	t->stream = t->clock.stream = NULL;
	if (needs_replay(t))
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
