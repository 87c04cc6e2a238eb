/*
 * Integers are read some at a time into a small array, and then counted.
 */
#include "worker/formats/v8_times_lane.h"

#include <assert.h>

#include "worker/lanes/integers.h"

#define INTEGERS_AT_ONCE 512
static_assert(INTEGERS_MOST <= V8_DELTA_MOST, "no larger ones are read");

/* What a lane of integers does with them: so many at once, at most. */
struct integers_sink {
	uint64_t (*room)(const struct v8_times *times);
	enum status (*take)(struct v8_times *times, const int64_t *values,
			    size_t n);
};

static enum status
take(struct v8_times *times, const struct integers_sink *sink,
     struct span bytes, struct json_taken *taken_out)
{
	int64_t values[INTEGERS_AT_ONCE];
	size_t n, used;

	do {
		uint64_t room = sink->room(times);

		n = integers_read(bytes, values,
				  room < INTEGERS_AT_ONCE ? room
							  : INTEGERS_AT_ONCE,
				  &used);
		TRY(sink->take(times, values, n));
		bytes = span_of(bytes.data + used, bytes.len - used);
		taken_out->bytes += used;
		taken_out->elements += n;
	} while (n > 0);
	return ST_OK;
}

enum status
v8_samples_lane_take(struct v8_times *times, struct span bytes,
		     struct json_taken *taken_out)
{
	static const struct integers_sink sink = {v8_times_sample_room,
						  v8_times_samples};

	return take(times, &sink, bytes, taken_out);
}

enum status
v8_deltas_lane_take(struct v8_times *times, struct span bytes,
		    struct json_taken *taken_out)
{
	static const struct integers_sink sink = {v8_times_delta_room,
						  v8_times_deltas};

	return take(times, &sink, bytes, taken_out);
}

size_t
v8_times_lane_next(struct span bytes)
{
	return integers_next(bytes);
}
