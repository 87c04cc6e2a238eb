/*
 * Frames from the heaviest to the lightest.
 */
#ifndef WORKER_PROFILE_ORDER_H
#define WORKER_PROFILE_ORDER_H

#include <stdint.h>

#include "proto/answer.h"

struct order {
	const uint64_t *value;		     /* borrowed: by frame */
	const uint8_t (*id)[FRAME_ID_BYTES]; /* borrowed: by frame */
};

/* Sorts the numbers of frames by falling value, ties by rising id. In place,
 * without recursion and without memory: libc's qsort may ask the system for
 * either. */
void order_frames(const struct order *order, uint32_t *frames, uint32_t len);

#endif
