/*
 * From the times of samples to how long each lasted: until the next one's
 * time, the last until the end. Samples come nearly in order; a window of
 * TIMELINE_WINDOW of them is sorted, stably, and what falls outside is clamped
 * and counted.
 */
#ifndef WORKER_PROFILE_TIMELINE_H
#define WORKER_PROFILE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/arena.h"

#define TIMELINE_WINDOW 4096

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

/* A sample that left the window, and how long it lasted. */
struct timeline_span {
	uint32_t slot;
	uint64_t duration;
};

void timeline_init(struct timeline *timeline, struct arena *arena);
void timeline_fini(struct timeline *timeline);

/* A sample at its time. True when one has become certain, in span_out. */
bool timeline_add(struct timeline *timeline, int64_t time, uint32_t slot,
		  struct timeline_span *span_out);

/* After the last sample: call until false. `end` is when the profile ended. */
bool timeline_drain(struct timeline *timeline, int64_t end,
		    struct timeline_span *span_out);

#endif
