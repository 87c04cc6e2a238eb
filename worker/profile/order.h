/*
 * Frames from the heaviest to the lightest, in passes, so that who runs them
 * can tell progress between two: there may be millions.
 */
#ifndef WORKER_PROFILE_ORDER_H
#define WORKER_PROFILE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/answer.h"

#define ORDER_ID_PASSES FRAME_ID_BYTES
#define ORDER_PASSES (ORDER_ID_PASSES + 8)

struct order {
	const uint64_t *value;		     /* borrowed: by frame */
	const uint8_t (*id)[FRAME_ID_BYTES]; /* borrowed: by frame */
};

/*
 * One pass over the numbers of frames. After passes 0 to ORDER_PASSES - 1 they
 * stand by falling value, ties by rising id; the first ORDER_ID_PASSES sort by
 * id alone and do not look at the values. scratch has room for len numbers;
 * what it held is lost.
 */
void order_pass(const struct order *order, unsigned pass, uint32_t *frames,
		uint32_t *scratch, uint32_t len);

#endif
