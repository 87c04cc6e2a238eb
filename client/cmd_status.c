/*
 * `status`: what the service is doing, for people, programs, probes and
 * metrics.
 */
#include <stdio.h>
#include <unistd.h>

#include "client/commands.h"
#include "client/leave.h"
#include "client/plain_ask.h"
#include "client/render_prometheus.h"
#include "client/status_table.h"
#include "client/terminal.h"
#include "proto/terms.h"

enum {
	FLAG_CHECK = PLAIN_OWN,
	FLAG_PROMETHEUS,
};

#define GIVEN(flag) (1u << ((flag)-PLAIN_OWN))

static const struct option_spec options[] = {
    PLAIN_FLAG_JSON,
    {FLAG_CHECK, 0, "check", NULL,
     "for probes: ok, or why not, on one line; exits with 0 or 7"},
    {FLAG_PROMETHEUS, 0, "prometheus", NULL,
     "metrics in Prometheus' text format, 0.0.4"},
    PLAIN_FLAG_ENDPOINT,
};

static const struct command_spec spec = {
    .name = "status",
    .operands = "",
    .about = "Prints what the running service is doing.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client status\n"
		"  extract-client status --json | jq .workers\n"
		"  extract-client status --check\n"
		"  extract-client status --prometheus\n",
};

/*
 * The required layers that are not in force. While no worker has been up, no
 * layer is listed as being in force, and nothing is known.
 */
static void
put_missing(struct strbuf *sb, const struct value *status)
{
	const struct value *missing = value_get(status, "sandbox_missing");

	if (value_get(status, "sandbox")->first == NULL)
		return;
	for (unsigned i = 0; i < SANDBOX_LAYER_COUNT; i++)
		for (const struct value *v = missing->first; v != NULL;
		     v = v->next)
			if (sandbox_layer_required((enum sandbox_layer)i) &&
			    span_is(value_text(v),
				    sandbox_layer_name((enum sandbox_layer)i)))
				strbuf_printf(sb, "%s%s",
					      sb->len > 0 ? ", " : "",
					      sandbox_layer_name(
						  (enum sandbox_layer)i));
}

static int
check(const struct value *status)
{
	const struct value *taking = value_get(status, "taking_jobs");
	bool takes = taking->type == VALUE_BOOL && taking->truth;
	struct strbuf missing = {0}, text = {0};
	bool whole;

	put_missing(&missing, status);
	whole = missing.len == 0;
	if (!whole) {
		strbuf_puts(&text, "required sandbox layers are missing: ");
		strbuf_put(&text, strbuf_span(&missing));
	} else {
		strbuf_puts(&text, takes ? "ok" : "the service takes no jobs");
	}
	strbuf_puts(&text, "\n");
	plain_print(&text);
	strbuf_free(&missing);
	return whole && takes ? LEAVE_OK : LEAVE_OUT_OF_REACH;
}

static int
print(const struct plain *plain)
{
	struct strbuf text = {0};

	if (plain->own & GIVEN(FLAG_CHECK))
		return check(plain->reply.body);
	if (plain->json) {
		plain_print_json(plain->reply.body, NULL);
		return LEAVE_OK;
	}
	if (plain->own & GIVEN(FLAG_PROMETHEUS))
		render_prometheus(&text, plain->reply.body);
	else
		status_table(&text, plain->reply.body,
			     terminal_width(STDOUT_FILENO));
	plain_print(&text);
	return LEAVE_OK;
}

/* No status came, and why was said. A probe and a scrape are answered all the
 * same, unless the command line is to blame. */
static int
print_absence(const struct plain *plain, int status)
{
	struct strbuf text = {0};

	if (status == LEAVE_USAGE)
		return status;
	if (plain->own & GIVEN(FLAG_PROMETHEUS))
		render_prometheus_down(&text);
	else if (plain->own & GIVEN(FLAG_CHECK))
		strbuf_puts(&text, "no service answers\n");
	plain_print(&text);
	return plain->own & GIVEN(FLAG_CHECK) ? LEAVE_OUT_OF_REACH : status;
}

int
cmd_status(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status))
		return status;
	if (plain.json + ((plain.own & GIVEN(FLAG_CHECK)) != 0) +
		((plain.own & GIVEN(FLAG_PROMETHEUS)) != 0) >
	    1)
		return arguments_refuse(&spec, "--json, --check and "
					       "--prometheus exclude each "
					       "other");
	if (!plain_ask(&plain, "status", ENVELOPE_STATUS, &status))
		return print_absence(&plain, status);
	status = print(&plain);
	envelope_free(&plain.reply);
	return status;
}
