/*
 * The way out, in stages.
 */
#ifndef SUPERVISOR_DRAIN_H
#define SUPERVISOR_DRAIN_H

#include <stdbool.h>

#include "broker/supervisor/deadline.h"

struct service;

enum drain_stage {
	DRAIN_SERVING,	  /* not at all */
	DRAIN_DRAINING,	  /* nothing new; running jobs go on */
	DRAIN_CANCELLING, /* running jobs are killed */
	DRAIN_FLUSHING,	  /* all have ended; the front tells its clients */
	DRAIN_DONE,
};

struct drain {
	enum drain_stage stage;
	bool orphaned; /* whoever started us is gone: nobody is to be told */
	struct deadline clock;
};

/* Stops admitting; jobs that wait end as CANCELLED. */
void drain_begin(struct service *s);

/* Kills what runs, too. */
void drain_cancel(struct service *s);

/* Goes on to the next stage when this one is over. */
void drain_advance(struct service *s);

/* Time is up for this stage. */
void drain_late(struct service *s);

#endif
