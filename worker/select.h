/*
 * Which frames of a profile become rows: two orders of all frames by one
 * metric, by self and by inclusive value. Rows are taken from both in turn, or
 * from one when the job says which, until there are enough or the reply is
 * full.
 */
#ifndef WORKER_SELECT_H
#define WORKER_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/answer.h"
#include "proto/status.h"
#include "worker/extract.h"
#include "worker/profile/profile.h"

/* Tables are the arena's, by frame unless said otherwise. */
struct selection {
	struct profile *profile;	 /* borrowed */
	const struct extract_sink *sink; /* borrowed: is told progress */
	struct progress progress;	 /* the same each time */
	unsigned main;	 /* the metric that rows are ranked by */
	uint32_t frames; /* how many there are */
	uint8_t (*id)[FRAME_ID_BYTES];
	uint32_t *by_self, *by_inclusive;     /* frames, the heaviest first */
	uint32_t *rank_self, *rank_inclusive; /* from 0 */
	uint8_t *taken;
	uint32_t rows;	      /* how many were taken */
	uint64_t cut_strings; /* of their strings */
	bool full; /* rows were left out for want of room in the reply */
};

/*
 * Ranks all frames and takes rows within the job's rows and max_result_bytes;
 * tells the sink that progress while it does, since that can take long.
 * INVALID_REQUEST/no_such_metric when the job sorts by a metric that the
 * profile lacks.
 */
NODISCARD enum status selection_make(struct selection *selection,
				     struct profile *profile,
				     const struct extract_sink *sink,
				     const struct progress *progress);

/* All frames in the order of the sort key. */
const uint32_t *selection_order(const struct selection *selection);

/* A frame's row, its strings cut to max_string_bytes; how many were cut. */
unsigned selection_row(const struct selection *selection, uint32_t frame,
		       struct row *row_out);

#endif
