/*
 * Text that grows: requests, errors of our own and everything that is
 * rendered are put together here and written in one go.
 */
#ifndef CLIENT_STRBUF_H
#define CLIENT_STRBUF_H

#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

struct strbuf {
	uint8_t *data; /* owned */
	size_t len;
	size_t cap;
};

void strbuf_free(struct strbuf *sb);
void strbuf_put(struct strbuf *sb, struct span text);
void strbuf_puts(struct strbuf *sb, const char *text);
void strbuf_pad(struct strbuf *sb, size_t spaces);
void strbuf_printf(struct strbuf *sb, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A JSON string literal; what is not valid UTF-8 becomes U+FFFD. */
void strbuf_json(struct strbuf *sb, struct span text);

/* Borrowed until the next change. */
struct span strbuf_span(const struct strbuf *sb);

#endif
