/*
 * The heap of deadlines. heap[1] is the earliest; heap[i] is never later than
 * heap[2i] and heap[2i + 1].
 */
#include "broker/supervisor/deadline.h"

#include <stdlib.h>

#include "proto/bug.h"

bool
deadlines_init(struct deadlines *heap, size_t cap)
{
	*heap = (struct deadlines){.cap = cap};
	heap->heap = calloc(cap + 1, sizeof(struct deadline *));
	return heap->heap != NULL;
}

void
deadlines_fini(struct deadlines *heap)
{
	free(heap->heap);
	*heap = (struct deadlines){0};
}

static void
put(struct deadlines *heap, size_t place, struct deadline *d)
{
	heap->heap[place] = d;
	d->place = place;
}

static void
sift_up(struct deadlines *heap, struct deadline *d, size_t place)
{
	for (; place > 1 && d->at_us < heap->heap[place / 2]->at_us; place /= 2)
		put(heap, place, heap->heap[place / 2]);
	put(heap, place, d);
}

static void
sift_down(struct deadlines *heap, struct deadline *d, size_t place)
{
	for (size_t child; (child = 2 * place) <= heap->len; place = child) {
		if (child < heap->len &&
		    heap->heap[child + 1]->at_us < heap->heap[child]->at_us)
			child++;
		if (d->at_us <= heap->heap[child]->at_us)
			break;
		put(heap, place, heap->heap[child]);
	}
	put(heap, place, d);
}

void
deadline_set(struct deadlines *heap, struct deadline *d,
	     enum deadline_kind kind, uint64_t owner, uint64_t at_us)
{
	deadline_clear(heap, d);
	BUG_ON(heap->len == heap->cap);
	d->kind = kind;
	d->owner = owner;
	d->at_us = at_us;
	sift_up(heap, d, ++heap->len);
}

void
deadline_clear(struct deadlines *heap, struct deadline *d)
{
	size_t place = d->place;
	struct deadline *last;

	if (place == 0)
		return;
	BUG_ON(place > heap->len || heap->heap[place] != d);
	last = heap->heap[heap->len--];
	d->place = 0;
	if (last == d)
		return;
	if (place > 1 && last->at_us < heap->heap[place / 2]->at_us)
		sift_up(heap, last, place);
	else
		sift_down(heap, last, place);
}

const struct deadline *
deadlines_first(const struct deadlines *heap)
{
	return heap->len == 0 ? NULL : heap->heap[1];
}

bool
deadlines_take_due(struct deadlines *heap, uint64_t now_us,
		   struct deadline *due_out)
{
	struct deadline *first = heap->len == 0 ? NULL : heap->heap[1];

	if (first == NULL || first->at_us > now_us)
		return false;
	*due_out = *first;
	deadline_clear(heap, first);
	return true;
}
