/*
 * Any bytes as a zstd file: decoding them whole and in pieces gives the same
 * text or the same failure at the same place, within the caps.
 */
#include "tests/support/drain.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limits limits;

	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 10000;
	limits.of[LIMIT_MAX_WINDOW_BYTES] = 1 << 20;
	drain_agrees(span_of(data, size), &limits);
	return 0;
}
