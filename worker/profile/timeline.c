/*
 * The window is a sorted run in an array four times its size: new samples are
 * put in at the back, where they nearly always belong, and the earliest leave
 * at the front; when the array's end is reached the run moves to its start.
 *
 * A sample that belongs at the back may come before another has left for it:
 * that changes nothing. One that belongs further ahead has to find the window
 * as long as it should be.
 */
#include "worker/profile/timeline.h"

#include <assert.h>
#include <string.h>

#include "proto/bug.h"

#define ENTRIES (4 * TIMELINE_WINDOW)
static_assert(TIMELINE_WINDOW + TIMELINE_BATCH <= ENTRIES, "all have room");

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
have_room(struct timeline *t, size_t n)
{
	if (t->head + t->len + n <= ENTRIES)
		return;
	memmove(t->entries, t->entries + t->head,
		t->len * sizeof(t->entries[0]));
	t->head = 0;
}

/* Among those that wait, behind its equals. */
static void
insert(struct timeline *t, struct timeline_entry entry)
{
	struct timeline_entry *first = t->entries + t->head;
	uint32_t i;

	for (i = t->len; i > 0 && first[i - 1].time > entry.time; i--)
		first[i] = first[i - 1];
	first[i] = entry;
	t->len++;
}

/* As many as come at the back of the window, one after the other. */
static size_t
append(struct timeline *t, const int64_t *times, const uint32_t *slots,
       size_t n)
{
	struct timeline_entry *end = t->entries + t->head + t->len;
	int64_t last = t->len > 0 ? end[-1].time : INT64_MIN;
	size_t i;

	for (i = 0; i < n && times[i] >= last; i++) {
		last = times[i];
		end[i] =
		    (struct timeline_entry){.time = last, .slot = slots[i]};
	}
	t->len += (uint32_t)i;
	return i;
}

/* How long a sample lasts: both times are 64-bit, so their difference fits
 * when read as unsigned. */
static uint64_t
lasted(int64_t from, int64_t to)
{
	return to > from ? (uint64_t)to - (uint64_t)from : 0;
}

/* The earliest leave, until so many are left; each makes the one that left
 * before it certain. */
static size_t
leave_down_to(struct timeline *t, uint32_t len, struct column_amount *spans)
{
	const struct timeline_entry *entries = t->entries + t->head;
	struct timeline_entry last = t->last;
	uint32_t n = t->len > len ? t->len - len : 0, i = 0;
	size_t certain = 0;

	if (n > 0 && !t->started) {
		last = entries[i++];
		t->started = true;
	}
	for (; i < n; i++) {
		struct timeline_entry entry = entries[i];

		if (entry.time < last.time) {
			entry.time = last.time;
			t->clamped++;
		}
		spans[certain++] =
		    (struct column_amount){.slot = last.slot,
					   .value = (uint64_t)entry.time -
						    (uint64_t)last.time};
		last = entry;
	}
	t->last = last;
	t->head += n;
	t->len -= n;
	return certain;
}

size_t
timeline_add(struct timeline *t, const int64_t *times, const uint32_t *slots,
	     size_t n, struct column_amount *spans_out)
{
	size_t i = 0, spans = 0;

	BUG_ON(n > TIMELINE_BATCH);
	have_room(t, n);
	for (;;) {
		i += append(t, times + i, slots + i, n - i);
		if (i == n)
			break;
		spans +=
		    leave_down_to(t, TIMELINE_WINDOW - 1, spans_out + spans);
		insert(t, (struct timeline_entry){.time = times[i],
						  .slot = slots[i]});
		i++;
	}
	return spans + leave_down_to(t, TIMELINE_WINDOW, spans_out + spans);
}

bool
timeline_drain(struct timeline *t, int64_t end, struct column_amount *span_out)
{
	while (t->len > 0)
		if (leave_down_to(t, t->len - 1, span_out) > 0)
			return true;
	if (!t->started)
		return false;
	t->started = false;
	span_out->slot = t->last.slot;
	span_out->value = lasted(t->last.time, end);
	return true;
}
