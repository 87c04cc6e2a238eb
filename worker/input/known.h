/*
 * Files that are no profile we read, but that people do submit: what they are
 * and what to do instead. Each function looks at the head of an input with one
 * kind of eye and answers NULL when it does not know it.
 */
#ifndef WORKER_INPUT_KNOWN_H
#define WORKER_INPUT_KNOWN_H

#include <stdbool.h>

#include "proto/span.h"

struct known {
	const char *what;    /* "a PNG image" */
	const char *way_out; /* a sentence's rest; NULL: none known */
	bool profile;	     /* a profile format: known_format */
};

/* By magic numbers, and by the shape of a protobuf. */
const struct known *known_by_magic(struct span head);

/* By the shape of its first lines. */
const struct known *known_by_lines(struct span head);

/* By the outer keys of JSON that starts at the first byte. */
const struct known *known_by_keys(struct span head);

#endif
