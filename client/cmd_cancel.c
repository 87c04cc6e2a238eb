/*
 * `cancel`: stops a job of the running service. The service's "ok" does not
 * tell whether anything was left to stop: the list of jobs, asked first, tells
 * of one that had ended, and the job's own end whether it came first.
 */
#include <stdio.h>

#include "client/asking.h"
#include "client/complain.h"
#include "client/interrupt.h"
#include "client/leave.h"
#include "client/ticks.h"

#include "client/commands.h"
#include "client/plain_ask.h"

#define ASK_AGAIN_MS 2000
#define GIVE_UP_MS 10000

static const struct option_spec options[] = {
    PLAIN_FLAG_ENDPOINT,
};

static const struct command_spec spec = {
    .name = "cancel",
    .operands = "JOB",
    .about = "Stops a job; whoever waits for it is told CANCELLED.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client jobs\n"
		"  extract-client cancel j-0123456789abcdef\n",
};

/* *ended_out tells whether there is nothing to stop. False, said, when the
 * service cannot be asked. */
static bool
ask_ended(const struct plain *plain, bool *ended_out, int *status_out)
{
	struct plain jobs = *plain;

	jobs.job = NULL;
	*ended_out = false;
	if (!plain_ask(&jobs, "jobs", ENVELOPE_JOBS, status_out))
		return false;
	for (const struct value *v = jobs.reply.body->first; v != NULL;
	     v = v->next)
		if (span_is(value_text(value_get(v, "job")), plain->job))
			*ended_out =
			    span_is(value_text(value_get(v, "state")), "ended");
	envelope_free(&jobs.reply);
	return true;
}

/* Both in one go: once it has ended, the job may be forgotten any time. */
static void
send_both(struct contact *service, const char *job)
{
	struct strbuf request = {0};

	asking_job(&request, "cancel", "cancel", job);
	(void)connection_send(&service->connection, strbuf_span(&request));
	strbuf_free(&request);
	asking_result(&request, "end", job, true, false);
	(void)connection_send(&service->connection, strbuf_span(&request));
	strbuf_free(&request);
}

/* Cancels, and waits for the reply that tells how the job ended. False, said,
 * when none comes; unsaid, at a signal. */
static bool
cancel(struct contact *service, const char *job, struct envelope *end_out)
{
	uint64_t start = ticks_ms();

	while (interrupt_caught() == 0) {
		if (ticks_ms() - start >= GIVE_UP_MS ||
		    !contact_lives(service)) {
			complain("the service does not answer any more");
			return false;
		}
		send_both(service, job);
		if (!connection_wait(&service->connection, -1, ASK_AGAIN_MS))
			continue;
		do {
			while (
			    connection_receive(&service->connection, end_out)) {
				if (span_is(end_out->id, "end"))
					return true;
				envelope_free(end_out);
			}
		} while (
		    connection_wait(&service->connection, -1, ASK_AGAIN_MS));
	}
	return false;
}

static int
tell(const char *job, const struct envelope *end)
{
	struct error_view view = {.status = ST_OK};

	if (end->type == ENVELOPE_ERROR)
		error_view(end->body, &view);
	if (view.status == ST_RESULT_EXPIRED || view.status == ST_BUSY) {
		complain_error(span_str(job), end->body);
		return status_exit_code(view.status, view.limit);
	}
	if (view.status == ST_CANCELLED)
		printf("%s cancelled\n", job);
	else
		printf("%s had ended already\n", job);
	return LEAVE_OK;
}

static int
stop(const struct plain *plain)
{
	struct contact service;
	struct envelope end;
	int status = contact_open(&service, plain->endpoint, plain->need);

	if (status != LEAVE_OK)
		return status;
	status = LEAVE_OUT_OF_REACH;
	if (cancel(&service, plain->job, &end)) {
		status = tell(plain->job, &end);
		envelope_free(&end);
	}
	contact_close(&service);
	return status;
}

int
cmd_cancel(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	bool ended;
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, true, &status) ||
	    !ask_ended(&plain, &ended, &status))
		return status;
	if (!ended)
		return stop(&plain);
	printf("%s had ended already\n", plain.job);
	return LEAVE_OK;
}
