/*
 * An open-addressed table over an array of strings, at most half full.
 */
#include "worker/profile/strings.h"

#include <string.h>

#include "proto/bug.h"
#include "worker/profile/hash.h"

#define FIRST_SLOTS 1024

void
strings_init(struct strings *strings, struct arena *arena)
{
	*strings = (struct strings){.arena = arena};
}

static void
place(struct strings *s, uint32_t number)
{
	uint32_t at = s->hashes[number] & s->mask;

	while (s->slots[at] != 0)
		at = (at + 1) & s->mask;
	s->slots[at] = number + 1;
}

static void
grow_slots(struct strings *s)
{
	size_t count = s->mask == 0 ? FIRST_SLOTS : 2 * ((size_t)s->mask + 1);

	BUG_ON(count > UINT32_MAX);
	table_grow(s->arena, (void **)&s->slots, s->slots_bytes, 0);
	s->slots_bytes = count * sizeof(s->slots[0]);
	table_grow(s->arena, (void **)&s->slots, 0, s->slots_bytes);
	s->mask = (uint32_t)(count - 1);
	for (uint32_t i = 0; i < s->len; i++)
		place(s, i);
}

static void
grow_text(struct strings *s)
{
	size_t need = ((size_t)s->len + 1) * sizeof(s->text[0]);
	size_t hash_need = ((size_t)s->len + 1) * sizeof(s->hashes[0]);

	if (need > s->text_bytes) {
		size_t bytes = table_size(s->text_bytes, need);

		table_grow(s->arena, (void **)&s->text, s->text_bytes, bytes);
		s->text_bytes = bytes;
	}
	if (hash_need > s->hashes_bytes) {
		size_t bytes = table_size(s->hashes_bytes, hash_need);

		table_grow(s->arena, (void **)&s->hashes, s->hashes_bytes,
			   bytes);
		s->hashes_bytes = bytes;
	}
}

uint32_t
strings_intern(struct strings *s, struct span text)
{
	uint32_t hash = (uint32_t)hash_bytes(text);

	if (s->mask == 0 || s->len >= s->mask / 2)
		grow_slots(s);
	for (uint32_t at = hash & s->mask; s->slots[at] != 0;
	     at = (at + 1) & s->mask) {
		uint32_t number = s->slots[at] - 1;

		if (s->hashes[number] == hash &&
		    span_equal(s->text[number], text))
			return number;
	}
	grow_text(s);
	s->text[s->len] = arena_copy(s->arena, text);
	s->hashes[s->len] = hash;
	s->len++;
	place(s, s->len - 1);
	return s->len - 1;
}

struct span
strings_get(const struct strings *strings, uint32_t number)
{
	BUG_ON(number >= strings->len);
	return strings->text[number];
}
