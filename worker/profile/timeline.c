/*
 * The window is a sorted run in an array twice its size: new samples are put
 * in from the back, where they nearly always belong, and the earliest leaves at
 * the front; when the array's end is reached the run moves to its start.
 */
#include "worker/profile/timeline.h"

#include <string.h>

#define ENTRIES (2 * TIMELINE_WINDOW)

void
timeline_init(struct timeline *timeline, struct arena *arena)
{
	*timeline = (struct timeline){.arena = arena};
	timeline->entries =
	    arena_alloc(arena, ENTRIES * sizeof(timeline->entries[0]));
}

void
timeline_fini(struct timeline *timeline)
{
	arena_free(timeline->arena, timeline->entries);
	timeline->entries = NULL;
}

static void
insert(struct timeline *t, struct timeline_entry entry)
{
	struct timeline_entry *first;
	uint32_t i;

	if (t->head + t->len == ENTRIES) {
		memmove(t->entries, t->entries + t->head,
			t->len * sizeof(t->entries[0]));
		t->head = 0;
	}
	first = t->entries + t->head;
	for (i = t->len; i > 0 && first[i - 1].time > entry.time; i--)
		first[i] = first[i - 1];
	first[i] = entry;
	t->len++;
}

/* How long a sample lasts: both times are 64-bit, so their difference fits
 * when read as unsigned. */
static uint64_t
lasted(int64_t from, int64_t to)
{
	return to > from ? (uint64_t)to - (uint64_t)from : 0;
}

/* The earliest leaves; the one that left before it is certain now. */
static bool
leave(struct timeline *t, struct timeline_span *span_out)
{
	struct timeline_entry entry = t->entries[t->head];
	bool certain = t->started;

	t->head++;
	t->len--;
	if (certain) {
		if (entry.time < t->last.time) {
			entry.time = t->last.time;
			t->clamped++;
		}
		span_out->slot = t->last.slot;
		span_out->duration = lasted(t->last.time, entry.time);
	}
	t->last = entry;
	t->started = true;
	return certain;
}

bool
timeline_add(struct timeline *t, int64_t time, uint32_t slot,
	     struct timeline_span *span_out)
{
	struct timeline_entry entry = {.time = time, .slot = slot};
	bool certain = false;

	if (t->len == TIMELINE_WINDOW)
		certain = leave(t, span_out);
	insert(t, entry);
	return certain;
}

bool
timeline_drain(struct timeline *t, int64_t end, struct timeline_span *span_out)
{
	while (t->len > 0)
		if (leave(t, span_out))
			return true;
	if (!t->started)
		return false;
	t->started = false;
	span_out->slot = t->last.slot;
	span_out->duration = lasted(t->last.time, end);
	return true;
}
