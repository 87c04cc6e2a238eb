/*
 * The line on a terminal's stderr that says how far long work is.
 */
#ifndef CLIENT_PROGRESS_LINE_H
#define CLIENT_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/document.h"
#include "client/strbuf.h"

/* What a job last said of itself. */
struct progress_view {
	bool known;
	struct span name; /* borrowed: the input's */
	char phase[16];	  /* "reading", or the state: "queued" */
	uint64_t bytes, total, nodes, samples;
	uint64_t elapsed_ms;
};

/* Reads a progress reply. */
void progress_view_read(struct progress_view *view, const struct value *body);

/* The line for one job, or, when several are on their way, with `done` of
 * `count` in front; within `width` columns. */
void progress_line_render(struct strbuf *sb, const struct progress_view *view,
			  size_t done, size_t count, size_t width);

/* Shows it in place of the last one, at most five times a second and not in
 * the first half second; does nothing unless enabled. */
void progress_line_enable(bool on);
void progress_line_show(const struct progress_view *view, size_t done,
			size_t count);
void progress_line_clear(void);

#endif
