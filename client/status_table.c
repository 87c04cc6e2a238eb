/*
 * One line a subject: its name, and what there is to say about it.
 */
#include "client/status_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client/escape.h"
#include "client/grid.h"
#include "client/quantity.h"

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

/* Fewer workers than asked for, since their memory would not fit. */
static void
put_wanted(struct grid *grid, const struct value *workers)
{
	uint64_t wanted = value_number(value_get(workers, "wanted"));

	if (wanted > value_number(value_get(workers, "max")))
		strbuf_printf(&grid->cells[grid->len - 1],
			      "; %" PRIu64 " were asked for", wanted);
}

/* "2 crashed, 1 cpu_seconds": what an object counts, but for zeros. */
static void
put_nonzero(struct grid *grid, const struct value *object, const char *title)
{
	struct strbuf *cell;

	if (object->type != VALUE_MAP)
		return;
	strbuf_puts(grid_cell(grid), title);
	cell = grid_cell(grid);
	for (const struct value *v = object->first; v != NULL; v = v->next) {
		if (value_number(v) == 0)
			continue;
		strbuf_printf(cell, "%s%" PRIu64 " ", cell->len > 0 ? ", " : "",
			      value_number(v));
		escape_put(cell, v->key, ESCAPE_NAME_CHARS);
	}
	if (cell->len == 0)
		strbuf_puts(cell, "none");
}

/* "12 OK v8.cpuprofile, 1 CANCELLED". */
static void
put_outcomes(struct grid *grid, const struct value *list)
{
	struct strbuf *cell;

	if (list->first == NULL)
		return;
	strbuf_puts(grid_cell(grid), "outcomes");
	cell = grid_cell(grid);
	for (const struct value *v = list->first; v != NULL; v = v->next) {
		struct span code = value_text(value_get(v, "code"));
		struct span format = value_text(value_get(v, "format"));

		if (code.len == 0)
			code = value_text(value_get(v, "outcome"));
		strbuf_printf(cell, "%s%" PRIu64 " ", cell->len > 0 ? ", " : "",
			      value_number(value_get(v, "jobs")));
		escape_put(cell, code, ESCAPE_NAME_CHARS);
		strbuf_puts(cell, format.len > 0 ? " " : "");
		escape_put(cell, format, ESCAPE_NAME_CHARS);
	}
}

/* How many a histogram has counted. */
static uint64_t
count_of(const struct value *histogram)
{
	const struct value *v = value_get(histogram, "counts")->first;
	uint64_t count = 0;

	for (; v != NULL; v = v->next)
		count += value_number(v);
	return count;
}

/* A JSON number is what strtod reads. */
static double
decimal(const struct value *number)
{
	char text[32];
	size_t len = number->text.len;

	if (number->type != VALUE_NUMBER || len >= sizeof(text))
		return 0;
	memcpy(text, number->text.data, len);
	text[len] = '\0';
	return strtod(text, NULL);
}

/* The means of what the histograms counted, and the largest worker. */
static void
put_usual(struct grid *grid, const struct value *status)
{
	const struct value *seconds = value_get(status, "job_seconds");
	const struct value *bytes = value_get(status, "input_bytes");
	const struct value *peak = value_get(status, "worker_peak_rss_bytes");
	uint64_t jobs = count_of(seconds), inputs = count_of(bytes);
	struct strbuf *cell;

	if (jobs > 0) {
		strbuf_puts(grid_cell(grid), "a job");
		cell = grid_cell(grid);
		strbuf_printf(cell, "%.3f s",
			      decimal(value_get(seconds, "sum")) /
				  (double)jobs);
		if (inputs > 0) {
			strbuf_puts(cell, " and ");
			quantity_bytes(cell,
				       value_number(value_get(bytes, "sum")) /
					   inputs);
		}
		strbuf_puts(cell, " on average");
	}
	if (value_number(peak) > 0) {
		strbuf_puts(grid_cell(grid), "worker");
		cell = grid_cell(grid);
		quantity_bytes(cell, value_number(peak));
		strbuf_puts(cell, " at most");
	}
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
		strbuf_printf(cell, "%" PRIu64 " day%s ", s / 86400,
			      s / 86400 == 1 ? "" : "s");
	if (s >= 3600)
		strbuf_printf(cell, "%" PRIu64 " h ", s / 3600 % 24);
	if (s >= 60)
		strbuf_printf(cell, "%" PRIu64 " min ", s / 60 % 60);
	strbuf_printf(cell, "%" PRIu64 " s", s % 60);
}

static void
put_head(struct grid *grid, const struct value *status)
{
	const struct value *taking = value_get(status, "taking_jobs");
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
	if (taking->type == VALUE_BOOL)
		strbuf_puts(cell, taking->truth ? "" : ", takes no new jobs");
}

void
status_table(struct strbuf *sb, const struct value *status, size_t width)
{
	static const char *const workers[] = {"max",  "warm",  "starting",
					      "busy", "stuck", NULL};
	static const char *const queue[] = {"max",	   "admitted", "queued",
					    "interactive", "batch",    NULL};
	static const char *const jobs[] = {"accepted", "refused", "ended",
					   NULL};
	const struct value *memory = value_get(status, "memory");
	struct grid grid = {.columns = 2};
	struct strbuf *cell;

	put_head(&grid, status);
	put_counts(&grid, status, "workers", workers);
	put_wanted(&grid, value_get(status, "workers"));
	put_counts(&grid, status, "queue", queue);
	strbuf_puts(grid_cell(&grid), "memory");
	cell = grid_cell(&grid);
	quantity_bytes(cell, value_number(value_get(memory, "used_bytes")));
	strbuf_puts(cell, " of ");
	quantity_bytes(cell, value_number(value_get(memory, "total_bytes")));
	put_counts(&grid, status, "jobs", jobs);
	put_outcomes(&grid, value_get(status, "outcomes"));
	put_nonzero(&grid, value_get(status, "rejected"), "rejected");
	put_nonzero(&grid, value_get(status, "worker_deaths"), "deaths");
	put_usual(&grid, status);
	strbuf_puts(grid_cell(&grid), "front");
	strbuf_printf(grid_cell(&grid), "%" PRIu64 " restarts",
		      value_number(value_get(status, "front_restarts")));
	put_list(&grid, value_get(status, "sandbox"), "sandbox");
	put_list(&grid, value_get(status, "sandbox_missing"), "missing");
	grid_render(sb, &grid, width);
	grid_free(&grid);
}
