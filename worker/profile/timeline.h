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
	struct timeline_entry *entries; /* owned: in the arena */
	struct arena *arena;		/* borrowed */
	uint32_t head, len;		/* entries[head … head + len) wait */
	bool started;			/* `last` left the window already */
	struct timeline_entry last;
	uint64_t clamped;
};

void timeline_init(struct timeline *timeline, struct arena *arena);
void timeline_fini(struct timeline *timeline);

/*
 * Some samples at their times, at most TIMELINE_BATCH. Those that have become
 * certain by it are in spans_out, which has room for n, with how long they
 * lasted; how many.
 */
size_t timeline_add(struct timeline *timeline, const int64_t *times,
		    const uint32_t *slots, size_t n,
		    struct column_amount *spans_out);

/* After the last sample: call until false. `end` is when the profile ended. */
bool timeline_drain(struct timeline *timeline, int64_t end,
		    struct column_amount *span_out);

#endif
