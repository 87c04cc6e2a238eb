/*
 * A growing buffer of JSON text with a cap. It remembers that something did
 * not fit and takes nothing after it, so a caller writes key after key and
 * looks once at the end.
 */
#ifndef FRONT_OUTBOX_H
#define FRONT_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/answer.h"
#include "proto/span.h"

struct outbox {
	uint8_t *data; /* owned */
	size_t len;
	size_t size; /* allocated */
	size_t cap;
	bool failed; /* the cap was reached */
};

/* Allocates nothing yet. */
void outbox_init(struct outbox *o, size_t cap);
void outbox_fini(struct outbox *o);

/* Gives back what was allocated beyond the text. */
void outbox_trim(struct outbox *o);

struct span outbox_span(const struct outbox *o);

/* JSON as it is: punctuation and keys of ours, or text made elsewhere. */
void outbox_raw(struct outbox *o, const char *text);
void outbox_put(struct outbox *o, struct span text);

/* Values. Strings must be UTF-8; they are quoted and escaped. */
void outbox_string(struct outbox *o, struct span text);
void outbox_string_or_null(struct outbox *o, bool known, struct span text);
void outbox_u64(struct outbox *o, uint64_t value);
void outbox_i64(struct outbox *o, int64_t value);
void outbox_maybe(struct outbox *o, struct maybe maybe);
void outbox_bool(struct outbox *o, bool value);
void outbox_hex(struct outbox *o, const uint8_t *data, size_t len);

/* A comma, unless *first, which is then false. */
void outbox_comma(struct outbox *o, bool *first);

#endif
