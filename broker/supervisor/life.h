/*
 * Carries out what the table of states says (jobstate.h).
 */
#ifndef SUPERVISOR_LIFE_H
#define SUPERVISOR_LIFE_H

#include "broker/supervisor/jobs.h"
#include "broker/supervisor/obituary.h"
#include "proto/status.h"

struct service;

/* What happens to a job. */
struct happening {
	enum job_event event;
	struct cause cause;	       /* of events that end a job */
	const struct ending *ending;   /* of JOB_EVENT_REAPED */
	struct verdict_record verdict; /* of JOB_EVENT_VERDICT */
};

/* ST_BAD_REPLY when the front should not have said so now. The job may be
 * gone afterwards. */
NODISCARD enum status life_happen(struct service *s, struct live_job *job,
				  const struct happening *happening);

/* The same for events of ours, which are never refused. */
void life_event(struct service *s, struct live_job *job, enum job_event event);
void life_end(struct service *s, struct live_job *job, enum job_event event,
	      enum status status, enum reason reason);

/* JOB_EVENT_SHUTDOWN to all jobs; only to those that wait unless `running`. */
void life_shut_down(struct service *s, bool running);

/* The oldest ended job is forgotten while there are too many. */
void life_forget_surplus(struct service *s);

#endif
