/*
 * Samples and their times. The file keeps them in two arrays; times need both
 * side by side. When the samples came first, and the nodes before them, that is
 * while the deltas are read; else both are read again at the end. A second
 * reading must give the same as the first, else ARTIFACT_CHANGED.
 */
#ifndef WORKER_FORMATS_V8_TIMES_H
#define WORKER_FORMATS_V8_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_clock.h"
#include "worker/formats/v8_samples.h"
#include "worker/profile/median.h"

struct v8_times {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed; NULL when it has ended */
	struct v8_samples samples;
	struct {
		bool seen, ended;
		bool
		    late; /* it came before its samples' slots could be known */
		uint64_t len;
	} deltas;
	struct v8_array again;	   /* the deltas, when they are late */
	struct v8_waiting waiting; /* deltas */
	struct v8_clock clock;
	struct median median;
	int64_t before;	   /* the last delta as the file has it */
	uint64_t negative; /* deltas, cut ones not counted */
};

void v8_times_init(struct v8_times *times, struct extraction *extraction,
		   struct json_stream *stream);
void v8_times_fini(struct v8_times *times);

/* The arrays' events, but for those of v8_samples.h. */
void v8_times_start_samples(struct v8_times *times);
NODISCARD enum status v8_times_end_samples(struct v8_times *times);
void v8_times_start_deltas(struct v8_times *times, bool absolute);
NODISCARD enum status v8_times_delta(struct v8_times *times, int64_t delta);
NODISCARD enum status v8_times_end_deltas(struct v8_times *times);

/* For lanes: how many deltas of at most V8_CLOCK_SMALL either way may be taken
 * at once, with which nothing can be wrong but that the file has changed; and
 * those. */
size_t v8_times_room(const struct v8_times *times);
NODISCARD enum status v8_times_take(struct v8_times *times,
				    const int64_t *deltas, size_t n);

/* After the last byte, the tree sealed: reads again what came too early, then
 * makes the metrics of counts and times. start and end are in microseconds. */
NODISCARD enum status v8_times_finish(struct v8_times *times,
				      struct maybe start, struct maybe end);

#endif
