/*
 * The place comes from the length and a few words of the bytes, those at the
 * end above all, where positions stand. Bytes that were made to collide cost
 * their reading, and nothing else.
 */
#include "worker/lanes/raw_cache.h"

#include <string.h>

#include "proto/limits.h"

#define ENTRIES 16384
#define KEPT_BYTES_MAX (8 * MIB)
#define KEPT_SHARE 16 /* and of the arena no more than this part */
#define LEAST_BYTES 32
#define MOST_BYTES 8192 /* with longer ones it is the compare that costs */

void
raw_cache_init(struct raw_cache *cache, struct arena *arena)
{
	*cache = (struct raw_cache){.arena = arena};
}

void
raw_cache_fini(struct raw_cache *cache)
{
	size_t bytes = ENTRIES * sizeof(cache->entries[0]);

	if (cache->entries != NULL)
		table_grow(cache->arena, (void **)&cache->entries, bytes, 0);
}

static uint64_t
word_at(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static size_t
place_of(struct span bytes)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	const uint8_t *end = bytes.data + bytes.len;
	uint64_t hash = bytes.len;

	hash = (hash ^ word_at(bytes.data + 17)) * odd;
	hash = (hash ^ (hash >> 29) ^ word_at(end - 16)) * odd;
	hash = (hash ^ (hash >> 29) ^ word_at(end - 8)) * odd;
	return (size_t)(hash >> 40) % ENTRIES;
}

static size_t
most_kept(const struct raw_cache *cache)
{
	size_t share = cache->arena->cap_bytes / KEPT_SHARE;

	return share < KEPT_BYTES_MAX ? share : KEPT_BYTES_MAX;
}

static bool
fits(struct span bytes)
{
	return bytes.len >= LEAST_BYTES && bytes.len <= MOST_BYTES;
}

bool
raw_cache_get(const struct raw_cache *cache, struct span bytes,
	      uint32_t *number_out)
{
	const struct raw_entry *entry;

	if (cache->entries == NULL || !fits(bytes))
		return false;
	entry = &cache->entries[place_of(bytes)];
	if (entry->len != bytes.len ||
	    memcmp(entry->bytes, bytes.data, bytes.len) != 0)
		return false;
	*number_out = entry->number;
	return true;
}

void
raw_cache_put(struct raw_cache *cache, struct span bytes, uint32_t number)
{
	struct raw_entry *entry;

	if (!fits(bytes) || bytes.len > most_kept(cache) - cache->kept_bytes)
		return;
	if (cache->entries == NULL)
		table_grow(cache->arena, (void **)&cache->entries, 0,
			   ENTRIES * sizeof(cache->entries[0]));
	entry = &cache->entries[place_of(bytes)];
	cache->kept_bytes += bytes.len;
	entry->bytes = arena_copy(cache->arena, bytes).data;
	entry->len = (uint32_t)bytes.len;
	entry->number = number;
}
