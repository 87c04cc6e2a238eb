/*
 * A borrowed view of bytes. It owns nothing and never outlives what it points
 * into; it carries no terminating NUL.
 */
#ifndef PROTO_SPAN_H
#define PROTO_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const uint8_t *data; /* borrowed; may be NULL only when len is 0 */
	size_t len;
};

static inline struct span
span_of(const void *data, size_t len)
{
	return (struct span){.data = data, .len = len};
}

static inline struct span
span_str(const char *text)
{
	return span_of(text, strlen(text));
}

static inline bool
span_equal(struct span a, struct span b)
{
	return a.len == b.len &&
	       (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool
span_is(struct span a, const char *text)
{
	return span_equal(a, span_str(text));
}

static inline bool
span_starts(struct span a, const char *prefix)
{
	size_t len = strlen(prefix);

	return a.len >= len && (len == 0 || memcmp(a.data, prefix, len) == 0);
}

#endif
