/*
 * A sample is counted when the tree is there; its slot is kept, or found again
 * by the cursor.
 */
#include "worker/formats/v8_samples.h"

#include "proto/bug.h"

void
v8_samples_init(struct v8_samples *s, struct extraction *extraction,
		struct json_stream *stream)
{
	*s = (struct v8_samples){
	    .extraction = extraction,
	    .stream = stream,
	    .kept_bytes = V8_KEPT_BYTES,
	    .keeping = true,
	};
	column_init(&s->counts, extraction->arena);
	slot_list_init(&s->kept, extraction->arena);
}

void
v8_samples_fini(struct v8_samples *s)
{
	slot_list_fini(&s->kept);
	v8_cursor_close(&s->cursor);
	column_fini(&s->counts);
}

uint64_t
v8_samples_wanted(const struct v8_samples *s)
{
	return s->extraction->job->limits.of[LIMIT_MAX_SAMPLES];
}

void
v8_samples_start(struct v8_samples *s)
{
	s->array.seen = true;
	s->array.offset = json_stream_offset(s->stream) + 1;
	s->array.late = !s->extraction->profile->tree_sealed;
}

static void
keep(struct v8_samples *s, const uint32_t *slots, size_t n)
{
	uint32_t tree_slots = s->extraction->profile->tree.slots;

	if (!s->keeping ||
	    slot_list_add(&s->kept, tree_slots, slots, n, s->kept_bytes))
		return;
	slot_list_fini(&s->kept);
	s->keeping = false;
}

static void
resolve(const struct v8_samples *s, const int64_t *ids, size_t n,
	uint32_t *slots_out)
{
	tree_find_all(&s->extraction->profile->tree, ids, n, slots_out);
}

static void
take(struct v8_samples *s, const int64_t *ids, size_t n)
{
	uint32_t slots[V8_BATCH];

	if (n == 0)
		return;
	(void)v8_array_note(&s->array, ids, n);
	s->extraction->samples = s->array.len;
	if (s->array.late)
		return;
	resolve(s, ids, n, slots);
	keep(s, slots, n);
	column_count(&s->counts, slots, n);
}

static void
flush(struct v8_samples *s)
{
	size_t n = s->waiting.len;

	s->waiting.len = 0;
	take(s, s->waiting.values, n);
	s->waiting.max = v8_samples_room(s);
}

size_t
v8_samples_room(const struct v8_samples *s)
{
	uint64_t max = v8_samples_wanted(s), len;

	len = s->array.len + s->waiting.len;
	if (len >= max)
		return 0;
	return max - len < V8_BATCH ? (size_t)(max - len) : V8_BATCH;
}

void
v8_samples_take(struct v8_samples *s, const int64_t *ids, size_t n)
{
	flush(s);
	BUG_ON(n > s->waiting.max);
	take(s, ids, n);
	s->waiting.max = 0;
}

static enum status
over_limit(struct v8_samples *s, uint64_t max)
{
	struct extraction *e = s->extraction;

	if (e->job->on_limit == ON_LIMIT_TRUNCATE) {
		e->profile->partial = true;
		return ST_OK;
	}
	failure_of_limit(e->failure, LIMIT_MAX_SAMPLES, max + 1, max);
	e->failure->offset = (int64_t)json_stream_offset(s->stream);
	return ST_LIMIT_EXCEEDED;
}

enum status
v8_samples_id(struct v8_samples *s, int64_t id)
{
	struct v8_waiting *w = &s->waiting;

	if (w->len == w->max)
		flush(s);
	if (w->max > 0) {
		w->values[w->len++] = id;
		return ST_OK;
	}
	(void)v8_array_note(&s->array, &id, 1);
	s->extraction->samples = s->array.len;
	return over_limit(s, v8_samples_wanted(s));
}

void
v8_samples_end(struct v8_samples *s)
{
	flush(s);
	s->array.ended = true;
}

enum status
v8_samples_rewind(struct v8_samples *s)
{
	slot_list_fini(&s->kept);
	s->keeping = false;
	return v8_cursor_open(&s->cursor, s->extraction, &s->array);
}

enum status
v8_samples_recall(struct v8_samples *s, uint64_t index, size_t n,
		  uint32_t *slots_out)
{
	int64_t ids[V8_BATCH];

	if (s->keeping) {
		slot_list_get(&s->kept, index, n, slots_out);
		return ST_OK;
	}
	if (!s->cursor.open)
		TRY(v8_samples_rewind(s));
	TRY(v8_cursor_next(&s->cursor, ids, n));
	resolve(s, ids, n, slots_out);
	return ST_OK;
}

enum status
v8_samples_recalled(struct v8_samples *s)
{
	return s->cursor.open ? v8_cursor_end(&s->cursor, &s->array) : ST_OK;
}
