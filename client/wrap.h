/*
 * Lines of words within a width.
 */
#ifndef CLIENT_WRAP_H
#define CLIENT_WRAP_H

#include "client/strbuf.h"

/* Appends escaped text as lines that end before column `width`, broken at
 * spaces. The first begins at column `indent`, where the caller stands, the
 * others are indented to there. A word that is too long for a line is cut.
 * Runs of spaces inside a line are kept. */
void wrap_put(struct strbuf *sb, struct span safe, size_t indent, size_t width);

/* The same from column 0, with all but the first line indented. */
void wrap_hang(struct strbuf *sb, struct span safe, size_t indent,
	       size_t width);

/* The same for items with two spaces between them, which are kept whole. */
void wrap_items(struct strbuf *sb, struct span safe, size_t indent,
		size_t width);

#endif
