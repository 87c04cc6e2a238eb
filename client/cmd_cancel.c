/*
 * `cancel`: stops a job of the running service. The service's "ok" does not
 * tell whether anything was left to stop, so the list of jobs is asked first.
 */
#include <stdio.h>

#include "client/commands.h"
#include "client/plain_ask.h"

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
	if (ended) {
		printf("%s had ended already\n", plain.job);
		return status;
	}
	if (!plain_ask(&plain, "cancel", ENVELOPE_OK, &status))
		return status;
	printf("%s cancelled\n", plain.job);
	envelope_free(&plain.reply);
	return status;
}
