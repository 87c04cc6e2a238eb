/*
 * The samples of a CPU profile: node ids in order, counted at their nodes. In
 * V8's order of arrays (nodes, samples, timeDeltas) their slots are kept while
 * they take at most kept_bytes, and read again by a second cursor beyond that.
 * Samples that come before the nodes are late: they are noted, and read when
 * all else was.
 */
#ifndef WORKER_FORMATS_V8_SAMPLES_H
#define WORKER_FORMATS_V8_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_cursor.h"
#include "worker/json/stream.h"
#include "worker/profile/column.h"
#include "worker/profile/slot_list.h"
#include "worker/profile/timeline.h"

#define V8_KEPT_BYTES (64 * MIB)

/* So many are taken at once, at most. */
#define V8_BATCH TIMELINE_BATCH

/* Values of events that wait until they are a batch. */
struct v8_waiting {
	int64_t values[V8_BATCH];
	size_t len, max; /* max 0: look whether more may */
};

struct v8_samples {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed */
	struct v8_array array;
	struct column counts;
	struct v8_waiting waiting;
	struct slot_list kept;
	size_t kept_bytes; /* at most */
	bool keeping;	   /* false: there were too many */
	struct v8_cursor cursor;
};

void v8_samples_init(struct v8_samples *samples, struct extraction *extraction,
		     struct json_stream *stream);
void v8_samples_fini(struct v8_samples *samples);

/* The array's events. The tree is sealed when its root is known. */
void v8_samples_start(struct v8_samples *samples);
NODISCARD enum status v8_samples_id(struct v8_samples *samples, int64_t id);
void v8_samples_end(struct v8_samples *samples);

/* Samples up to max_samples count. */
uint64_t v8_samples_wanted(const struct v8_samples *samples);

/* For lanes: how many may be taken at once, and those. */
size_t v8_samples_room(const struct v8_samples *samples);
void v8_samples_take(struct v8_samples *samples, const int64_t *ids, size_t n);

/* The slots of the next n samples, at most V8_BATCH, from `index` on, after all
 * have come; index goes up from 0 without gaps, but none is asked for that is
 * not wanted while they are kept. */
NODISCARD enum status v8_samples_recall(struct v8_samples *samples,
					uint64_t index, size_t n,
					uint32_t *slots_out);

/* All that were recalled are all, and were the same: else ARTIFACT_CHANGED. */
NODISCARD enum status v8_samples_recalled(struct v8_samples *samples);

/* To the first sample again, also of late ones. */
NODISCARD enum status v8_samples_rewind(struct v8_samples *samples);

#endif
