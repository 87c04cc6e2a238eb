/*
 * Lanes on is lanes off: what a worker makes of some bytes, either way.
 */
#ifndef TESTS_SUPPORT_LANES_AGREE_H
#define TESTS_SUPPORT_LANES_AGREE_H

#include <criterion/criterion.h>

#include "tests/support/extracted_text.h"

static char *
outcome(struct span bytes, size_t chunk, const struct job *job,
	enum parser parser)
{
	struct job own = *job;
	struct extract_how how = {.job = &own, .chunk = chunk};
	struct extracted e;
	char *text;

	own.parser = parser;
	extract_bytes(bytes, &how, &e);
	text = extracted_text(&e);
	extracted_free(&e);
	return text;
}

/* Fails the test unless the result, or the error with its place and path, is
 * the same, in chunks of several sizes. */
static void
lanes_agree(struct span bytes, const struct job *job)
{
	static const size_t chunks[] = {0, 7, 64};
	char *right = outcome(bytes, 0, job, PARSER_YAJL);

	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		char *got = outcome(bytes, chunks[i], job, PARSER_LANES);

		cr_assert_str_eq(got, right,
				 "chunks of %zu:\n%s\nnot\n%s\nfor %.*s",
				 chunks[i], got, right, (int)bytes.len,
				 (const char *)bytes.data);
		free(got);
	}
	free(right);
}

#endif
