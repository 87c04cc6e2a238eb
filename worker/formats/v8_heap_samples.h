/*
 * The samples of a V8 heap profile, in the tree's order or before it: counted
 * at their nodes when the tree is there.
 */
#ifndef WORKER_FORMATS_V8_HEAP_SAMPLES_H
#define WORKER_FORMATS_V8_HEAP_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/extractor.h"
#include "worker/json/stream.h"
#include "worker/profile/column.h"

enum v8_heap_field {
	V8_HEAP_OTHER,
	V8_HEAP_SIZE,
	V8_HEAP_NODE_ID,
};

struct v8_heap_samples {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* borrowed */
	struct column counts;
	uint64_t len;
	uint64_t size;	/* of all */
	int64_t *early; /* owned: a table; node ids before the tree */
	size_t early_bytes;
	uint64_t early_len;
	/* the open one */
	bool open, has_size, has_node_id;
	enum v8_heap_field field;
	uint64_t open_size;
	int64_t node_id; /* may name no node, and be negative */
};

void v8_heap_samples_init(struct v8_heap_samples *samples,
			  struct extraction *extraction,
			  struct json_stream *stream);
void v8_heap_samples_fini(struct v8_heap_samples *samples);

/* The events inside the array, as in struct json_events. */
NODISCARD enum status v8_heap_samples_start(struct v8_heap_samples *samples,
					    enum json_kind kind);
NODISCARD enum status v8_heap_samples_key(struct v8_heap_samples *samples,
					  struct span key);
NODISCARD enum status v8_heap_samples_number(struct v8_heap_samples *samples,
					     struct span text);
NODISCARD enum status v8_heap_samples_scalar(struct v8_heap_samples *samples);
NODISCARD enum status v8_heap_samples_end(struct v8_heap_samples *samples);

/* The lane: records in V8's own spelling. As struct json_lane says. */
NODISCARD enum status v8_heap_samples_take(struct v8_heap_samples *samples,
					   struct span bytes,
					   struct json_taken *taken_out);

/* The tree is sealed: counts those that came before it. */
void v8_heap_samples_resolve(struct v8_heap_samples *samples);

/* After the last byte: makes the metric. */
NODISCARD enum status v8_heap_samples_finish(struct v8_heap_samples *samples);

#endif
