/*
 * From the bytes of an object to the number that was found for it, so that an
 * object which comes again is compared and not read. Of a fixed size: what does
 * not fit is read each time.
 */
#ifndef WORKER_LANES_RAW_CACHE_H
#define WORKER_LANES_RAW_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "worker/arena.h"

struct raw_entry {
	const uint8_t *bytes; /* in the arena */
	uint16_t len;	      /* 0: none */
	uint16_t tag;	      /* of their hash */
	uint32_t number;
};

struct raw_cache {
	struct arena *arena;	   /* borrowed */
	struct raw_entry *entries; /* owned: a table; NULL until the first */
	size_t kept_bytes;	   /* of all that was ever put */
};

void raw_cache_init(struct raw_cache *cache, struct arena *arena);
void raw_cache_fini(struct raw_cache *cache);

/* False when these very bytes are not there. */
bool raw_cache_get(const struct raw_cache *cache, struct span bytes,
		   uint32_t *number_out);

/* Perhaps in place of another. */
void raw_cache_put(struct raw_cache *cache, struct span bytes, uint32_t number);

#endif
