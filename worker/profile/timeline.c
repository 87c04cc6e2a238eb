/*
 * The last samples are kept in time order, and each but the last of all has its
 * duration. One that comes late is put among them, which changes the duration
 * of the one before it.
 *
 * One that is too late for that will be clamped, but only when it would leave
 * the window, since others may still come that are later yet. So from then on
 * all that may change is taken back into a window: a sorted run in an array
 * four times its size, where samples are put in at the back, where they nearly
 * always belong, and leave at the front with their durations. Once a whole
 * window has come in order again, it is given up. In it, a sample that belongs
 * at the back may come before another has left for it: that changes nothing.
 * One that belongs further ahead has to find the window as long as it should
 * be.
 */
#include "worker/profile/timeline.h"

#include <assert.h>
#include <string.h>

#include "proto/bug.h"

#define HISTORY (TIMELINE_WINDOW + 1) /* and the one before the window */
#define PLACES (4 * TIMELINE_WINDOW)
static_assert(HISTORY + TIMELINE_BATCH <= PLACES, "all have room");

void
timeline_init(struct timeline *timeline, struct arena *arena,
	      struct column *durations)
{
	*timeline = (struct timeline){.arena = arena, .durations = durations};
	timeline->times =
	    arena_alloc(arena, PLACES * sizeof(timeline->times[0]));
	timeline->slots =
	    arena_alloc(arena, PLACES * sizeof(timeline->slots[0]));
}

void
timeline_fini(struct timeline *timeline)
{
	arena_free(timeline->arena, timeline->times);
	arena_free(timeline->arena, timeline->slots);
	arena_free(timeline->arena, timeline->entries);
	timeline->times = NULL;
	timeline->slots = NULL;
	timeline->entries = NULL;
}

void
timeline_next(struct timeline *t, int64_t **times_out, uint32_t **slots_out)
{
	if (t->at + TIMELINE_BATCH > PLACES) {
		uint32_t from = t->at - HISTORY;

		memmove(t->times, t->times + from,
			HISTORY * sizeof(t->times[0]));
		memmove(t->slots, t->slots + from,
			HISTORY * sizeof(t->slots[0]));
		t->at = HISTORY;
	}
	*times_out = t->times + t->at;
	*slots_out = t->slots + t->at;
}

/* -- the window ------------------------------------------------------------ */

static void
have_room(struct timeline *t)
{
	if (t->head + t->len + TIMELINE_BATCH <= PLACES)
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
	t->in_order = 0;
}

/* As many as come at the back of the window, one after the other. */
static uint32_t
append(struct timeline *t, const int64_t *times, const uint32_t *slots,
       uint32_t n)
{
	struct timeline_entry *end = t->entries + t->head + t->len;
	int64_t last = t->len > 0 ? end[-1].time : INT64_MIN;
	uint32_t i;

	for (i = 0; i < n && times[i] >= last; i++) {
		last = times[i];
		end[i] =
		    (struct timeline_entry){.time = last, .slot = slots[i]};
	}
	t->len += i;
	t->in_order += i;
	return i;
}

/* The earliest leaves, and makes the one that left before it certain. */
static bool
leave(struct timeline *t)
{
	struct timeline_entry entry = t->entries[t->head];
	struct column_amount span = {.slot = t->last.slot};
	bool certain = t->started;

	if (certain && entry.time < t->last.time) {
		entry.time = t->last.time;
		t->clamped++;
	}
	span.value = (uint64_t)entry.time - (uint64_t)t->last.time;
	t->last = entry;
	t->started = true;
	t->head++;
	t->len--;
	return !certain || column_add_all(t->durations, &span, 1);
}

static bool
leave_down_to(struct timeline *t, uint32_t len)
{
	while (t->len > len)
		if (!leave(t))
			return false;
	return true;
}

static bool
sort_in(struct timeline *t, const int64_t *times, const uint32_t *slots,
	uint32_t n)
{
	uint32_t i = 0;

	have_room(t);
	for (;;) {
		i += append(t, times + i, slots + i, n - i);
		if (i == n)
			return leave_down_to(t, TIMELINE_WINDOW);
		if (!leave_down_to(t, TIMELINE_WINDOW - 1))
			return false;
		insert(t, (struct timeline_entry){.time = times[i],
						  .slot = slots[i]});
		i++;
	}
}

/* Takes the last samples back, as if they had been in the window all along. */
static void
start_sorting(struct timeline *t)
{
	uint32_t len = t->at < TIMELINE_WINDOW ? t->at : TIMELINE_WINDOW;
	uint32_t first = t->at - len;

	if (t->entries == NULL)
		t->entries =
		    arena_alloc(t->arena, PLACES * sizeof(t->entries[0]));
	for (uint32_t i = 0; i < len; i++)
		t->entries[i] =
		    (struct timeline_entry){.time = t->times[first + i],
					    .slot = t->slots[first + i]};
	t->started = first > 0;
	if (t->started)
		t->last = (struct timeline_entry){.time = t->times[first - 1],
						  .slot = t->slots[first - 1]};
	first -= t->started;
	if (t->at > first)
		column_take_gaps(t->durations, t->slots + first,
				 t->times + first, t->at - first - 1);
	t->head = 0;
	t->len = len;
	t->in_order = 0;
	t->sorting = true;
}

/* The window came in order, so it is the last of what came. */
static bool
stop_sorting(struct timeline *t)
{
	uint32_t from = t->at - HISTORY;

	BUG_ON(t->at < HISTORY || !t->started || t->len != TIMELINE_WINDOW);
	t->times[from] = t->last.time;
	t->slots[from] = t->last.slot;
	t->sorting = false;
	return column_add_gaps(t->durations, t->slots + from, t->times + from,
			       TIMELINE_WINDOW);
}

/* -- in order ------------------------------------------------------------- */

/* Takes as many of the n new ones as are not before the one before. */
static bool
add_in_order(struct timeline *t, uint32_t n, bool ascending,
	     uint32_t *taken_out)
{
	const int64_t *times = t->times + t->at;
	uint32_t first = t->at == 0 ? 0 : t->at - 1;
	uint32_t i = t->at == 0 ? 1 : 0;

	while (i < n && times[i] >= times[(int64_t)i - 1])
		i = ascending ? n : i + 1;
	*taken_out = i;
	t->at += i;
	return t->at - first < 2 ||
	       column_add_gaps(t->durations, t->slots + first, t->times + first,
			       t->at - first - 1);
}

/* The place of a late one among those before; false when it has none. */
static bool
find_place(const struct timeline *t, int64_t time, uint32_t *place_out)
{
	uint32_t low = 0, i = t->at;

	if (t->at >= TIMELINE_WINDOW)
		low = t->at - (TIMELINE_WINDOW - 1);
	while (i > low && t->times[i - 1] > time)
		i--;
	*place_out = i;
	return i == 0 || t->times[i - 1] <= time;
}

/* Puts the next one, which is late, at that place. */
static bool
put_back(struct timeline *t, uint32_t i)
{
	int64_t time = t->times[t->at];
	uint32_t slot = t->slots[t->at], behind = t->at - i;

	if (i > 0)
		column_take_gaps(t->durations, t->slots + i - 1,
				 t->times + i - 1, 1);
	memmove(t->times + i + 1, t->times + i, behind * sizeof(t->times[0]));
	memmove(t->slots + i + 1, t->slots + i, behind * sizeof(t->slots[0]));
	t->times[i] = time;
	t->slots[i] = slot;
	t->at++;
	if (i == 0)
		return column_add_gaps(t->durations, t->slots, t->times, 1);
	return column_add_gaps(t->durations, t->slots + i - 1, t->times + i - 1,
			       2);
}

static bool
add_some(struct timeline *t, uint32_t n, bool ascending, uint32_t *taken_out)
{
	uint32_t place;

	if (!add_in_order(t, n, ascending, taken_out))
		return false;
	if (*taken_out == n)
		return true;
	if (!find_place(t, t->times[t->at], &place)) {
		start_sorting(t);
		return true;
	}
	++*taken_out;
	return put_back(t, place);
}

static bool
sort_all(struct timeline *t, uint32_t n)
{
	t->at += n;
	if (!sort_in(t, t->times + t->at - n, t->slots + t->at - n, n))
		return false;
	return t->in_order < TIMELINE_WINDOW || stop_sorting(t);
}

bool
timeline_add(struct timeline *t, size_t n, bool ascending)
{
	uint32_t left = (uint32_t)n, taken;

	BUG_ON(n > TIMELINE_BATCH);
	while (left > 0) {
		if (t->sorting)
			return sort_all(t, left);
		if (!add_some(t, left, ascending, &taken))
			return false;
		left -= taken;
	}
	return true;
}

bool
timeline_end(struct timeline *t, int64_t end)
{
	struct column_amount rest;

	if (t->at == 0)
		return true;
	if (t->sorting) {
		if (!leave_down_to(t, 0))
			return false;
	} else {
		t->last = (struct timeline_entry){.time = t->times[t->at - 1],
						  .slot = t->slots[t->at - 1]};
	}
	rest.slot = t->last.slot;
	rest.value =
	    end > t->last.time ? (uint64_t)end - (uint64_t)t->last.time : 0;
	return column_add_all(t->durations, &rest, 1);
}
