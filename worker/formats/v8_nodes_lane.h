/*
 * The lane of a CPU profile's nodes: node objects in V8's own spelling.
 */
#ifndef WORKER_FORMATS_V8_NODES_LANE_H
#define WORKER_FORMATS_V8_NODES_LANE_H

#include "worker/formats/v8_nodes.h"
#include "worker/lanes/raw_cache.h"

/* As struct json_lane says. */
NODISCARD enum status v8_nodes_lane_take(struct v8_nodes *nodes,
					 struct raw_cache *known,
					 struct span bytes,
					 struct json_taken *taken_out);
size_t v8_nodes_lane_next(struct span bytes);

#endif
