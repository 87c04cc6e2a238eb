/*
 * A sample is counted when its slot is found: at once if it can be kept, else
 * when the cursor comes by.
 */
#include "worker/formats/v8_samples.h"

#include <string.h>

#include "proto/bug.h"

void
v8_samples_init(struct v8_samples *s, struct extraction *extraction,
		struct json_stream *stream)
{
	*s = (struct v8_samples){.extraction = extraction, .stream = stream};
	column_init(&s->counts, extraction->arena);
	slot_list_init(&s->kept, extraction->arena, V8_KEPT_BYTES);
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
v8_samples_start(struct v8_samples *s, bool again)
{
	s->seen = true;
	s->late = !s->extraction->profile->tree_sealed;
	s->keeping = !s->late && !again;
	s->rest.offset = json_stream_offset(s->stream) + 1;
}

/* The slots of samples that count. */
static void
resolve(struct v8_samples *s, const int64_t *ids, size_t n, uint32_t *slots_out)
{
	tree_find_all(&s->extraction->profile->tree, ids, n, slots_out);
	column_count(&s->counts, slots_out, n);
}

/* Notes samples that are not kept, of which the first is at that offset. */
static void
note(struct v8_samples *s, const int64_t *ids, size_t n, uint64_t offset)
{
	if (s->keeping)
		s->rest.offset = offset;
	s->keeping = false;
	v8_array_note(&s->rest, ids, n);
	s->len += n;
	s->extraction->samples = s->len;
}

static void
take(struct v8_samples *s, const int64_t *ids, size_t n, uint64_t offset)
{
	uint32_t *slots = NULL;

	if (n == 0)
		return;
	if (s->keeping)
		slots = slot_list_add(&s->kept, n);
	if (slots == NULL) {
		note(s, ids, n, offset);
		return;
	}
	s->len += n;
	s->extraction->samples = s->len;
	resolve(s, ids, n, slots);
}

static void
flush(struct v8_samples *s)
{
	size_t n = s->waiting.len;

	s->waiting.len = 0;
	take(s, s->waiting.values, n, s->waiting.offset);
	s->waiting.max = v8_samples_room(s);
}

size_t
v8_samples_room(const struct v8_samples *s)
{
	uint64_t max = v8_samples_wanted(s), len = s->len + s->waiting.len;

	if (len >= max)
		return 0;
	return max - len < V8_BATCH ? (size_t)(max - len) : V8_BATCH;
}

void
v8_samples_take(struct v8_samples *s, const int64_t *ids, size_t n,
		uint64_t offset)
{
	flush(s);
	BUG_ON(n > s->waiting.max);
	take(s, ids, n, offset);
	s->waiting.max = 0;
}

/* A sample that is not wanted. */
static enum status
take_cut(struct v8_samples *s, int64_t id)
{
	struct extraction *e = s->extraction;
	uint64_t max = v8_samples_wanted(s);

	note(s, &id, 1, json_stream_offset(s->stream));
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
	if (w->max == 0)
		return take_cut(s, id);
	if (w->len == 0)
		w->offset = json_stream_offset(s->stream);
	w->values[w->len++] = id;
	return ST_OK;
}

void
v8_samples_end(struct v8_samples *s)
{
	flush(s);
	s->ended = true;
}

/* The slots of those that were kept; how many. */
static size_t
recall_kept(const struct v8_samples *s, uint64_t index, size_t n,
	    uint32_t *slots_out)
{
	uint64_t left = index < s->kept.len ? s->kept.len - index : 0;

	if (n > left)
		n = (size_t)left;
	if (n > 0)
		memcpy(slots_out, s->kept.slots + index,
		       n * sizeof(slots_out[0]));
	return n;
}

/* And of the others, which only now are counted. */
static enum status
read_again(struct v8_samples *s, uint64_t index, size_t n, uint32_t *slots_out)
{
	uint64_t max = v8_samples_wanted(s), left;
	int64_t ids[V8_BATCH];

	if (!s->cursor.open)
		TRY(v8_cursor_open(&s->cursor, s->extraction, &s->rest));
	TRY(v8_cursor_next(&s->cursor, ids, n));
	left = index < max ? max - index : 0;
	resolve(s, ids, left < n ? (size_t)left : n, slots_out);
	return ST_OK;
}

enum status
v8_samples_recall(struct v8_samples *s, uint64_t index, size_t n,
		  uint32_t *slots_out)
{
	size_t kept = recall_kept(s, index, n, slots_out);

	return kept == n
		   ? ST_OK
		   : read_again(s, index + kept, n - kept, slots_out + kept);
}

enum status
v8_samples_recalled(struct v8_samples *s)
{
	return s->cursor.open ? v8_cursor_end(&s->cursor, &s->rest) : ST_OK;
}
