/*
 * `formats`: what the service reads.
 */
#include <inttypes.h>
#include <unistd.h>

#include "client/commands.h"
#include "client/escape.h"
#include "client/grid.h"
#include "client/plain_ask.h"
#include "client/terminal.h"

static const struct option_spec options[] = {
    PLAIN_FLAG_JSON,
    PLAIN_FLAG_ENDPOINT,
    PLAIN_FLAG_EMBEDDED,
};

static const struct command_spec spec = {
    .name = "formats",
    .operands = "",
    .about = "Lists the formats that are read. Each may be compressed "
	     "with gzip or zstd. A file's\nformat is told by its content, "
	     "never by its name.",
    .options = options,
    .options_len = sizeof(options) / sizeof(options[0]),
    .examples = "  extract-client formats\n"
		"  extract-client formats --json | "
		"jq -r '.formats[].name'\n",
};

static void
put_row(struct grid *grid, const struct value *format)
{
	const struct value *extractor = value_get(format, "extractor");
	struct strbuf *cell = grid_cell(grid);

	escape_put(cell, value_text(value_get(format, "name")),
		   ESCAPE_NAME_CHARS);
	escape_put(grid_cell(grid), value_text(value_get(format, "kind")),
		   ESCAPE_NAME_CHARS);
	cell = grid_cell(grid);
	escape_put(cell, value_text(value_get(extractor, "name")),
		   ESCAPE_NAME_CHARS);
	strbuf_printf(cell, " %" PRIu64,
		      value_number(value_get(extractor, "version")));
	escape_put(grid_cell(grid),
		   value_text(value_get(format, "description")),
		   ESCAPE_TEXT_CHARS);
}

static void
render(struct strbuf *sb, const struct value *list)
{
	struct grid grid = {.columns = 4};

	strbuf_puts(grid_cell(&grid), "FORMAT");
	strbuf_puts(grid_cell(&grid), "KIND");
	strbuf_puts(grid_cell(&grid), "EXTRACTOR");
	strbuf_puts(grid_cell(&grid), "WHAT IT IS");
	for (const struct value *v = list->first; v != NULL; v = v->next)
		put_row(&grid, v);
	grid_render(sb, &grid, terminal_width(STDOUT_FILENO));
	grid_free(&grid);
}

int
cmd_formats(int argc, char **argv, int *signal_out)
{
	struct plain plain = {.spec = &spec, .need = CONTACT_ANY};
	struct strbuf text = {0};
	int status;

	(void)signal_out;
	if (!plain_read(&plain, argc, argv, false, &status) ||
	    !plain_ask(&plain, "formats", ENVELOPE_FORMATS, &status))
		return status;
	if (plain.json) {
		plain_print_json(plain.reply.body, "formats");
	} else {
		render(&text, plain.reply.body);
		plain_print(&text);
	}
	envelope_free(&plain.reply);
	return status;
}
