/*
 * The samples of a CPU profile: node ids in order, counted at their nodes. In
 * V8's order of arrays (nodes, samples, timeDeltas) their slots are kept while
 * they take at most V8_KEPT_BYTES; those behind are read again by a second
 * cursor. Samples that came before the nodes, or behind the deltas, are all
 * read again when all else was.
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

#define V8_KEPT_BYTES (48 * MIB)

/* So many are taken at once, at most. */
#define V8_BATCH TIMELINE_BATCH

/* Values of events that wait until they are a batch. */
struct v8_waiting {
	int64_t values[V8_BATCH];
	size_t len, max; /* max 0: look whether more may */
	uint64_t offset; /* of the first one */
};

struct v8_samples {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed */
	bool seen, ended;
	bool late; /* the tree was not there */
	uint64_t len;
	struct column counts;
	struct v8_waiting waiting;
	struct slot_list kept;
	bool keeping;	      /* false: those from kept.len on are in rest */
	struct v8_array rest; /* to be read again */
	struct v8_cursor cursor;
};

void v8_samples_init(struct v8_samples *samples, struct extraction *extraction,
		     struct json_stream *stream);
void v8_samples_fini(struct v8_samples *samples);

/* The array's events. The tree is sealed when its root is known. again: all
 * will be read again in any case. */
void v8_samples_start(struct v8_samples *samples, bool again);
NODISCARD enum status v8_samples_id(struct v8_samples *samples, int64_t id);
void v8_samples_end(struct v8_samples *samples);

/* Samples up to max_samples count. */
uint64_t v8_samples_wanted(const struct v8_samples *samples);

/* For lanes: how many may be taken at once, and those; the first one's offset
 * in the input. */
size_t v8_samples_room(const struct v8_samples *samples);
void v8_samples_take(struct v8_samples *samples, const int64_t *ids, size_t n,
		     uint64_t offset);

/* The slots of the next n samples, at most V8_BATCH, from `index` on, after all
 * have come; index goes up from 0 without gaps. Those in rest are counted by
 * it; slots of samples that are not wanted mean nothing. */
NODISCARD enum status v8_samples_recall(struct v8_samples *samples,
					uint64_t index, size_t n,
					uint32_t *slots_out);

/* All that were recalled are all, and were the same: else ARTIFACT_CHANGED. */
NODISCARD enum status v8_samples_recalled(struct v8_samples *samples);

#endif
