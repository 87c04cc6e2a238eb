/*
 * Heap sort: O(n log n) whatever the input, which may be hostile.
 */
#include "worker/profile/order.h"

#include <stdbool.h>
#include <string.h>

/* Whether frame a belongs behind frame b. */
static bool
behind(const struct order *order, uint32_t a, uint32_t b)
{
	if (order->value[a] != order->value[b])
		return order->value[a] < order->value[b];
	return memcmp(order->id[a], order->id[b], FRAME_ID_BYTES) > 0;
}

/* Restores the heap, whose top is what belongs last, below `at`. */
static void
sift(const struct order *order, uint32_t *heap, uint32_t at, uint32_t len)
{
	uint32_t moving = heap[at];

	for (;;) {
		uint64_t child = 2 * (uint64_t)at + 1;

		if (child >= len)
			break;
		if (child + 1 < len &&
		    behind(order, heap[child + 1], heap[child]))
			child++;
		if (!behind(order, heap[child], moving))
			break;
		heap[at] = heap[child];
		at = (uint32_t)child;
	}
	heap[at] = moving;
}

void
order_frames(const struct order *order, uint32_t *frames, uint32_t len)
{
	for (uint32_t i = len / 2; i-- > 0;)
		sift(order, frames, i, len);
	for (uint32_t end = len; end > 1; end--) {
		uint32_t last = frames[0];

		frames[0] = frames[end - 1];
		frames[end - 1] = last;
		sift(order, frames, 0, end - 1);
	}
}
