/*
 * The life of a sample: counted at its node when the tree is there; its slot
 * kept, or found again by the cursor; put on the timeline at its time; and when
 * the next one's time is certain, its duration added to its node.
 */
#include "worker/formats/v8_times.h"

#include <inttypes.h>

void
v8_times_init(struct v8_times *t, struct extraction *extraction,
	      struct json_stream *stream)
{
	*t = (struct v8_times){
	    .extraction = extraction,
	    .stream = stream,
	    .keeping = true,
	    .kept_max = V8_KEPT_BYTES / sizeof(t->kept[0]),
	    .earliest = INT64_MAX,
	    .latest = INT64_MIN,
	};
	column_init(&t->counts, extraction->arena);
	column_init(&t->durations, extraction->arena);
	timeline_init(&t->timeline, extraction->arena);
	median_init(&t->median, extraction->arena);
}

static void
drop_kept(struct v8_times *t)
{
	table_grow(t->extraction->arena, (void **)&t->kept, t->kept_bytes, 0);
	t->kept_bytes = 0;
	t->keeping = false;
}

void
v8_times_fini(struct v8_times *t)
{
	drop_kept(t);
	v8_cursor_close(&t->sample_cursor);
	column_fini(&t->counts);
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

/* Samples beyond max_samples, when the job wants a prefix. */
static uint64_t
wanted(const struct v8_times *t)
{
	return t->extraction->job->limits.of[LIMIT_MAX_SAMPLES];
}

static uint32_t
resolve(const struct v8_times *t, int64_t id)
{
	return id < 0 ? SLOT_NONE
		      : tree_find(&t->extraction->profile->tree, (uint64_t)id);
}

static enum status
count(struct v8_times *t, uint32_t slot)
{
	if (slot == SLOT_NONE) {
		t->unresolved++;
		return ST_OK;
	}
	if (!column_add(&t->counts, slot, 1))
		return fail(t, RE_VALUE_OVERFLOW);
	return ST_OK;
}

static void
keep(struct v8_times *t, uint32_t slot)
{
	size_t need = (size_t)(t->kept_len + 1) * sizeof(t->kept[0]);

	if (t->kept_len == t->kept_max) {
		drop_kept(t);
		return;
	}
	if (t->kept == NULL || need > t->kept_bytes) {
		size_t more = table_size(t->kept_bytes, need);

		table_grow(t->extraction->arena, (void **)&t->kept,
			   t->kept_bytes, more);
		t->kept_bytes = more;
	}
	t->kept[t->kept_len++] = slot;
}

static bool
tree_known(const struct v8_times *t)
{
	return t->extraction->profile->tree_sealed;
}

void
v8_times_start_samples(struct v8_times *t)
{
	t->samples.seen = true;
	t->samples.offset = json_stream_offset(t->stream) + 1;
	t->samples.late = !tree_known(t);
}

static enum status
over_limit(struct v8_times *t, uint64_t max)
{
	struct extraction *e = t->extraction;

	if (e->job->on_limit == ON_LIMIT_TRUNCATE) {
		e->profile->partial = true;
		return ST_OK;
	}
	failure_of_limit(e->failure, LIMIT_MAX_SAMPLES, max + 1, max);
	e->failure->offset = (int64_t)json_stream_offset(t->stream);
	return ST_LIMIT_EXCEEDED;
}

enum status
v8_times_sample(struct v8_times *t, int64_t id)
{
	uint64_t max = wanted(t);
	uint32_t slot;

	(void)v8_array_note(&t->samples, id);
	t->extraction->samples = t->samples.len;
	if (t->samples.len > max)
		return over_limit(t, max);
	if (t->samples.late)
		return ST_OK;
	slot = resolve(t, id);
	if (t->keeping)
		keep(t, slot);
	return count(t, slot);
}

enum status
v8_times_samples(struct v8_times *t, const int64_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		TRY(v8_times_sample(t, ids[i]));
	return ST_OK;
}

uint64_t
v8_times_sample_room(const struct v8_times *t)
{
	uint64_t max = wanted(t);

	return t->samples.len < max ? max - t->samples.len : 0;
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

enum status
v8_times_end_samples(struct v8_times *t)
{
	t->samples.ended = true;
	return check_lengths(t);
}

void
v8_times_start_deltas(struct v8_times *t, bool absolute)
{
	t->deltas.seen = true;
	t->absolute = absolute;
	t->deltas.offset = json_stream_offset(t->stream) + 1;
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

static enum status
spend(struct v8_times *t, const struct timeline_span *span)
{
	if (span->slot == SLOT_NONE) {
		if (__builtin_add_overflow(t->unresolved_us, span->duration,
					   &t->unresolved_us))
			return fail(t, RE_TIME_OVERFLOW);
		return ST_OK;
	}
	if (!column_add(&t->durations, span->slot, span->duration))
		return fail(t, RE_TIME_OVERFLOW);
	return ST_OK;
}

/* Puts sample `index` on the timeline, at its delta's time. */
static enum status
place(struct v8_times *t, uint64_t index, uint32_t slot, int64_t delta)
{
	struct timeline_span span;

	if (index >= wanted(t)) {
		if (t->has_cut_end)
			return ST_OK;
		TRY(step(t, delta));
		t->has_cut_end = true;
		t->cut_end = t->now;
		return ST_OK;
	}
	TRY(step(t, delta));
	if (timeline_add(&t->timeline, t->now, slot, &span))
		return spend(t, &span);
	return ST_OK;
}

/* The slot of sample `index`, kept or read again. */
static enum status
recall(struct v8_times *t, uint64_t index, uint32_t *slot_out)
{
	int64_t id;

	if (t->keeping) {
		*slot_out = index < t->kept_len ? t->kept[index] : SLOT_NONE;
		return ST_OK;
	}
	if (!t->sample_cursor.open)
		TRY(v8_cursor_open(&t->sample_cursor, t->extraction,
				   &t->samples));
	TRY(v8_cursor_next(&t->sample_cursor, &id));
	*slot_out = resolve(t, id);
	return ST_OK;
}

enum status
v8_times_delta(struct v8_times *t, int64_t delta)
{
	uint64_t index = v8_array_note(&t->deltas, delta);
	uint32_t slot;

	if (index <= wanted(t))
		TRY(note_delta(t, index, delta));
	/* What has no sample is told at the end of the array. */
	if (t->deltas.late || index >= t->samples.len)
		return ST_OK;
	TRY(recall(t, index, &slot));
	return place(t, index, slot, delta);
}

enum status
v8_times_deltas(struct v8_times *t, const int64_t *deltas, size_t n)
{
	for (size_t i = 0; i < n; i++)
		TRY(v8_times_delta(t, deltas[i]));
	return ST_OK;
}

/* Times and sums stay far from what 64 bits hold. */
#define TIME_FAR (INT64_C(1) << 61)

uint64_t
v8_times_delta_room(const struct v8_times *t)
{
	uint64_t max = wanted(t), room;

	if (t->absolute || t->deltas.len >= max || t->now > TIME_FAR ||
	    t->now < -TIME_FAR || t->durations.total > TIME_FAR ||
	    t->unresolved_us > TIME_FAR)
		return 0;
	room = (uint64_t)(TIME_FAR / V8_DELTA_MOST);
	return max - t->deltas.len < room ? max - t->deltas.len : room;
}

enum status
v8_times_end_deltas(struct v8_times *t)
{
	t->deltas.ended = true;
	TRY(check_lengths(t));
	if (t->sample_cursor.open)
		return v8_cursor_end(&t->sample_cursor, &t->samples);
	return ST_OK;
}

/* Reads again, side by side, what came too early in the file. */
static enum status
replay(struct v8_times *t)
{
	bool timed = t->deltas.seen && t->deltas.late;
	struct v8_cursor deltas = {0};
	enum status status = ST_OK;

	drop_kept(t);
	TRY(v8_cursor_open(&t->sample_cursor, t->extraction, &t->samples));
	if (timed)
		status = v8_cursor_open(&deltas, t->extraction, &t->deltas);
	for (uint64_t i = 0; status == ST_OK && i < t->samples.len; i++) {
		int64_t id, delta;
		uint32_t slot;

		status = v8_cursor_next(&t->sample_cursor, &id);
		if (status != ST_OK)
			break;
		slot = resolve(t, id);
		if (t->samples.late && i < wanted(t))
			status = count(t, slot);
		if (status == ST_OK && timed)
			status = v8_cursor_next(&deltas, &delta);
		if (status == ST_OK && timed)
			status = place(t, i, slot, delta);
		if (i % 65536 == 0)
			extraction_progress(t->extraction, PHASE_TIMING);
	}
	if (status == ST_OK)
		status = v8_cursor_end(&t->sample_cursor, &t->samples);
	if (status == ST_OK && timed)
		status = v8_cursor_end(&deltas, &t->deltas);
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
	struct timeline_span span;
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
	while (timeline_drain(&t->timeline, end_us, &span))
		TRY(spend(t, &span));
	p->coverage[COVERAGE_CLAMPED_DELTAS] = t->timeline.clamped;
	if (t->negative > 0)
		profile_limitation(p, LIMITATION_DELTAS_REORDERED);
	profile_limitation(p, LIMITATION_WALL_NOT_CPU);
	return profile_metric(p, "wall.time", "microseconds", &t->durations,
			      t->unresolved_us, LANGUAGE_JAVASCRIPT,
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
	p->coverage[COVERAGE_UNRESOLVED_SAMPLES] = t->unresolved;
	if (p->partial) {
		p->coverage[COVERAGE_CUT_SAMPLES] = t->samples.len - max;
		profile_limitation(p, LIMITATION_INPUT_CUT);
	}
	TRY(profile_metric(p, "cpu.samples", "count", &t->counts, t->unresolved,
			   LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS));
	return make_times(t, start, end);
}
