/*
 * From the times of samples to how long each lasted: until the next one's
 * time, the last until the end. Samples come nearly in order; a window of
 * TIMELINE_WINDOW of them is sorted, stably, and what falls outside is clamped
 * and counted.
 */
#ifndef WORKER_PROFILE_TIMELINE_H
#define WORKER_PROFILE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/arena.h"
#include "worker/profile/column.h"

#define TIMELINE_WINDOW 4096
#define TIMELINE_BATCH 512

struct timeline_entry {
	int64_t time;
	uint32_t slot;
};

struct timeline {
	struct arena *arena;	  /* borrowed */
	struct column *durations; /* borrowed: microseconds by slot */
	uint64_t clamped;
	/* `at` is where the next ones are put; before it are the last
	 * TIMELINE_WINDOW + 1 at least, in time order unless `sorting`. */
	int64_t *times;	 /* owned: in the arena */
	uint32_t *slots; /* owned: in the arena, beside times */
	uint32_t at;
	bool sorting; /* those of the window have no durations yet */
	struct timeline_entry *entries; /* owned: in the arena */
	uint32_t head, len;		/* entries[head … head + len) wait */
	uint32_t in_order; /* came so since the last that did not */
	bool started;	   /* `last` left the window already */
	struct timeline_entry last;
};

/* The durations are added to the column, which must outlive the timeline. */
void timeline_init(struct timeline *timeline, struct arena *arena,
		   struct column *durations);
void timeline_fini(struct timeline *timeline);

/* Where the next samples' times and slots are to be put, at most
 * TIMELINE_BATCH; then timeline_add takes them. */
void timeline_next(struct timeline *timeline, int64_t **times_out,
		   uint32_t **slots_out);

/* ascending: none of them is before the one in front of it, as far as they are
 * in this call. False when the sum of all durations does not fit in 64 bits. */
NODISCARD bool timeline_add(struct timeline *timeline, size_t n,
			    bool ascending);

/* After the last sample. `end` is when the profile ended. */
NODISCARD bool timeline_end(struct timeline *timeline, int64_t end);

#endif
