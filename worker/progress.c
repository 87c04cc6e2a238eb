/*
 * The pace of PROGRESS. A new phase is told at once.
 */
#include "worker/progress.h"

#include "proto/limits.h"

#define EVERY_BYTES (64 * MIB)
#define EVERY_MS 1000

void
progress_pace_init(struct progress_pace *pace)
{
	*pace = (struct progress_pace){0};
}

bool
progress_due(struct progress_pace *pace, const struct progress *progress,
	     uint64_t now_ms)
{
	bool due = !pace->started || progress->phase != pace->phase ||
		   now_ms - pace->sent_ms >= EVERY_MS ||
		   progress->bytes >= pace->bytes + EVERY_BYTES;

	if (!due)
		return false;
	*pace = (struct progress_pace){.phase = progress->phase,
				       .bytes = progress->bytes,
				       .sent_ms = now_ms,
				       .started = true};
	return true;
}
