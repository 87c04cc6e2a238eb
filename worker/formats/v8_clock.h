/*
 * From deltas, or timestamps, to the times of samples, and by the timeline to
 * how long each lasted.
 */
#ifndef WORKER_FORMATS_V8_CLOCK_H
#define WORKER_FORMATS_V8_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/formats/extractor.h"
#include "worker/json/stream.h"
#include "worker/profile/column.h"
#include "worker/profile/timeline.h"

/* Deltas of at most this either way, V8_CLOCK_BATCH of them, overflow nothing
 * while v8_clock_near. */
#define V8_CLOCK_SMALL INT64_C(999999999999999)
#define V8_CLOCK_BATCH TIMELINE_BATCH

struct v8_clock {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed; NULL when it has ended */
	bool absolute;		       /* the deltas are timestamps */
	struct column durations;       /* microseconds */
	struct timeline timeline;
	int64_t now;	 /* time of the last sample that was placed */
	int64_t cut_end; /* time of the first sample that was cut */
	bool has_cut_end;
	int64_t earliest, latest;
};

void v8_clock_init(struct v8_clock *clock, struct extraction *extraction,
		   struct json_stream *stream);
void v8_clock_fini(struct v8_clock *clock);

/* TIME_OVERFLOW, at the stream's place or at none, is the failure of all that
 * follow, when times or their sums leave 64 bits. */

/* A sample, of any delta. */
NODISCARD enum status v8_clock_place(struct v8_clock *clock, uint32_t slot,
				     int64_t delta);

/* The first sample beyond those that are wanted says when the last one ended;
 * those behind it say nothing. */
NODISCARD enum status v8_clock_cut(struct v8_clock *clock, int64_t delta);

/* Whether times and sums are far enough from what 64 bits hold. */
bool v8_clock_near(const struct v8_clock *clock);

/* Where the slots of the next samples are to be put, at most V8_CLOCK_BATCH;
 * then v8_clock_run takes them, with deltas that are small. */
uint32_t *v8_clock_slots(struct v8_clock *clock);
NODISCARD enum status v8_clock_run(struct v8_clock *clock,
				   const int64_t *deltas, size_t n);

/* After the last sample: the profile's own start and end, in microseconds. */
NODISCARD enum status v8_clock_end(struct v8_clock *clock, int64_t start,
				   int64_t end);

#endif
