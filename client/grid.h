/*
 * A small table of texts, aligned and fitted to a width.
 */
#ifndef CLIENT_GRID_H
#define CLIENT_GRID_H

#include <stddef.h>

#include "client/strbuf.h"

#define GRID_COLUMNS_MAX 8

struct grid {
	unsigned columns;
	unsigned right;	      /* bits of the columns that are right-aligned */
	struct strbuf *cells; /* owned: row after row */
	size_t len;
};

/* The next cell, in rows of `columns` cells; fill it with escaped text. */
struct strbuf *grid_cell(struct grid *grid);

/* The last column takes what is left of the width, and is wrapped in it. */
void grid_render(struct strbuf *sb, const struct grid *grid, size_t width);

void grid_free(struct grid *grid);

#endif
