/*
 * `submit`: extracts files and prints what comes of them, in order.
 */
#include <stdio.h>
#include <unistd.h>

#include "client/commands.h"
#include "client/complain.h"
#include "client/flight.h"
#include "client/interrupt.h"
#include "client/leave.h"
#include "client/own_error.h"
#include "client/progress_line.h"
#include "client/submit_options.h"

#define ROWS_FOR_PEOPLE 25

struct submit {
	struct submit_options options;
	struct inputs inputs;
	struct printer printer;
	size_t failed;
	int status; /* of the last failure */
};

static void
print_failure(struct submit *job, struct span name, const struct value *error)
{
	struct error_view view;

	error_view(error, &view);
	job->failed++;
	job->status = status_exit_code(view.status, view.limit);
	printer_error(&job->printer, name, error);
}

static void
print_own_failure(struct submit *job, const struct own_error *error)
{
	struct envelope envelope;

	own_error(error, &envelope);
	print_failure(job, error->name, envelope.body);
	envelope_free(&envelope);
}

/* Files of a folder that are no profiles are left out without a word. */
static bool
leave_out(struct submit *job, const struct submission *s)
{
	struct error_view view;

	if (s->input->folder == 0 || s->reply.type != ENVELOPE_ERROR)
		return false;
	error_view(s->reply.body, &view);
	if (view.status != ST_UNSUPPORTED_FORMAT &&
	    view.status != ST_EMPTY_INPUT)
		return false;
	job->inputs.folders[s->input->folder - 1].left_out++;
	return true;
}

/* After the last file of a folder. */
static void
print_folder(struct submit *job, const struct folder *folder)
{
	struct own_error error = {
	    .status = ST_UNSUPPORTED_FORMAT,
	    .reason = RE_UNRECOGNIZED_LAYOUT,
	    .message = "no file in this folder is a profile that is read",
	    .name = span_str(folder->name),
	    .action = "convert",
	    .text = "`extract-client formats` lists what is read.",
	};

	if (folder->left_out == folder->files)
		print_own_failure(job, &error);
	else if (folder->left_out > 0 && !job->options.quiet)
		complain("%s: %zu of %zu files left out: not profiles that "
			 "are read",
			 folder->name, folder->left_out, folder->files);
}

static void
print_result(struct submit *job, const struct submission *s)
{
	struct own_error error = {.status = ST_INVALID_REQUEST,
				  .reason = RE_BAD_VALUE,
				  .name = span_str(s->input->name)};

	if (!printer_result(&job->printer, s->reply.body, &error.message))
		print_own_failure(job, &error);
}

static void
print_one(struct submit *job, const struct submission *s)
{
	const struct input *next = s->input + 1;
	size_t folder = s->input->folder;
	bool last = next == job->inputs.list + job->inputs.len ||
		    next->folder != folder;

	if (!leave_out(job, s)) {
		if (s->reply.type == ENVELOPE_RESULT)
			print_result(job, s);
		else if (s->reply.type == ENVELOPE_ACCEPTED)
			printer_job(&job->printer, s->job,
				    span_str(s->input->name));
		else
			print_failure(job, span_str(s->input->name),
				      s->reply.body);
	}
	if (folder != 0 && last)
		print_folder(job, &job->inputs.folders[folder - 1]);
}

/*
 * More rows are asked for than a table lists, so that the shares above it are
 * nearly always exact. Naming no number brings the service's usual one.
 */
static void
settle_table_rows(struct submit *job)
{
	struct wishes *wishes = &job->options.wishes;
	bool capped = wishes->has_limit[LIMIT_MAX_ROWS];

	if (job->printer.output != OUTPUT_TABLE)
		return;
	job->printer.table.rows =
	    wishes->has_rows ? wishes->rows : ROWS_FOR_PEOPLE;
	if (!capped && wishes->rows <= limit_default(LIMIT_MAX_ROWS))
		wishes->has_rows = false;
}

static void
print_all(struct submit *job, struct contact *service)
{
	struct flight flight;
	struct submission *s;

	if (!job->options.wishes.detach)
		settle_table_rows(job);
	progress_line_enable(!job->options.quiet && isatty(STDERR_FILENO));
	flight_init(&flight, service, &job->inputs, &job->options.wishes);
	while (outfile_good(&job->printer.file) &&
	       (s = flight_next(&flight)) != NULL)
		print_one(job, s);
	progress_line_clear();
	if (service != NULL)
		flight_cancel(&flight);
	flight_free(&flight);
}

static bool
any_to_send(const struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->len; i++)
		if (!inputs->list[i].failed)
			return true;
	return false;
}

/* The service is needed only when there is something to send. */
static int
extract(struct submit *job)
{
	struct contact service;
	bool needed = any_to_send(&job->inputs);
	int status = LEAVE_OK;

	if (needed)
		status = contact_open(&service, job->options.endpoint,
				      job->options.need);
	if (status != LEAVE_OK)
		return status;
	print_all(job, needed ? &service : NULL);
	if (needed)
		contact_close(&service);
	if (job->failed == 0)
		return LEAVE_OK;
	return job->inputs.several ? LEAVE_SOME_FAILED : job->status;
}

int
cmd_submit(int argc, char **argv, int *signal_out)
{
	struct submit job = {0};
	int status, closed;

	if (!submit_options_read(&job.options, argc, argv, &status))
		return status;
	inputs_init(&job.inputs);
	for (size_t i = 0; i < job.options.operands_len; i++)
		if (interrupt_caught() == 0)
			inputs_add(&job.inputs, job.options.operands[i]);
	status = LEAVE_OK;
	if (interrupt_caught() == 0)
		status = printer_open(&job.printer, &job.options.print,
				      job.inputs.several);
	if (status == LEAVE_OK && interrupt_caught() == 0) {
		status = extract(&job);
		closed = printer_close(&job.printer, interrupt_caught() == 0,
				       signal_out);
		if (closed != LEAVE_OK)
			status = closed;
	}
	inputs_free(&job.inputs);
	submit_options_free(&job.options);
	return status;
}
