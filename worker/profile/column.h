/*
 * One value for each slot of a tree: 4 bytes while the sum of all fits in 32
 * bits, so that sums over subtrees do too; 8 bytes from then on.
 */
#ifndef WORKER_PROFILE_COLUMN_H
#define WORKER_PROFILE_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/status.h"
#include "worker/arena.h"
#include "worker/profile/tree.h"

struct column_amount {
	uint32_t slot; /* SLOT_NONE: no node's */
	uint64_t value;
};

struct column {
	struct arena *arena; /* borrowed */
	uint32_t *narrow;    /* owned: a table; NULL once wide */
	uint64_t *wide;	     /* owned: a table; NULL while narrow */
	size_t bytes;	     /* of the one that is there */
	uint32_t narrow_len; /* slots that narrow has; 0 while wide */
	uint32_t wide_len;   /* slots that wide has */
	uint64_t total;	     /* of everything added to nodes */
	uint64_t none;	     /* and to SLOT_NONE */
};

void column_init(struct column *column, struct arena *arena);
void column_fini(struct column *column);

/* column_add, when there is room to be made first. */
NODISCARD bool column_add_new(struct column *column, uint32_t slot,
			      uint64_t value);

/* False when the sum of the column would not fit in 64 bits; then nothing was
 * added. Inline, since it is done for each sample. */
NODISCARD static inline bool
column_add(struct column *column, uint32_t slot, uint64_t value)
{
	uint64_t total;

	if (__builtin_add_overflow(column->total, value, &total))
		return false;
	if (slot < column->narrow_len && total <= UINT32_MAX)
		column->narrow[slot] += (uint32_t)value;
	else if (slot < column->wide_len)
		column->wide[slot] += value;
	else
		return column_add_new(column, slot, value);
	column->total = total;
	return true;
}

/* Adds 1 for each of the slots. So many that the sum of all would not fit
 * cannot be. */
void column_count(struct column *column, const uint32_t *slots, size_t n);

/* Adds them all, or some and says false, when a sum would not fit. */
NODISCARD bool column_add_all(struct column *column,
			      const struct column_amount *amounts, size_t n);

/*
 * Adds to each of n slots the gap from its time to the next, of n + 1 times in
 * ascending order. False when the sum of all would not fit. What was added may
 * be taken back.
 */
NODISCARD bool column_add_gaps(struct column *column, const uint32_t *slots,
			       const int64_t *times, size_t n);
void column_take_gaps(struct column *column, const uint32_t *slots,
		      const int64_t *times, size_t n);

/* What each frame has by itself, and with what it called: each unit once,
 * however often the frame is on the stack. */
struct measure {
	uint64_t *self;	     /* owned: a table; by frame */
	uint64_t *inclusive; /* owned: a table; by frame */
	size_t bytes;	     /* of each */
	uint64_t total;
};

/*
 * Adds the column up: by frame, over a sealed tree whose topmost nodes are
 * marked. The column is spent and given back. frames is the number of frames
 * that there can be.
 */
void column_fold(struct column *column, struct tree *tree, uint32_t frames,
		 struct measure *measure_out);

/* Adds to a frame that has no node, and to the total. False on overflow. */
NODISCARD bool measure_add(struct measure *measure, uint32_t frame,
			   uint64_t value);

/* Gives it back. */
void measure_fini(struct measure *measure, struct arena *arena);

/* Makes room for so many frames more than there may be by now. */
void measure_grow(struct measure *measure, struct arena *arena,
		  uint32_t frames);

/* An empty measure, of zeros, for so many frames. */
void measure_init(struct measure *measure, struct arena *arena,
		  uint32_t frames);

#endif
