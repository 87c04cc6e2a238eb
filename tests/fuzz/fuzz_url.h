/*
 * Urls for a target: words out of an input, and a path written as a url.
 */
#ifndef TESTS_FUZZ_URL_H
#define TESTS_FUZZ_URL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/bug.h"
#include "worker/profile/source_file.h"

/* Takes a word and the NUL behind it. */
static inline struct span
next_word(struct span *text)
{
	const uint8_t *end =
	    text->len > 0 ? memchr(text->data, 0, text->len) : NULL;
	size_t len = end == NULL ? text->len : (size_t)(end - text->data);
	struct span word = span_of(text->data, len);

	len += end != NULL;
	*text = span_of(text->data + len, text->len - len);
	return word;
}

/* The path of a file: url, as a url, is the same path. What is // may be a
 * host, and a drive is found again at the start alone. */
static inline void
same_as_file_url(struct arena *arena, struct span path)
{
	struct source_file again;
	struct job job;
	char *url;
	int len;

	if (path.data[0] != '/' || (path.len > 1 && path.data[1] == '/') ||
	    (path.len > 2 && path.data[2] == ':'))
		return;
	url = malloc(path.len * 3 + 8);
	BUG_ON(url == NULL);
	len = sprintf(url, "file://");
	for (size_t i = 0; i < path.len; i++)
		len += sprintf(url + len, path.data[i] == '/' ? "/" : "%%%02X",
			       path.data[i]);
	job_init(&job);
	source_file_of(arena, &job, span_of(url, (size_t)len), &again);
	BUG_ON(!again.has_file || !span_equal(again.file, path));
	free(url);
}

#endif
