/*
 * `cancel`: stops a job of the running service.
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

int
cmd_cancel(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, true, &status) ||
	    !plain_ask(&plain, "cancel", ENVELOPE_OK, &status))
		return status;
	printf("%s cancelled\n", plain.job);
	envelope_free(&plain.reply);
	return status;
}
