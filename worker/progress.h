/*
 * When to say how far we are: at least every 64 MiB and every second of work,
 * and not much more often, however often one asks.
 */
#ifndef WORKER_PROGRESS_H
#define WORKER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/answer.h"

struct progress_pace {
	enum phase phase;
	uint64_t bytes;	  /* when it was last sent */
	uint64_t sent_ms; /* likewise, on the caller's clock */
	bool started;
};

void progress_pace_init(struct progress_pace *pace);

/* True when it is time to send this one, which then counts as sent. */
bool progress_due(struct progress_pace *pace, const struct progress *progress,
		  uint64_t now_ms);

#endif
