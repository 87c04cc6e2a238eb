/*
 * What may happen to a job, and when: one table of state by event.
 */
#ifndef SUPERVISOR_JOBSTATE_H
#define SUPERVISOR_JOBSTATE_H

enum job_state {
	JOB_ADMITTED,	/* has a ticket; its client must come to the door */
	JOB_QUEUED,	/* has its door connection; waits for a worker */
	JOB_RUNNING,	/* a worker has it */
	JOB_DELIVERING, /* the front reads its result */
	JOB_ENDED,	/* the obituary is written; the front has yet to say
			 * that the client knows */
	JOB_STATE_COUNT
};

enum job_event {
	/* the front's records */
	JOB_EVENT_START, /* the door connection is here */
	JOB_EVENT_ALIVE,
	JOB_EVENT_HOLD,
	JOB_EVENT_DELIVERING,
	JOB_EVENT_CANCEL,
	JOB_EVENT_DELIVERED,
	JOB_EVENT_VERDICT, /* what the client is told */
	/* ours */
	JOB_EVENT_SLOT,	      /* a worker was given it */
	JOB_EVENT_NO_WORKER,  /* none can be started */
	JOB_EVENT_REAPED,     /* its worker is gone */
	JOB_EVENT_UNREAPED,   /* killed a while ago, and not gone */
	JOB_EVENT_TICKET,     /* it is over, and nobody came */
	JOB_EVENT_DEADLINE,   /* wall_seconds */
	JOB_EVENT_STALL,      /* stall_seconds */
	JOB_EVENT_LEASE_GONE, /* its client hung up */
	JOB_EVENT_FRONT_LOST,
	JOB_EVENT_SHUTDOWN,
	JOB_EVENT_FORGET, /* it was kept long enough, or need not be */
	JOB_EVENT_COUNT
};

enum job_action {
	JOB_IGNORE, /* nothing to do: it crossed with something else */
	JOB_REFUSE, /* no sane front says that now: it is killed */
	JOB_BUG,    /* cannot be, unless we are wrong about ourselves */
	JOB_WAIT,   /* into the queue */
	JOB_RUN,    /* the clocks start */
	JOB_ALIVE,  /* the stall clock starts afresh */
	JOB_HOLD,   /* the stall clock stands */
	JOB_KILL,   /* its worker; the cause is kept */
	JOB_END,    /* write the obituary */
	JOB_LOSE,   /* its result, if any, went with the front */
	JOB_TALLY,  /* count how it ended */
	JOB_FORGET, /* free its place */
};

struct job_step {
	enum job_state next;
	enum job_action action;
};

struct job_step job_step(enum job_state state, enum job_event event);

const char *job_state_name(enum job_state state);

#endif
