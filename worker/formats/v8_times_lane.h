/*
 * The lanes of samples and of their time deltas: integers in V8's spelling.
 */
#ifndef WORKER_FORMATS_V8_TIMES_LANE_H
#define WORKER_FORMATS_V8_TIMES_LANE_H

#include "worker/formats/v8_times.h"

/* As struct json_lane says. */
NODISCARD enum status v8_samples_lane_take(struct v8_samples *samples,
					   struct span bytes,
					   struct json_taken *taken_out);
NODISCARD enum status v8_deltas_lane_take(struct v8_times *times,
					  struct span bytes,
					  struct json_taken *taken_out);
size_t v8_times_lane_next(struct span bytes);

#endif
