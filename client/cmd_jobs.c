/*
 * `jobs`: those the service knows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "client/commands.h"
#include "client/complain.h"
#include "client/escape.h"
#include "client/grid.h"
#include "client/plain_ask.h"
#include "client/quantity.h"
#include "client/terminal.h"

static const struct option_spec options[] = {
    PLAIN_FLAG_JSON,
    PLAIN_FLAG_ENDPOINT,
};

static const struct command_spec spec = {
    .name = "jobs",
    .operands = "",
    .about = "Lists the jobs that the running service knows: queued, "
	     "running, and those whose\nresult is still kept.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client jobs\n"
		"  extract-client jobs --json | jq -r '.jobs[].job'\n",
};

/* null before a job has ended, and for the class of a job that an earlier
 * front had taken in. */
static void
put_word(struct grid *grid, const struct value *word)
{
	struct strbuf *cell = grid_cell(grid);

	escape_put(cell, value_text(word), ESCAPE_NAME_CHARS);
	if (cell->len == 0)
		strbuf_puts(cell, "-");
}

static void
put_row(struct grid *grid, const struct value *job)
{
	uint64_t total = value_number(value_get(job, "total"));
	struct strbuf *cell;

	escape_put(grid_cell(grid), value_text(value_get(job, "job")),
		   ESCAPE_NAME_CHARS);
	escape_put(grid_cell(grid), value_text(value_get(job, "state")),
		   ESCAPE_NAME_CHARS);
	put_word(grid, value_get(job, "class"));
	put_word(grid, value_get(job, "outcome"));
	strbuf_printf(grid_cell(grid), "%.1f s",
		      (double)value_number(value_get(job, "elapsed_ms")) /
			  1000.0);
	cell = grid_cell(grid);
	quantity_bytes(cell, value_number(value_get(job, "bytes")));
	cell = grid_cell(grid);
	if (total > 0)
		quantity_bytes(cell, total);
	else
		strbuf_puts(cell, "-");
	escape_put(grid_cell(grid), value_text(value_get(job, "name")),
		   ESCAPE_NAME_CHARS);
}

static void
render(struct strbuf *sb, const struct value *list)
{
	struct grid grid = {.columns = 8, .right = 1u << 4 | 1u << 5 | 1u << 6};
	static const char *const titles[] = {"JOB",	"STATE", "CLASS",
					     "OUTCOME", "TIME",	 "READ",
					     "OF",	"NAME"};

	for (size_t i = 0; i < 8; i++)
		strbuf_puts(grid_cell(&grid), titles[i]);
	for (const struct value *v = list->first; v != NULL; v = v->next)
		put_row(&grid, v);
	grid_render(sb, &grid, terminal_width(STDOUT_FILENO));
	grid_free(&grid);
}

/* What a service that knows very many did not list. */
static void
note_left_out(const struct value *reply)
{
	uint64_t left_out = value_number(value_get(reply, "left_out"));

	if (left_out > 0)
		complain("%" PRIu64 " more are not listed", left_out);
}

int
cmd_jobs(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	struct strbuf text = {0};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status) ||
	    !plain_ask(&plain, "jobs", ENVELOPE_JOBS, &status))
		return status;
	if (plain.json)
		plain_print_json(plain.reply.body, "jobs");
	else if (plain.reply.body->first == NULL)
		fprintf(stderr, "no jobs\n");
	else
		render(&text, plain.reply.body);
	plain_print(&text);
	note_left_out(plain.reply.doc.root);
	envelope_free(&plain.reply);
	return status;
}
