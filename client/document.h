/*
 * A JSON text as a tree of values, for the replies of the service. The tree
 * borrows from the text; every value knows the bytes it was written with, so
 * that a result can be handed on unchanged.
 */
#ifndef CLIENT_DOCUMENT_H
#define CLIENT_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"

#define DOCUMENT_DEPTH_MAX 32 /* a result has seven levels */
/* 100 000 rows of 16 metrics are seven million values. */
#define DOCUMENT_VALUES_MAX (16u << 20)

enum value_type {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_NUMBER,
	VALUE_STRING,
	VALUE_LIST,
	VALUE_MAP,
};

struct value {
	enum value_type type;
	bool truth;	     /* of a VALUE_BOOL */
	struct span key;     /* in a map */
	struct span text;    /* a string's characters, a number's digits */
	struct span raw;     /* the value as it was written */
	struct value *first; /* of a list or map */
	struct value *next;
};

struct document {
	struct arena_block *blocks; /* owned */
	const struct value *root;
};

/*
 * The text must outlive the document. False when it is not exactly one JSON
 * value in valid UTF-8, or nests or holds more than the caps above; then
 * nothing is left to free.
 */
NODISCARD bool document_parse(struct document *doc_out, struct span text);

void document_free(struct document *doc);

/* The value of a key; one of type VALUE_NULL when there is none or when this
 * is not a map. Never NULL, so that look-ups can be chained. */
const struct value *value_get(const struct value *map, const char *key);

/* "" when it is not a string. */
struct span value_text(const struct value *value);

/* 0 when it is not a whole number of 64 bits, which value_is_number tells. */
uint64_t value_number(const struct value *value);
bool value_is_number(const struct value *value);

/* The number of elements or members. */
size_t value_count(const struct value *value);

#endif
