/*
 * Strings kept once. A string is named by its number, in the order of first
 * sight; equal strings have equal numbers.
 */
#ifndef WORKER_PROFILE_STRINGS_H
#define WORKER_PROFILE_STRINGS_H

#include <stdint.h>

#include "proto/span.h"
#include "worker/arena.h"

struct strings {
	struct arena *arena; /* borrowed */
	struct span *text;   /* owned: a table; the bytes are the arena's */
	size_t text_bytes;   /* of the table */
	uint32_t *hashes;    /* owned: a table, beside text */
	size_t hashes_bytes;
	uint32_t *slots; /* owned: a table; number + 1, 0 is free */
	size_t slots_bytes;
	uint32_t mask;
	uint32_t len;
};

void strings_init(struct strings *strings, struct arena *arena);

/* The number of a string; copies it when it is new. */
uint32_t strings_intern(struct strings *strings, struct span text);

struct span strings_get(const struct strings *strings, uint32_t number);

#endif
