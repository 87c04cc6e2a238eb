/*
 * Samples for the JSON stream's tests: each is fed whole and in pieces of 1 to
 * 31 bytes, and must give the same events at the same places and end in the
 * same way.
 */
#ifndef TESTS_UNIT_WORKER_STREAM_SAMPLES_H
#define TESTS_UNIT_WORKER_STREAM_SAMPLES_H

#include <criterion/criterion.h>

#include "tests/support/json_log.h"

#define PIECES_MAX 31
#define DEPTH 64
#define TOKEN 1024

static inline char *
run(struct span text, size_t piece)
{
	return json_log_run(text, (struct json_cuts){.size = piece}, DEPTH,
			    TOKEN, NULL);
}

/* The log, which was the same for all pieces; to be freed. */
static inline char *
run_all(struct span text)
{
	char *whole = run(text, 0);

	for (size_t piece = 1; piece <= PIECES_MAX; piece++) {
		char *log = run(text, piece);

		cr_assert_str_eq(log, whole, "in pieces of %zu: %.*s", piece,
				 (int)text.len, (const char *)text.data);
		free(log);
	}
	return whole;
}

static inline void
expect_log(const char *text, const char *log)
{
	char *got = run_all(span_str(text));

	cr_assert_str_eq(got, log, "%s", text);
	free(got);
}

/* The last line of the log: how it ended. */
static inline void
expect_end_of(struct span text, const char *end)
{
	char *got = run_all(text);
	size_t len = strlen(got), want = strlen(end);

	cr_assert(len >= want && strcmp(got + len - want, end) == 0 &&
		      (len == want || got[len - want - 1] == '\n'),
		  "%.*s\n%s", (int)text.len, (const char *)text.data, got);
	free(got);
}

static inline void
expect_end(const char *text, const char *end)
{
	expect_end_of(span_str(text), end);
}

static inline char *
filled(const char *before, char fill, size_t count, const char *after)
{
	size_t head = strlen(before), tail = strlen(after);
	char *text = malloc(head + count + tail + 1);

	cr_assert(text != NULL);
	memcpy(text, before, head);
	memset(text + head, fill, count);
	memcpy(text + head + count, after, tail + 1);
	return text;
}

static inline void
expect_filled(const char *before, char fill, size_t count, const char *after,
	      const char *end)
{
	char *text = filled(before, fill, count, after);

	expect_end(text, end);
	free(text);
}

#endif
