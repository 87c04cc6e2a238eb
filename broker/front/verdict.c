/*
 *                       obituary OK      obituary of a death
 *   DONE                result           result
 *   FAILED              its failure      its failure
 *   a breach            BAD_REPLY        BAD_REPLY
 *   no whole answer     no_answer        the obituary's status
 *
 * Of an adopted job, no_answer and bad_order are FRONT_LOST.
 */
#include "broker/front/verdict.h"

#include <string.h>

/* The signal's name, which is what people search for. */
static void
say_signal(struct failure *f)
{
	const char *name = sigabbrev_np(f->signal);

	if (f->signal > 0)
		failure_say(f, "%s (signal %d, SIG%s)", status_text(f->status),
			    f->signal, name == NULL ? "?" : name);
}

static void
failure_of_obituary(const struct obituary_record *o, struct failure *f)
{
	failure_init(f, o->status, o->reason);
	f->signal = o->signal;
	f->limit = o->limit;
	f->actual = o->actual;
	f->max = o->max;
	if (o->status == ST_WORKER_CRASHED || o->status == ST_WORKER_KILLED)
		say_signal(f);
}

/* An earlier front had begun to read: all of the answer, or the head without
 * which the rest is out of turn. */
static bool
went_with_a_front(const struct witnesses *w)
{
	if (w->relay->state == RELAY_BROKEN)
		return w->adopted && w->relay->breach == RE_BAD_ORDER;
	return w->adopted && w->obituary->status == ST_OK;
}

enum verdict
verdict_reach(const struct witnesses *w, struct failure *failure_out)
{
	if (!w->channel_over || !w->has_obituary)
		return VERDICT_OPEN;
	if (w->relay->state == RELAY_DONE)
		return VERDICT_RESULT;
	if (w->relay->state == RELAY_FAILED)
		*failure_out = w->relay->failure;
	else if (went_with_a_front(w))
		failure_init(failure_out, ST_FRONT_LOST, RE_NONE);
	else if (w->relay->state == RELAY_BROKEN)
		failure_init(failure_out, ST_BAD_REPLY, w->relay->breach);
	else if (w->obituary->status != ST_OK)
		failure_of_obituary(w->obituary, failure_out);
	else
		failure_init(failure_out, ST_BAD_REPLY, RE_NO_ANSWER);
	return VERDICT_FAILURE;
}
