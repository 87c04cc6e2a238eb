/*
 * All columns but the last are as wide as their widest cell.
 */
#include "client/grid.h"

#include <stdlib.h>

#include "client/escape.h"
#include "client/grab.h"
#include "client/wrap.h"
#include "proto/bug.h"

#define GAP 2
#define LAST_MIN 16

struct strbuf *
grid_cell(struct grid *grid)
{
	BUG_ON(grid->columns == 0 || grid->columns > GRID_COLUMNS_MAX);
	grid->cells =
	    grab_more(grid->cells, grid->len + 1, sizeof(*grid->cells));
	grid->cells[grid->len] = (struct strbuf){0};
	return &grid->cells[grid->len++];
}

static void
measure(const struct grid *grid, size_t widths[GRID_COLUMNS_MAX])
{
	for (size_t i = 0; i < grid->len; i++) {
		size_t column = i % grid->columns;
		size_t w = escape_width(strbuf_span(&grid->cells[i]));

		if (w > widths[column])
			widths[column] = w;
	}
}

static void
put_cell(struct strbuf *sb, struct span text, size_t width, bool right)
{
	size_t pad = width - escape_width(text);

	if (right)
		strbuf_pad(sb, pad);
	strbuf_put(sb, text);
	strbuf_pad(sb, GAP + (right ? 0 : pad));
}

void
grid_render(struct strbuf *sb, const struct grid *grid, size_t width)
{
	size_t widths[GRID_COLUMNS_MAX] = {0}, indent = 0, room;
	unsigned last = grid->columns - 1;

	measure(grid, widths);
	for (unsigned c = 0; c < last; c++)
		indent += widths[c] + GAP;
	room = width > indent + LAST_MIN ? width - indent : LAST_MIN;
	for (size_t i = 0; i < grid->len; i++) {
		size_t column = i % grid->columns;
		struct span text = strbuf_span(&grid->cells[i]);

		if (column < last) {
			put_cell(sb, text, widths[column],
				 (grid->right >> column & 1) != 0);
			continue;
		}
		if (text.len == 0)
			strbuf_puts(sb, "\n");
		else
			wrap_put(sb, text, indent, indent + room);
	}
}

void
grid_free(struct grid *grid)
{
	for (size_t i = 0; i < grid->len; i++)
		strbuf_free(&grid->cells[i]);
	free(grid->cells);
	*grid = (struct grid){0};
}
