/*
 * `status`: what the service is doing.
 */
#include <inttypes.h>
#include <unistd.h>

#include "client/commands.h"
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
    .name = "status",
    .operands = "",
    .about = "Prints what the running service is doing.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client status\n"
		"  extract-client status --json | jq .workers\n",
};

/* "2 warm, 1 busy": the members of an object, in a fixed order. */
static void
put_counts(struct grid *grid, const struct value *status, const char *key,
	   const char *const *members)
{
	const struct value *object = value_get(status, key);
	struct strbuf *cell;

	strbuf_puts(grid_cell(grid), key);
	cell = grid_cell(grid);
	for (; *members != NULL; members++)
		strbuf_printf(cell, "%s%" PRIu64 " %s",
			      cell->len > 0 ? ", " : "",
			      value_number(value_get(object, *members)),
			      *members);
}

static void
put_list(struct grid *grid, const struct value *list, const char *title)
{
	struct strbuf *cell;

	if (list->first == NULL)
		return;
	strbuf_puts(grid_cell(grid), title);
	cell = grid_cell(grid);
	for (const struct value *v = list->first; v != NULL; v = v->next) {
		strbuf_puts(cell, cell->len > 0 ? ", " : "");
		escape_put(cell, value_text(v), ESCAPE_NAME_CHARS);
	}
}

static void
put_uptime(struct strbuf *cell, uint64_t ms)
{
	uint64_t s = ms / 1000;

	if (s >= 86400)
		strbuf_printf(cell, "%" PRIu64 " days ", s / 86400);
	if (s >= 3600)
		strbuf_printf(cell, "%" PRIu64 " h ", s / 3600 % 24);
	if (s >= 60)
		strbuf_printf(cell, "%" PRIu64 " min ", s / 60 % 60);
	strbuf_printf(cell, "%" PRIu64 " s", s % 60);
}

static void
put_head(struct grid *grid, const struct value *status)
{
	struct strbuf *cell;

	strbuf_puts(grid_cell(grid), "version");
	escape_put(grid_cell(grid), value_text(value_get(status, "version")),
		   ESCAPE_NAME_CHARS);
	strbuf_puts(grid_cell(grid), "endpoint");
	escape_put(grid_cell(grid), value_text(value_get(status, "endpoint")),
		   ESCAPE_TEXT_CHARS);
	strbuf_puts(grid_cell(grid), "uptime");
	cell = grid_cell(grid);
	put_uptime(cell, value_number(value_get(status, "uptime_ms")));
}

static void
render(struct strbuf *sb, const struct value *status)
{
	static const char *const workers[] = {"max",  "warm",  "starting",
					      "busy", "stuck", NULL};
	static const char *const queue[] = {"max", "admitted", "queued", NULL};
	static const char *const jobs[] = {"accepted", "refused", "ended",
					   NULL};
	static const char *const deaths[] = {"killed", "crashed",
					     "failed_start", NULL};
	const struct value *memory = value_get(status, "memory");
	struct grid grid = {.columns = 2};
	struct strbuf *cell;

	put_head(&grid, status);
	put_counts(&grid, status, "workers", workers);
	put_counts(&grid, status, "queue", queue);
	strbuf_puts(grid_cell(&grid), "memory");
	cell = grid_cell(&grid);
	quantity_bytes(cell, value_number(value_get(memory, "used_bytes")));
	strbuf_puts(cell, " of ");
	quantity_bytes(cell, value_number(value_get(memory, "total_bytes")));
	put_counts(&grid, status, "jobs", jobs);
	put_counts(&grid, status, "deaths", deaths);
	strbuf_puts(grid_cell(&grid), "front");
	strbuf_printf(grid_cell(&grid), "%" PRIu64 " restarts",
		      value_number(value_get(status, "front_restarts")));
	put_list(&grid, value_get(status, "sandbox"), "sandbox");
	put_list(&grid, value_get(status, "sandbox_missing"), "missing");
	grid_render(sb, &grid, terminal_width(STDOUT_FILENO));
	grid_free(&grid);
}

int
cmd_status(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_RUNNING};
	struct strbuf text = {0};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status) ||
	    !plain_ask(&plain, "status", ENVELOPE_STATUS, &status))
		return status;
	if (plain.json) {
		plain_print_json(plain.reply.body, NULL);
	} else {
		render(&text, plain.reply.body);
		plain_print(&text);
	}
	envelope_free(&plain.reply);
	return status;
}
