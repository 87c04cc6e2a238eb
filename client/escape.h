/*
 * Hostile text made safe for a terminal. Names in a profile, and file names,
 * may hold anything; what could move the cursor, reorder or hide text is
 * shown as \u{hex} instead.
 */
#ifndef CLIENT_ESCAPE_H
#define CLIENT_ESCAPE_H

#include <stdio.h>

#include "client/strbuf.h"
#include "proto/span.h"

#define ESCAPE_NAME_CHARS 120  /* longer names are cut */
#define ESCAPE_TEXT_CHARS 1000 /* messages and commands */

/* Appends the text with at most max_chars of its characters, then "…" when
 * there were more. Invalid UTF-8 becomes U+FFFD. */
void escape_put(struct strbuf *sb, struct span text, size_t max_chars);

/* Columns of a terminal that escaped text takes. */
size_t escape_width(struct span safe);

/* Append escaped text within `width` columns; what is cut is replaced by "…",
 * at the end or at the beginning. Return the columns used. */
size_t escape_fit(struct strbuf *sb, struct span safe, size_t width);
size_t escape_fit_tail(struct strbuf *sb, struct span safe, size_t width);

/* Prints text, line by line, each behind a prefix. */
void escape_lines(FILE *file, struct span text, const char *prefix);

#endif
