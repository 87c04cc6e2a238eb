/*
 * The life of a job as the supervisor sees it. docs/PROTOCOL.md shows the same
 * table; tests/unit/supervisor/test_jobstate.c holds it to its rules.
 *
 *   ADMIT
 *     |
 *     v        START           SLOT            DELIVERING
 *  ADMITTED ---------> QUEUED ------> RUNNING ------------> DELIVERING
 *     |                  |          (killed: waits         (killed: waits
 *     | TICKET           | LEASE_GONE  for REAPED or         for REAPED or
 *     | CANCEL           | CANCEL      UNREAPED)             UNREAPED)
 *     | SHUTDOWN         | SHUTDOWN       |                     |
 *     |                  | NO_WORKER      | REAPED              | REAPED
 *     |                  |                | UNREAPED            | UNREAPED
 *     |                  v                v                     |
 *     +--------------> ENDED <----------------------------------+
 *                        |
 *                        | DELIVERED, FORGET
 *                        v
 *                       free
 *
 * CANCEL, DEADLINE, STALL, LEASE_GONE and SHUTDOWN kill a running worker;
 * FRONT_LOST kills one whose result is half delivered. The job stays where it
 * is until its worker is gone, and the first cause is the one that is told.
 */
#include "broker/supervisor/jobstate.h"

#include "proto/bug.h"

/* Of a cell that stays: job_step puts in the state it was looked up for. */
#define SAME_STATE JOB_STATE_COUNT

#define STAY(action)                     \
	{                                \
		SAME_STATE, JOB_##action \
	}
#define TO(state, action)                 \
	{                                 \
		JOB_##state, JOB_##action \
	}

static const struct job_step steps[JOB_STATE_COUNT][JOB_EVENT_COUNT] =
    {
	[JOB_ADMITTED] =
	    {
		[JOB_EVENT_START] = TO(QUEUED, WAIT),
		[JOB_EVENT_ALIVE] = STAY(REFUSE),
		[JOB_EVENT_HOLD] = STAY(REFUSE),
		[JOB_EVENT_DELIVERING] = STAY(REFUSE),
		[JOB_EVENT_CANCEL] = TO(ENDED, END),
		[JOB_EVENT_DELIVERED] = STAY(REFUSE),
		[JOB_EVENT_VERDICT] = STAY(REFUSE),
		[JOB_EVENT_SLOT] = STAY(BUG),
		[JOB_EVENT_NO_WORKER] = STAY(IGNORE),
		[JOB_EVENT_REAPED] = STAY(BUG),
		[JOB_EVENT_UNREAPED] = STAY(BUG),
		[JOB_EVENT_TICKET] = TO(ENDED, END),
		[JOB_EVENT_DEADLINE] = STAY(BUG),
		[JOB_EVENT_STALL] = STAY(BUG),
		[JOB_EVENT_LEASE_GONE] = STAY(BUG),
		[JOB_EVENT_FRONT_LOST] = STAY(IGNORE),
		[JOB_EVENT_SHUTDOWN] = TO(ENDED, END),
		[JOB_EVENT_FORGET] = STAY(BUG),
	    },
	[JOB_QUEUED] =
	    {
		[JOB_EVENT_START] = STAY(REFUSE),
		[JOB_EVENT_ALIVE] = STAY(REFUSE),
		[JOB_EVENT_HOLD] = STAY(REFUSE),
		[JOB_EVENT_DELIVERING] = STAY(REFUSE),
		[JOB_EVENT_CANCEL] = TO(ENDED, END),
		[JOB_EVENT_DELIVERED] = STAY(REFUSE),
		[JOB_EVENT_VERDICT] = STAY(REFUSE),
		[JOB_EVENT_SLOT] = TO(RUNNING, RUN),
		[JOB_EVENT_NO_WORKER] = TO(ENDED, END),
		[JOB_EVENT_REAPED] = STAY(BUG),
		[JOB_EVENT_UNREAPED] = STAY(BUG),
		[JOB_EVENT_TICKET] = STAY(BUG),
		[JOB_EVENT_DEADLINE] = STAY(BUG),
		[JOB_EVENT_STALL] = STAY(BUG),
		[JOB_EVENT_LEASE_GONE] = TO(ENDED, END),
		[JOB_EVENT_FRONT_LOST] = STAY(IGNORE),
		[JOB_EVENT_SHUTDOWN] = TO(ENDED, END),
		[JOB_EVENT_FORGET] = STAY(BUG),
	    },
	[JOB_RUNNING] =
	    {
		[JOB_EVENT_START] = STAY(REFUSE),
		[JOB_EVENT_ALIVE] = STAY(ALIVE),
		[JOB_EVENT_HOLD] = STAY(HOLD),
		[JOB_EVENT_DELIVERING] = TO(DELIVERING, ALIVE),
		[JOB_EVENT_CANCEL] = STAY(KILL),
		[JOB_EVENT_DELIVERED] = STAY(REFUSE),
		[JOB_EVENT_VERDICT] = STAY(REFUSE),
		[JOB_EVENT_SLOT] = STAY(BUG),
		[JOB_EVENT_NO_WORKER] = STAY(IGNORE),
		[JOB_EVENT_REAPED] = TO(ENDED, END),
		[JOB_EVENT_UNREAPED] = TO(ENDED, END),
		[JOB_EVENT_TICKET] = STAY(BUG),
		[JOB_EVENT_DEADLINE] = STAY(KILL),
		[JOB_EVENT_STALL] = STAY(KILL),
		[JOB_EVENT_LEASE_GONE] = STAY(KILL),
		/* nothing is lost: the next front reads on */
		[JOB_EVENT_FRONT_LOST] = STAY(HOLD),
		[JOB_EVENT_SHUTDOWN] = STAY(KILL),
		[JOB_EVENT_FORGET] = STAY(BUG),
	    },
	[JOB_DELIVERING] =
	    {
		[JOB_EVENT_START] = STAY(REFUSE),
		[JOB_EVENT_ALIVE] = STAY(ALIVE),
		[JOB_EVENT_HOLD] = STAY(HOLD),
		[JOB_EVENT_DELIVERING] = STAY(REFUSE),
		[JOB_EVENT_CANCEL] = STAY(KILL),
		[JOB_EVENT_DELIVERED] = STAY(REFUSE),
		[JOB_EVENT_VERDICT] = STAY(REFUSE),
		[JOB_EVENT_SLOT] = STAY(BUG),
		[JOB_EVENT_NO_WORKER] = STAY(IGNORE),
		[JOB_EVENT_REAPED] = TO(ENDED, END),
		[JOB_EVENT_UNREAPED] = TO(ENDED, END),
		[JOB_EVENT_TICKET] = STAY(BUG),
		[JOB_EVENT_DEADLINE] = STAY(KILL),
		[JOB_EVENT_STALL] = STAY(KILL),
		[JOB_EVENT_LEASE_GONE] = STAY(KILL),
		/* what the old front has read nobody can read again */
		[JOB_EVENT_FRONT_LOST] = STAY(KILL),
		[JOB_EVENT_SHUTDOWN] = STAY(KILL),
		[JOB_EVENT_FORGET] = STAY(BUG),
	    },
	[JOB_ENDED] =
	    {
		/* the front may not have read the obituary yet */
		[JOB_EVENT_START] = STAY(IGNORE),
		[JOB_EVENT_ALIVE] = STAY(IGNORE),
		[JOB_EVENT_HOLD] = STAY(IGNORE),
		[JOB_EVENT_DELIVERING] = STAY(IGNORE),
		[JOB_EVENT_CANCEL] = STAY(IGNORE),
		[JOB_EVENT_DELIVERED] = STAY(FORGET),
		[JOB_EVENT_VERDICT] = STAY(TALLY),
		[JOB_EVENT_SLOT] = STAY(BUG),
		[JOB_EVENT_NO_WORKER] = STAY(IGNORE),
		[JOB_EVENT_REAPED] = STAY(BUG),
		[JOB_EVENT_UNREAPED] = STAY(BUG),
		[JOB_EVENT_TICKET] = STAY(BUG),
		[JOB_EVENT_DEADLINE] = STAY(BUG),
		[JOB_EVENT_STALL] = STAY(BUG),
		[JOB_EVENT_LEASE_GONE] = STAY(BUG),
		[JOB_EVENT_FRONT_LOST] = STAY(LOSE),
		[JOB_EVENT_SHUTDOWN] = STAY(IGNORE),
		[JOB_EVENT_FORGET] = STAY(FORGET),
	    },
};

struct job_step
job_step(enum job_state state, enum job_event event)
{
	struct job_step step;

	BUG_ON((unsigned)state >= JOB_STATE_COUNT ||
	       (unsigned)event >= JOB_EVENT_COUNT);
	step = steps[state][event];
	if (step.next == SAME_STATE)
		step.next = state;
	return step;
}

const char *
job_state_name(enum job_state state)
{
	static const char *const names[JOB_STATE_COUNT] = {
	    [JOB_ADMITTED] = "admitted", [JOB_QUEUED] = "queued",
	    [JOB_RUNNING] = "running",	 [JOB_DELIVERING] = "delivering",
	    [JOB_ENDED] = "ended",
	};

	BUG_ON((unsigned)state >= JOB_STATE_COUNT);
	return names[state];
}
