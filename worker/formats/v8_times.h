/*
 * Samples and their times. The file keeps them in two arrays; times need both
 * side by side. In V8's order (nodes, samples, timeDeltas) the samples are kept
 * while they take at most V8_KEPT_BYTES, and read again by a second cursor
 * beyond that. In any other order both are read again at the end. A second
 * reading must give the same as the first, else ARTIFACT_CHANGED.
 */
#ifndef WORKER_FORMATS_V8_TIMES_H
#define WORKER_FORMATS_V8_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_cursor.h"
#include "worker/json/stream.h"
#include "worker/profile/column.h"
#include "worker/profile/median.h"
#include "worker/profile/timeline.h"

#define V8_KEPT_BYTES (64 * MIB)

struct v8_times {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed; NULL when it has ended */
	struct v8_array samples, deltas;
	bool absolute; /* the deltas are timestamps */
	struct column counts, durations;
	/* events of the open array that are taken together */
	int64_t waiting[TIMELINE_BATCH];
	uint64_t waiting_len, waiting_max;
	uint32_t *kept; /* owned: a table of slots, while keeping */
	bool keeping;	/* false: there were too many */
	size_t kept_bytes;
	uint64_t kept_len;
	uint64_t kept_max;
	struct v8_cursor sample_cursor;
	struct timeline timeline;
	struct median median;
	int64_t before;	 /* the last delta as the file has it */
	int64_t now;	 /* time of the last sample that was placed */
	int64_t cut_end; /* time of the first sample that was cut */
	bool has_cut_end;
	int64_t earliest, latest;
	uint64_t negative; /* deltas, cut ones not counted */
};

void v8_times_init(struct v8_times *times, struct extraction *extraction,
		   struct json_stream *stream);
void v8_times_fini(struct v8_times *times);

/* The arrays' events. The tree is sealed when its root is known. */
void v8_times_start_samples(struct v8_times *times);
NODISCARD enum status v8_times_sample(struct v8_times *times, int64_t id);
NODISCARD enum status v8_times_end_samples(struct v8_times *times);
void v8_times_start_deltas(struct v8_times *times, bool absolute);
NODISCARD enum status v8_times_delta(struct v8_times *times, int64_t delta);
NODISCARD enum status v8_times_end_deltas(struct v8_times *times);

/*
 * For lanes: some samples at once, or deltas of at most V8_DELTA_MOST either
 * way. There is room for as many as nothing can be wrong with but that the file
 * has changed, and never for more than V8_TIMES_BATCH.
 */
#define V8_TIMES_BATCH TIMELINE_BATCH
#define V8_DELTA_MOST INT64_C(999999999999999)
uint64_t v8_times_sample_room(const struct v8_times *times);
void v8_times_samples(struct v8_times *times, const int64_t *ids, size_t n);
uint64_t v8_times_delta_room(const struct v8_times *times);
NODISCARD enum status v8_times_deltas(struct v8_times *times,
				      const int64_t *deltas, size_t n);

/* After the last byte, the tree sealed: reads again what came too early, then
 * makes the metrics of counts and times. start and end are in microseconds. */
NODISCARD enum status v8_times_finish(struct v8_times *times,
				      struct maybe start, struct maybe end);

#endif
