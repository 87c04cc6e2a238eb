/*
 * Reads what is expected from bytes, and nothing else: each call steps over it
 * and says true, or says false and leaves the cursor anywhere.
 */
#ifndef WORKER_LANES_CURSOR_H
#define WORKER_LANES_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"
#include "worker/lanes/digits.h"

struct cursor {
	const uint8_t *at, *end;
};

static inline bool
cursor_bytes(struct cursor *c, const char *text, size_t len)
{
	if ((size_t)(c->end - c->at) < len || memcmp(c->at, text, len) != 0)
		return false;
	c->at += len;
	return true;
}

/* A string literal, exactly. */
#define CURSOR_IS(c, literal) cursor_bytes((c), "" literal, sizeof(literal) - 1)

/* A count below 10^8 without a leading zero, and there are bytes behind it. */
static inline bool
cursor_count(struct cursor *c, uint64_t *value_out)
{
	uint64_t word;
	unsigned n;

	if (c->end - c->at < DIGITS_WORD + 1)
		return false;
	word = digits_load(c->at);
	n = digits_count(word);
	if (n == 0 || n == DIGITS_WORD || (n > 1 && *c->at == '0'))
		return false;
	*value_out = (uint64_t)digits_value(word, n);
	c->at += n;
	return true;
}

/* A string as it is meant: where it stands, or in the buffer when something in
 * it was escaped. */
struct cursor_text {
	struct span bytes;
	uint8_t buffer[256];
};

/* A string of UTF-8 without \u escapes, of at most so many bytes with its
 * quotes. */
bool cursor_string(struct cursor *c, size_t max, struct cursor_text *text_out);

#endif
