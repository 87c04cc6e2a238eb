/*
 * Bounded writer and reader of little-endian fields, used for every private
 * message. Both remember the first failure and do nothing after it, so a
 * caller writes field after field and looks once at the end.
 */
#ifndef PROTO_BUF_H
#define PROTO_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"

struct writer {
	uint8_t *data; /* borrowed: the caller's array */
	size_t cap;
	size_t len;
	bool failed; /* something did not fit */
};

void writer_init(struct writer *w, void *data, size_t cap);
void writer_put_u8(struct writer *w, uint8_t value);
void writer_put_u16(struct writer *w, uint16_t value);
void writer_put_u32(struct writer *w, uint32_t value);
void writer_put_u64(struct writer *w, uint64_t value);
void writer_put_bytes(struct writer *w, const void *data, size_t len);

/* A 16-bit length and the bytes; longer ones fail. */
void writer_put_string(struct writer *w, struct span text);

struct reader {
	const uint8_t *at; /* borrowed: until the message is reused */
	size_t left;
	bool failed; /* a field was missing or out of its range */
};

void reader_init(struct reader *r, struct span bytes);

/* 0, or an empty span, once the reader has failed. */
uint8_t reader_get_u8(struct reader *r);
uint16_t reader_get_u16(struct reader *r);
uint32_t reader_get_u32(struct reader *r);
uint64_t reader_get_u64(struct reader *r);
struct span reader_get_bytes(struct reader *r, size_t len);

/* A string of at most max bytes that is valid UTF-8; else the reader fails. */
struct span reader_get_string(struct reader *r, size_t max);

/* A byte below bound; else the reader fails. For wire numbers of enums. */
uint8_t reader_get_below(struct reader *r, unsigned bound);

/* 0 or 1; anything else fails. */
bool reader_get_bool(struct reader *r);

/* True when nothing failed and nothing is left over. */
NODISCARD bool reader_end(const struct reader *r);

#endif
