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

#define STAY(state, action)               \
	{                                 \
		JOB_##state, JOB_##action \
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
		[JOB_EVENT_ALIVE] = STAY(ADMITTED, REFUSE),
		[JOB_EVENT_HOLD] = STAY(ADMITTED, REFUSE),
		[JOB_EVENT_DELIVERING] = STAY(ADMITTED, REFUSE),
		[JOB_EVENT_CANCEL] = TO(ENDED, END),
		[JOB_EVENT_DELIVERED] = STAY(ADMITTED, REFUSE),
		[JOB_EVENT_VERDICT] = STAY(ADMITTED, REFUSE),
		[JOB_EVENT_SLOT] = STAY(ADMITTED, BUG),
		[JOB_EVENT_NO_WORKER] = STAY(ADMITTED, IGNORE),
		[JOB_EVENT_REAPED] = STAY(ADMITTED, BUG),
		[JOB_EVENT_UNREAPED] = STAY(ADMITTED, BUG),
		[JOB_EVENT_TICKET] = TO(ENDED, END),
		[JOB_EVENT_DEADLINE] = STAY(ADMITTED, BUG),
		[JOB_EVENT_STALL] = STAY(ADMITTED, BUG),
		[JOB_EVENT_LEASE_GONE] = STAY(ADMITTED, BUG),
		[JOB_EVENT_FRONT_LOST] = STAY(ADMITTED, IGNORE),
		[JOB_EVENT_SHUTDOWN] = TO(ENDED, END),
		[JOB_EVENT_FORGET] = STAY(ADMITTED, BUG),
	    },
	[JOB_QUEUED] =
	    {
		[JOB_EVENT_START] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_ALIVE] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_HOLD] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_DELIVERING] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_CANCEL] = TO(ENDED, END),
		[JOB_EVENT_DELIVERED] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_VERDICT] = STAY(QUEUED, REFUSE),
		[JOB_EVENT_SLOT] = TO(RUNNING, RUN),
		[JOB_EVENT_NO_WORKER] = TO(ENDED, END),
		[JOB_EVENT_REAPED] = STAY(QUEUED, BUG),
		[JOB_EVENT_UNREAPED] = STAY(QUEUED, BUG),
		[JOB_EVENT_TICKET] = STAY(QUEUED, BUG),
		[JOB_EVENT_DEADLINE] = STAY(QUEUED, BUG),
		[JOB_EVENT_STALL] = STAY(QUEUED, BUG),
		[JOB_EVENT_LEASE_GONE] = TO(ENDED, END),
		[JOB_EVENT_FRONT_LOST] = STAY(QUEUED, IGNORE),
		[JOB_EVENT_SHUTDOWN] = TO(ENDED, END),
		[JOB_EVENT_FORGET] = STAY(QUEUED, BUG),
	    },
	[JOB_RUNNING] =
	    {
		[JOB_EVENT_START] = STAY(RUNNING, REFUSE),
		[JOB_EVENT_ALIVE] = STAY(RUNNING, ALIVE),
		[JOB_EVENT_HOLD] = STAY(RUNNING, HOLD),
		[JOB_EVENT_DELIVERING] = TO(DELIVERING, ALIVE),
		[JOB_EVENT_CANCEL] = STAY(RUNNING, KILL),
		[JOB_EVENT_DELIVERED] = STAY(RUNNING, REFUSE),
		[JOB_EVENT_VERDICT] = STAY(RUNNING, REFUSE),
		[JOB_EVENT_SLOT] = STAY(RUNNING, BUG),
		[JOB_EVENT_NO_WORKER] = STAY(RUNNING, IGNORE),
		[JOB_EVENT_REAPED] = TO(ENDED, END),
		[JOB_EVENT_UNREAPED] = TO(ENDED, END),
		[JOB_EVENT_TICKET] = STAY(RUNNING, BUG),
		[JOB_EVENT_DEADLINE] = STAY(RUNNING, KILL),
		[JOB_EVENT_STALL] = STAY(RUNNING, KILL),
		[JOB_EVENT_LEASE_GONE] = STAY(RUNNING, KILL),
		/* nothing is lost: the next front reads on */
		[JOB_EVENT_FRONT_LOST] = STAY(RUNNING, HOLD),
		[JOB_EVENT_SHUTDOWN] = STAY(RUNNING, KILL),
		[JOB_EVENT_FORGET] = STAY(RUNNING, BUG),
	    },
	[JOB_DELIVERING] =
	    {
		[JOB_EVENT_START] = STAY(DELIVERING, REFUSE),
		[JOB_EVENT_ALIVE] = STAY(DELIVERING, ALIVE),
		[JOB_EVENT_HOLD] = STAY(DELIVERING, HOLD),
		[JOB_EVENT_DELIVERING] = STAY(DELIVERING, REFUSE),
		[JOB_EVENT_CANCEL] = STAY(DELIVERING, KILL),
		[JOB_EVENT_DELIVERED] = STAY(DELIVERING, REFUSE),
		[JOB_EVENT_VERDICT] = STAY(DELIVERING, REFUSE),
		[JOB_EVENT_SLOT] = STAY(DELIVERING, BUG),
		[JOB_EVENT_NO_WORKER] = STAY(DELIVERING, IGNORE),
		[JOB_EVENT_REAPED] = TO(ENDED, END),
		[JOB_EVENT_UNREAPED] = TO(ENDED, END),
		[JOB_EVENT_TICKET] = STAY(DELIVERING, BUG),
		[JOB_EVENT_DEADLINE] = STAY(DELIVERING, KILL),
		[JOB_EVENT_STALL] = STAY(DELIVERING, KILL),
		[JOB_EVENT_LEASE_GONE] = STAY(DELIVERING, KILL),
		/* what the old front has read nobody can read again */
		[JOB_EVENT_FRONT_LOST] = STAY(DELIVERING, KILL),
		[JOB_EVENT_SHUTDOWN] = STAY(DELIVERING, KILL),
		[JOB_EVENT_FORGET] = STAY(DELIVERING, BUG),
	    },
	[JOB_ENDED] =
	    {
		/* the front may not have read the obituary yet */
		[JOB_EVENT_START] = STAY(ENDED, IGNORE),
		[JOB_EVENT_ALIVE] = STAY(ENDED, IGNORE),
		[JOB_EVENT_HOLD] = STAY(ENDED, IGNORE),
		[JOB_EVENT_DELIVERING] = STAY(ENDED, IGNORE),
		[JOB_EVENT_CANCEL] = STAY(ENDED, IGNORE),
		[JOB_EVENT_DELIVERED] = TO(ENDED, FORGET),
		[JOB_EVENT_VERDICT] = STAY(ENDED, TALLY),
		[JOB_EVENT_SLOT] = STAY(ENDED, BUG),
		[JOB_EVENT_NO_WORKER] = STAY(ENDED, IGNORE),
		[JOB_EVENT_REAPED] = STAY(ENDED, BUG),
		[JOB_EVENT_UNREAPED] = STAY(ENDED, BUG),
		[JOB_EVENT_TICKET] = STAY(ENDED, BUG),
		[JOB_EVENT_DEADLINE] = STAY(ENDED, BUG),
		[JOB_EVENT_STALL] = STAY(ENDED, BUG),
		[JOB_EVENT_LEASE_GONE] = STAY(ENDED, BUG),
		[JOB_EVENT_FRONT_LOST] = STAY(ENDED, LOSE),
		[JOB_EVENT_SHUTDOWN] = STAY(ENDED, IGNORE),
		[JOB_EVENT_FORGET] = TO(ENDED, FORGET),
	    },
};

struct job_step
job_step(enum job_state state, enum job_event event)
{
	BUG_ON((unsigned)state >= JOB_STATE_COUNT ||
	       (unsigned)event >= JOB_EVENT_COUNT);
	return steps[state][event];
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
