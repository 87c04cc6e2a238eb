/*
 * Any bytes as a gzip file: decoding them whole and in pieces gives the same
 * text or the same failure at the same place, within the cap.
 */
#include "tests/support/drain.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct limits limits;

	/* zstd has a target of its own */
	if (size < 2 || data[0] != 0x1f || data[1] != 0x8b)
		return -1;
	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 10000;
	drain_agrees(span_of(data, size), &limits);
	return 0;
}
