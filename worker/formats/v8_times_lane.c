/*
 * Integers are read some at a time into a small array, and then counted.
 */
#include "worker/formats/v8_times_lane.h"

#include <assert.h>

#include "worker/lanes/integers.h"

static_assert(INTEGERS_MOST <= V8_CLOCK_SMALL, "no larger ones are read");

/* The next values from the front of bytes: how many, and they are taken off. */
static size_t
read_some(struct span *bytes, uint64_t room, int64_t values[V8_BATCH],
	  struct json_taken *taken)
{
	size_t used, n = integers_read(*bytes, values, (size_t)room, &used);

	*bytes = span_of(bytes->data + used, bytes->len - used);
	taken->bytes += used;
	taken->elements += n;
	return n;
}

enum status
v8_samples_lane_take(struct v8_samples *samples, struct span bytes,
		     struct json_taken *taken_out)
{
	uint64_t start = json_stream_here(samples->stream), at;
	int64_t values[V8_BATCH];
	size_t n;

	do {
		at = start + taken_out->bytes;
		n = read_some(&bytes, v8_samples_room(samples), values,
			      taken_out);
		v8_samples_take(samples, values, n, at);
	} while (n > 0);
	return ST_OK;
}

enum status
v8_deltas_lane_take(struct v8_times *times, struct span bytes,
		    struct json_taken *taken_out)
{
	int64_t values[V8_BATCH];
	size_t n;

	do {
		n = read_some(&bytes, v8_times_room(times), values, taken_out);
		TRY(v8_times_take(times, values, n));
	} while (n > 0);
	return ST_OK;
}

size_t
v8_times_lane_next(struct span bytes)
{
	return integers_next(bytes);
}
