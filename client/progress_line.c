/*
 * Draws over the current line of the terminal and wipes it before anything
 * else is written. The state is static, as there is one stderr.
 */
#include "client/progress_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/ticks.h"
#include "client/escape.h"
#include "client/quantity.h"
#include "client/terminal.h"

#define FIRST_MS 500
#define EVERY_MS 200

static bool enabled;
static bool shown;
static uint64_t started_ms, last_ms;

static void
copy_word(char out[16], struct span word)
{
	size_t len = word.len < 15 ? word.len : 15;

	memcpy(out, word.data, len);
	out[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (out[i] < 'a' || out[i] > 'z')
			out[i] = '_';
}

void
progress_view_read(struct progress_view *view, const struct value *body)
{
	struct span state = value_text(value_get(body, "state"));
	struct span phase = value_text(value_get(body, "phase"));
	bool running = span_is(state, "running") && phase.len > 0;

	view->known = true;
	copy_word(view->phase, running ? phase : state);
	view->bytes = value_number(value_get(body, "bytes"));
	view->total = value_number(value_get(body, "total"));
	view->nodes = value_number(value_get(body, "nodes"));
	view->samples = value_number(value_get(body, "samples"));
	view->elapsed_ms = value_number(value_get(body, "elapsed_ms"));
}

static void
put_rate(struct strbuf *sb, const struct progress_view *view)
{
	uint64_t rate, left_s;

	if (view->elapsed_ms < 100 || view->bytes == 0)
		return;
	rate =
	    (uint64_t)((double)view->bytes * 1000.0 / (double)view->elapsed_ms);
	strbuf_puts(sb, "  ");
	quantity_bytes(sb, rate);
	strbuf_puts(sb, "/s");
	if (view->total <= view->bytes || rate == 0)
		return;
	left_s = (view->total - view->bytes) / rate + 1;
	if (left_s >= 3600)
		strbuf_printf(sb, "  %" PRIu64 " h %" PRIu64 " min left",
			      left_s / 3600, left_s / 60 % 60);
	else if (left_s >= 60)
		strbuf_printf(sb, "  %" PRIu64 " min %" PRIu64 " s left",
			      left_s / 60, left_s % 60);
	else
		strbuf_printf(sb, "  %" PRIu64 " s left", left_s);
}

/* The numbers come before the name, so that a narrow terminal cuts that. */
void
progress_line_render(struct strbuf *sb, const struct progress_view *view,
		     size_t done, size_t count, size_t width)
{
	struct strbuf line = {0};

	if (count > 1)
		strbuf_printf(&line, "%zu/%zu  ", done, count);
	strbuf_puts(&line, view->known ? view->phase : "waiting");
	if (view->total > 0) {
		strbuf_puts(&line, "  ");
		quantity_bytes(&line, view->bytes);
		strbuf_puts(&line, " of ");
		quantity_bytes(&line, view->total);
		put_rate(&line, view);
	}
	if (view->nodes > 0)
		strbuf_printf(&line, "  %" PRIu64 " nodes", view->nodes);
	if (view->samples > 0)
		strbuf_printf(&line, "  %" PRIu64 " samples", view->samples);
	strbuf_puts(&line, "  ");
	escape_put(&line, view->name, ESCAPE_NAME_CHARS);
	escape_fit(sb, strbuf_span(&line), width);
	strbuf_free(&line);
}

void
progress_line_enable(bool on)
{
	enabled = on;
	started_ms = last_ms = ticks_ms();
}

void
progress_line_show(const struct progress_view *view, size_t done, size_t count)
{
	uint64_t now = ticks_ms();
	struct strbuf sb = {0};

	if (!enabled || now - started_ms < FIRST_MS || now - last_ms < EVERY_MS)
		return;
	last_ms = now;
	strbuf_puts(&sb, "\r\033[K");
	progress_line_render(&sb, view, done, count,
			     terminal_width(STDERR_FILENO) - 1);
	fwrite(sb.data, 1, sb.len, stderr);
	fflush(stderr);
	strbuf_free(&sb);
	shown = true;
}

void
progress_line_clear(void)
{
	if (shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	shown = false;
}
