/*
 * `result`: prints what came of a job of the running service; with --wait
 * waits for it. The service is left to forget it in its own time, so that a
 * result that went astray can be fetched again.
 */
#include <stdio.h>
#include <unistd.h>

#include "client/asking.h"
#include "client/commands.h"
#include "client/complain.h"
#include "client/interrupt.h"
#include "client/leave.h"
#include "client/plain_ask.h"
#include "client/print_flags.h"
#include "client/progress_line.h"
#include "client/ticks.h"

#define ASK_AGAIN_MS 2000
#define GIVE_UP_MS 60000

enum {
	FLAG_ENDPOINT = 1,
	FLAG_QUIET,
	FLAG_WAIT,
};

static const struct option_spec options_table[] = {
    {FLAG_WAIT, 0, "wait", NULL, "wait for the job to end"},
    PRINT_FLAGS,
    {FLAG_ENDPOINT, 0, "endpoint", "URL",
     "the service: ipc:// and its socket's path"},
    {FLAG_QUIET, 'q', "quiet", NULL, "no progress"},
};

static const struct command_spec spec = {
    .name = "result",
    .operands = "JOB",
    .about = "Prints the result of a job that has ended. While it has not, "
	     "says so and exits with 7,\nor waits for it with --wait. A "
	     "result is kept, and can be fetched again, for the\nservice's "
	     "result_ttl_seconds.",
    .options = options_table,
    .options_len = sizeof(options_table) / sizeof(options_table[0]),
    .examples = "  extract-client result j-0123456789abcdef\n"
		"  extract-client result --wait $(extract-client submit "
		"--detach app.cpuprofile)\n"
		"  extract-client result --output csv -o rows.csv "
		"j-0123456789abcdef\n",
};

struct fetch {
	struct print_options print;
	const char *endpoint;
	const char *job;
	bool quiet;
	bool wait;
	struct contact service;
	struct printer printer;
};

static int
take(struct fetch *f, int id, const char *value)
{
	switch (id) {
	case FLAG_ENDPOINT:
		f->endpoint = value;
		return LEAVE_OK;
	case FLAG_QUIET:
		f->quiet = true;
		return LEAVE_OK;
	case FLAG_WAIT:
		f->wait = true;
		return LEAVE_OK;
	case ARGUMENT_OPERAND:
		if (f->job != NULL)
			return arguments_refuse(&spec, "too much: '%s'", value);
		if (!plain_is_job(value))
			return arguments_refuse(
			    &spec, "a job is j- and 16 hex digits, not '%s'",
			    value);
		f->job = value;
		return LEAVE_OK;
	case ARGUMENT_WRONG:
		return LEAVE_USAGE;
	default:
		return print_flags_take(&f->print, &spec, id, value);
	}
}

static bool
read_words(struct fetch *f, int argc, char **argv, int *status_out)
{
	struct arguments args;
	const char *value;
	int id;

	*status_out = LEAVE_OK;
	arguments_init(&args, &spec, argc, argv);
	while ((id = arguments_next(&args, &value)) != ARGUMENT_END) {
		if (id == ARGUMENT_HELP)
			return false;
		*status_out = take(f, id, value);
		if (*status_out != LEAVE_OK)
			return false;
	}
	if (f->job == NULL)
		*status_out = arguments_refuse(&spec, "result needs a job");
	return *status_out == LEAVE_OK;
}

static void
ask(struct fetch *f)
{
	struct strbuf request = {0};

	asking_result(&request, "result", f->job, f->wait, f->wait);
	(void)connection_send(&f->service.connection, strbuf_span(&request));
	strbuf_free(&request);
}

/* Whether this is all that will come. */
static bool
is_last(const struct fetch *f, const struct envelope *reply)
{
	return reply->type == ENVELOPE_RESULT ||
	       reply->type == ENVELOPE_ERROR ||
	       (reply->type == ENVELOPE_PENDING && !f->wait);
}

/* The final reply; false, said, when none comes, or at a signal. */
static bool
wait_for_end(struct fetch *f, struct envelope *reply_out)
{
	struct progress_view view = {.name = span_str(f->job)};
	uint64_t asked = 0, heard = ticks_ms();

	while (interrupt_caught() == 0) {
		uint64_t now = ticks_ms();

		if (now - heard >= GIVE_UP_MS ||
		    (now - heard >= ASK_AGAIN_MS &&
		     !contact_lives(&f->service))) {
			complain("the service does not answer any more");
			return false;
		}
		if (asked == 0 || now - asked >= ASK_AGAIN_MS) {
			ask(f);
			asked = now;
		}
		if (f->wait)
			progress_line_show(&view, 0, 1);
		(void)connection_wait(&f->service.connection, -1, ASK_AGAIN_MS);
		while (connection_receive(&f->service.connection, reply_out)) {
			heard = ticks_ms();
			if (is_last(f, reply_out))
				return true;
			if (reply_out->type == ENVELOPE_PROGRESS)
				progress_view_read(&view, reply_out->body);
			envelope_free(reply_out);
		}
	}
	return false;
}

static void
say_pending(const struct fetch *f, const struct envelope *reply)
{
	struct span state = value_text(value_get(reply->body, "state"));

	complain("%s: not ended yet (%.*s)", f->job, (int)state.len,
		 (const char *)state.data);
	fprintf(stderr,
		"  try: wait for it\n"
		"    $ extract-client result --wait %s\n",
		f->job);
}

static int
print(struct fetch *f, const struct envelope *reply)
{
	struct error_view view;
	const char *why = "";

	if (reply->type == ENVELOPE_RESULT) {
		if (printer_result(&f->printer, reply->body, &why))
			return LEAVE_OK;
		complain("%s", why);
		return LEAVE_FAULT;
	}
	if (reply->type == ENVELOPE_PENDING) {
		say_pending(f, reply);
		return LEAVE_OUT_OF_REACH;
	}
	error_view(reply->body, &view);
	printer_error(&f->printer, span_str(f->job), reply->body);
	return status_exit_code(view.status, view.limit);
}

static int
fetch(struct fetch *f, int *signal_out)
{
	struct envelope reply;
	int status, closed;

	status = printer_open(&f->printer, &f->print, false);
	if (status != LEAVE_OK)
		return status;
	progress_line_enable(!f->quiet && isatty(STDERR_FILENO));
	status = LEAVE_OUT_OF_REACH;
	if (wait_for_end(f, &reply)) {
		progress_line_clear();
		status = print(f, &reply);
		envelope_free(&reply);
	}
	progress_line_clear();
	closed =
	    printer_close(&f->printer, interrupt_caught() == 0, signal_out);
	return closed != LEAVE_OK ? closed : status;
}

int
cmd_result(int argc, char **argv, int *signal_out)
{
	struct fetch f = {0};
	int status;

	print_options_init(&f.print);
	if (!read_words(&f, argc, argv, &status))
		return status;
	status = contact_open(&f.service, f.endpoint, CONTACT_RUNNING);
	if (status != LEAVE_OK)
		return status;
	status = fetch(&f, signal_out);
	contact_close(&f.service);
	return status;
}
