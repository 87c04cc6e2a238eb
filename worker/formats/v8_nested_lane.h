/*
 * The lane of a nested call tree: node objects in V8's own spelling, through
 * all levels below the root.
 */
#ifndef WORKER_FORMATS_V8_NESTED_LANE_H
#define WORKER_FORMATS_V8_NESTED_LANE_H

#include "worker/formats/v8_nested.h"
#include "worker/lanes/raw_cache.h"

/* As struct json_lane and json_nesting say. */
NODISCARD enum status v8_nested_lane_take(struct nested *nested,
					  struct raw_cache *known,
					  struct span bytes,
					  struct json_taken *taken_out);
size_t v8_nested_lane_next(struct span bytes);
bool v8_nested_lane_inside(const struct nested *nested);
uint64_t v8_nested_lane_begun(const struct nested *nested,
			      uint64_t further_out);

#define V8_NESTED_LANE_KEY "children"
#define V8_NESTED_LANE_OPENING "{\"children\":["

/* Levels of JSON that a node opens: itself, and its frame or its children. */
#define V8_NESTED_LANE_LEVELS 2

#endif
