/*
 * What a descriptor's terminal is like.
 */
#ifndef CLIENT_TERMINAL_H
#define CLIENT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum color {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* Columns: the terminal's own, else COLUMNS, else 100. At least 20. */
size_t terminal_width(int fd);

/* Whether to colour what is written to fd. NO_COLOR decides over AUTO. */
bool terminal_color(int fd, enum color color);

#endif
