/*
 * How a job ended, from two witnesses: the worker's channel and the
 * supervisor's obituary. It takes both, in either order; the worker's own
 * whole and valid answer goes before the obituary.
 */
#ifndef FRONT_VERDICT_H
#define FRONT_VERDICT_H

#include <stdbool.h>

#include "broker/front/relay.h"
#include "proto/failure.h"
#include "proto/link.h"

enum verdict {
	VERDICT_OPEN,	/* a witness is missing */
	VERDICT_RESULT, /* the relay holds it */
	VERDICT_FAILURE,
};

struct witnesses {
	bool channel_over; /* read to its end, or there never was one */
	bool has_obituary;
	bool adopted; /* an answer may have been lost with an earlier front */
	const struct relay *relay;
	const struct obituary_record *obituary;
};

/* Fills failure_out with VERDICT_FAILURE only. */
enum verdict verdict_reach(const struct witnesses *w,
			   struct failure *failure_out);

#endif
