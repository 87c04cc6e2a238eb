/*
 * The place comes from the length and a few words of the bytes, those at the
 * end above all, where positions stand; the same number is of some places
 * behind it. Bytes that were made to collide cost their reading, and nothing
 * else.
 */
#include "worker/lanes/raw_cache.h"

#include <assert.h>
#include <string.h>

#include "proto/limits.h"

#define ENTRIES 16384
#define WAYS 4 /* places that the same bytes may have */
#define KEPT_BYTES_MAX (8 * MIB)
#define KEPT_SHARE 16 /* and of the arena no more than this part */
#define LEAST_BYTES 32
#define MOST_BYTES 8192 /* with longer ones it is the compare that costs */
static_assert(MOST_BYTES <= UINT16_MAX, "a length fits its entry");

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

static uint64_t
hash_of(struct span bytes)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	const uint8_t *end = bytes.data + bytes.len;
	uint64_t hash = bytes.len;

	hash = (hash ^ word_at(bytes.data + 17)) * odd;
	hash = (hash ^ (hash >> 29) ^ word_at(end - 16)) * odd;
	return (hash ^ (hash >> 29) ^ word_at(end - 8)) * odd;
}

static uint32_t
place_of(uint64_t hash)
{
	return (uint32_t)(hash >> 40) % (ENTRIES - WAYS + 1);
}

/* Beside the length, so that nearly none is compared that is another. */
static uint16_t
tag_of(uint64_t hash)
{
	return (uint16_t)(hash >> 20);
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
	uint64_t hash;

	if (cache->entries == NULL || !fits(bytes))
		return false;
	hash = hash_of(bytes);
	entry = &cache->entries[place_of(hash)];
	for (unsigned i = 0; i < WAYS; i++, entry++) {
		if (entry->len != bytes.len || entry->tag != tag_of(hash) ||
		    memcmp(entry->bytes, bytes.data, bytes.len) != 0)
			continue;
		*number_out = entry->number;
		return true;
	}
	return false;
}

/* The first free one, or the first. */
static struct raw_entry *
choose(struct raw_entry *entries)
{
	for (unsigned i = 0; i < WAYS; i++)
		if (entries[i].len == 0)
			return &entries[i];
	return entries;
}

void
raw_cache_put(struct raw_cache *cache, struct span bytes, uint32_t number)
{
	struct raw_entry *entry;
	uint64_t hash;

	if (!fits(bytes) || bytes.len > most_kept(cache) - cache->kept_bytes)
		return;
	if (cache->entries == NULL)
		table_grow(cache->arena, (void **)&cache->entries, 0,
			   ENTRIES * sizeof(cache->entries[0]));
	hash = hash_of(bytes);
	entry = choose(&cache->entries[place_of(hash)]);
	cache->kept_bytes += bytes.len;
	entry->bytes = arena_copy(cache->arena, bytes).data;
	entry->len = (uint16_t)bytes.len;
	entry->tag = tag_of(hash);
	entry->number = number;
}
