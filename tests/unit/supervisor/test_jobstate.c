/*
 * The table of a job's states, held to its rules.
 */
#include <criterion/criterion.h>

#include "broker/supervisor/jobstate.h"

#define EACH_CELL(state, event)                                    \
	for (unsigned state = 0; state < JOB_STATE_COUNT; state++) \
		for (unsigned event = 0; event < JOB_EVENT_COUNT; event++)

static struct job_step
step(unsigned state, unsigned event)
{
	return job_step((enum job_state)state, (enum job_event)event);
}

Test(jobstate, no_event_leads_back_to_an_earlier_state)
{
	EACH_CELL(state, event)
		cr_assert_geq(step(state, event).next, state, "%u x %u", state,
			      event);
}

Test(jobstate, each_change_of_state_has_its_action)
{
	static const enum job_action into[JOB_STATE_COUNT] = {
	    [JOB_QUEUED] = JOB_WAIT,
	    [JOB_RUNNING] = JOB_RUN,
	    [JOB_DELIVERING] = JOB_ALIVE,
	    [JOB_ENDED] = JOB_END,
	};

	EACH_CELL(state, event) {
		struct job_step s = step(state, event);

		if (s.next != state)
			cr_assert_eq(s.action, into[s.next], "%u x %u", state,
				     event);
		else
			cr_assert_neq(s.action, JOB_END, "%u x %u", state,
				      event);
	}
}

Test(jobstate, the_front_cannot_make_us_wrong_about_ourselves)
{
	for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
		for (unsigned event = JOB_EVENT_START;
		     event <= JOB_EVENT_VERDICT; event++)
			cr_assert_neq(step(state, event).action, JOB_BUG,
				      "%u x %u", state, event);
}

Test(jobstate, only_the_front_is_refused)
{
	for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
		for (unsigned event = JOB_EVENT_SLOT; event < JOB_EVENT_COUNT;
		     event++)
			cr_assert_neq(step(state, event).action, JOB_REFUSE,
				      "%u x %u", state, event);
}

Test(jobstate, a_worker_is_killed_only_where_there_is_one)
{
	EACH_CELL(state, event)
		if (step(state, event).action == JOB_KILL)
			cr_assert(state == JOB_RUNNING ||
				  state == JOB_DELIVERING);
}

Test(jobstate, every_job_can_be_cancelled_and_shut_down)
{
	for (unsigned state = 0; state < JOB_ENDED; state++) {
		static const unsigned events[] = {JOB_EVENT_CANCEL,
						  JOB_EVENT_SHUTDOWN};

		for (unsigned i = 0; i < 2; i++) {
			enum job_action action = step(state, events[i]).action;

			cr_assert(action == JOB_END || action == JOB_KILL);
		}
	}
}

Test(jobstate, an_ended_job_ignores_what_crossed_with_its_end)
{
	for (unsigned event = JOB_EVENT_START; event < JOB_EVENT_DELIVERED;
	     event++)
		cr_assert_eq(step(JOB_ENDED, event).action, JOB_IGNORE);
	cr_assert_eq(step(JOB_ENDED, JOB_EVENT_DELIVERED).action, JOB_FORGET);
}

Test(jobstate, a_lost_front_costs_only_what_it_had_begun_to_read)
{
	cr_assert_eq(step(JOB_ADMITTED, JOB_EVENT_FRONT_LOST).action,
		     JOB_IGNORE);
	cr_assert_eq(step(JOB_QUEUED, JOB_EVENT_FRONT_LOST).action, JOB_IGNORE);
	cr_assert_eq(step(JOB_RUNNING, JOB_EVENT_FRONT_LOST).action, JOB_HOLD);
	cr_assert_eq(step(JOB_DELIVERING, JOB_EVENT_FRONT_LOST).action,
		     JOB_KILL);
	cr_assert_eq(step(JOB_ENDED, JOB_EVENT_FRONT_LOST).action, JOB_LOSE);
}

Test(jobstate, states_have_names)
{
	for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
		cr_assert_gt(strlen(job_state_name((enum job_state)state)), 0);
}
