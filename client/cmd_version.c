/*
 * `version`: this client's, and the service's when one is in reach.
 */
#include <stdio.h>

#include "client/commands.h"
#include "client/complain.h"
#include "client/endpoint.h"
#include "client/escape.h"
#include "client/leave.h"
#include "client/plain_ask.h"

static const struct option_spec options[] = {
    PLAIN_FLAG_ENDPOINT,
    PLAIN_FLAG_EMBEDDED,
};

static const struct command_spec spec = {
    .name = "version",
    .operands = "",
    .about = "Prints the version of this client, and that of the service "
	     "when one is running.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client version\n",
};

static int
print_service(struct plain *plain)
{
	struct strbuf text = {0};
	int status;

	if (!plain_ask(plain, "version", ENVELOPE_VERSION, &status))
		return status;
	strbuf_puts(&text, "extractd ");
	escape_put(&text, value_text(value_get(plain->reply.body, "version")),
		   ESCAPE_NAME_CHARS);
	strbuf_puts(&text, "\n");
	plain_print(&text);
	envelope_free(&plain->reply);
	return status;
}

int
cmd_version(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	struct endpoint endpoint;
	const char *why;
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status))
		return status;
	printf("extract-client %s\n", EXTRACTD_VERSION);
	if (plain.need == CONTACT_RUNNING &&
	    endpoint_choose(plain.endpoint, &endpoint, &why) &&
	    endpoint.kind == ENDPOINT_NONE) {
		printf("no service is running\n");
		return LEAVE_OK;
	}
	fflush(stdout);
	return print_service(&plain);
}
