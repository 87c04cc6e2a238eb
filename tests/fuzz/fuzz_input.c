/*
 * Any bytes as a file, read as formats read it: a look at the head, some of the
 * text, then all of it from the start, in chunks of changing sizes. It gives
 * what one plain reading gives, and the digest is that of the bytes. The first
 * byte chooses.
 */
#include "tests/fuzz/fuzz_ragged.h"

static enum status
play(struct input *in, uint8_t pick, struct packed *text)
{
	uint64_t state = pick;
	struct span head = span_of(NULL, 0);
	bool whole;

	if ((pick & 1) != 0)
		TRY(input_head(in, &head, &whole));
	BUG_ON(head.len > INPUT_HEAD_BYTES);
	if ((pick & 2) != 0) {
		TRY(ragged_read(in, &state, 1 + pick, text));
		text->len = 0;
		ragged_open(in);
		TRY(input_restart(in));
	}
	return ragged_read(in, &state, SIZE_MAX, text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drained plain, again;
	struct limits limits;

	if (size == 0)
		return 0;
	limits_default(&limits);
	limits.of[LIMIT_MAX_DECODED_BYTES] = 10000;
	limits.of[LIMIT_MAX_INPUT_BYTES] = 5000;
	limits.of[LIMIT_MAX_WINDOW_BYTES] = 1 << 20;
	drain(span_of(data + 1, size - 1), 0, &limits, &plain);
	ragged_drain(span_of(data + 1, size - 1), &limits, data[0], play,
		     &again);
	ragged_agrees(&plain, &again, span_of(data + 1, size - 1));
	drained_free(&plain);
	drained_free(&again);
	return 0;
}
