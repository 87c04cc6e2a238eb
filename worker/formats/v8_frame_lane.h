/*
 * A callFrame in V8's own spelling, from its bytes to its number in the model.
 */
#ifndef WORKER_FORMATS_V8_FRAME_LANE_H
#define WORKER_FORMATS_V8_FRAME_LANE_H

#include "worker/json/stream.h"
#include "worker/lanes/cursor.h"
#include "worker/lanes/raw_cache.h"
#include "worker/profile/profile.h"

/* The cursor stands at the object's brace. False, and nothing is different in
 * any result, when it is not as V8 writes it or the parser has to judge. */
bool v8_frame_lane(struct cursor *cursor, struct raw_cache *known,
		   struct json_stream *stream, struct profile *profile,
		   uint32_t *frame_out);

#endif
