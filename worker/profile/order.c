/*
 * A radix sort from the last byte of the id to the first of the value: as long
 * whatever the input, which may be hostile, and it reads memory in the order in
 * which it lies, which a heap of ten million frames does not.
 */
#include "worker/profile/order.h"

#include <string.h>

#define DIGITS 256

/* Of the pass's byte; what comes first has the lowest. */
static unsigned
digit(const struct order *order, unsigned pass, uint32_t frame)
{
	if (pass < ORDER_ID_PASSES)
		return order->id[frame][FRAME_ID_BYTES - 1 - pass];
	return 0xff &
	       ~(unsigned)(order->value[frame] >> 8 * (pass - ORDER_ID_PASSES));
}

/* Where each digit's frames begin. False when all have the same one. */
static bool
count_digits(const struct order *order, unsigned pass, const uint32_t *frames,
	     uint32_t len, uint32_t start[DIGITS])
{
	uint32_t at = 0;

	memset(start, 0, DIGITS * sizeof(start[0]));
	for (uint32_t i = 0; i < len; i++)
		start[digit(order, pass, frames[i])]++;
	for (unsigned i = 0; i < DIGITS; i++) {
		uint32_t count = start[i];

		if (count == len)
			return false;
		start[i] = at;
		at += count;
	}
	return true;
}

void
order_pass(const struct order *order, unsigned pass, uint32_t *frames,
	   uint32_t *scratch, uint32_t len)
{
	uint32_t start[DIGITS];

	if (!count_digits(order, pass, frames, len, start))
		return;
	for (uint32_t i = 0; i < len; i++)
		scratch[start[digit(order, pass, frames[i])]++] = frames[i];
	memcpy(frames, scratch, len * sizeof(frames[0]));
}
