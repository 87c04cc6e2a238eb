/*
 * `limits`: what one extraction may use, and how far that can be raised.
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
    PLAIN_FLAG_EMBEDDED,
};

static const struct command_spec spec = {
    .name = "limits",
    .operands = "",
    .about = "Lists the limits on one extraction: what holds unless "
	     "submit's --limit says\notherwise, and how far this service "
	     "lets it be raised.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client limits\n"
		"  extract-client submit --limit max_nodes=40M "
		"huge.cpuprofile\n",
};

static void
put_amount(struct strbuf *cell, const struct value *value, struct span unit)
{
	if (!value_is_number(value))
		strbuf_puts(cell, "-");
	else if (span_is(unit, "bytes"))
		quantity_bytes(cell, value_number(value));
	else
		strbuf_printf(cell, "%" PRIu64 "%s", value_number(value),
			      span_is(unit, "seconds") ? " s" : "");
}

static void
put_row(struct grid *grid, const struct value *limit)
{
	struct span unit = value_text(value_get(limit, "unit"));

	escape_put(grid_cell(grid), value_text(value_get(limit, "name")),
		   ESCAPE_NAME_CHARS);
	put_amount(grid_cell(grid), value_get(limit, "default"), unit);
	put_amount(grid_cell(grid), value_get(limit, "ceiling"), unit);
	escape_put(grid_cell(grid), value_text(value_get(limit, "reason")),
		   ESCAPE_TEXT_CHARS);
}

static void
render(struct strbuf *sb, const struct value *list)
{
	struct grid grid = {.columns = 4, .right = 1u << 1 | 1u << 2};

	strbuf_puts(grid_cell(&grid), "LIMIT");
	strbuf_puts(grid_cell(&grid), "DEFAULT");
	strbuf_puts(grid_cell(&grid), "CEILING");
	strbuf_puts(grid_cell(&grid), "WHY");
	for (const struct value *v = list->first; v != NULL; v = v->next)
		put_row(&grid, v);
	grid_render(sb, &grid, terminal_width(STDOUT_FILENO));
	grid_free(&grid);
}

int
cmd_limits(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_ANY};
	struct strbuf text = {0};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status) ||
	    !plain_ask(&plain, "limits", ENVELOPE_LIMITS, &status))
		return status;
	if (plain.json) {
		plain_print_json(plain.reply.body, "limits");
	} else {
		render(&text, plain.reply.body);
		plain_print(&text);
	}
	envelope_free(&plain.reply);
	return status;
}
