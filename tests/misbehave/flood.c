/*
 * Sends a gigabyte of frames; the artifact's name says of which: progress,
 * words, rows of a result that promised as many as it may, each as long as a
 * row can be; any other: rows beyond the one that was promised. With "short" in
 * the name it is 16 MiB.
 */
#include "tests/misbehave/standin.h"

#define ROWS_A_FRAME 128
#define ROWS_PROMISED 1000

static size_t
progress(void)
{
	const struct progress p = {.bytes = 1, .total = 1};
	struct writer w;

	standin_begin(&w, MSG_PROGRESS);
	progress_write(&w, &p);
	standin_send(&w);
	return w.len;
}

static size_t
words(void)
{
	static char text[500];
	struct writer w;

	memset(text, 'x', sizeof(text));
	standin_begin(&w, MSG_LAST_WORDS);
	writer_put_string(&w, span_of(text, sizeof(text)));
	standin_send(&w);
	return w.len;
}

/* One row whose every string is as long as it may be, and must be escaped. */
static size_t
long_row(void)
{
	static char text[6000];
	const struct span most = span_of(text, sizeof(text));
	const struct row row = {.frame_type = FRAME_TYPE_V8JS,
				.language = LANGUAGE_JAVASCRIPT,
				.function = most,
				.url = most,
				.has_file = true,
				.file = most,
				.has_script = true,
				.script = most,
				.has_package = true,
				.package = most,
				.rank_self = 1,
				.rank_inclusive = 1};
	struct writer w;

	memset(text, 1, sizeof(text));
	standin_begin(&w, MSG_ROWS);
	writer_put_u16(&w, 1);
	row_write(&w, &row, 1);
	standin_send(&w);
	return w.len;
}

static size_t
short_rows(void)
{
	standin_rows(ROWS_A_FRAME);
	return ROWS_A_FRAME * (ROW_FIXED_BYTES + ROW_METRIC_BYTES);
}

int
main(int argc, char **argv)
{
	size_t (*send_some)(void) = short_rows;
	const char *sort;
	uint64_t sent = 0, most = GIB;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	sort = standin_take_job(argv);
	if (strstr(sort, "short") != NULL)
		most = 16 * MIB;
	if (strstr(sort, "progress") != NULL)
		send_some = progress;
	else if (strstr(sort, "words") != NULL)
		send_some = words;
	else if (strstr(sort, "long") != NULL)
		send_some = long_row;
	if (send_some == long_row || send_some == short_rows)
		standin_result(send_some == long_row ? ROWS_PROMISED : 1);
	while (sent < most)
		sent += send_some();
	standin_done(1);
	_exit(WORKER_EXIT_DONE);
}
