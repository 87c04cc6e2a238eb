/*
 * Linear probing, at most two thirds full.
 */
#include "worker/profile/id_table.h"

#include "worker/profile/hash.h"

#define FIRST_CAPACITY 1024

static uint64_t
find(const struct id_table *t, uint64_t id)
{
	uint64_t at = hash_u64(id) & (t->capacity - 1);

	while (t->slots[at] != 0 && t->ids[at] != id)
		at = (at + 1) & (t->capacity - 1);
	return at;
}

uint32_t
id_table_get(const struct id_table *t, uint64_t id)
{
	uint64_t at;

	if (t->len == 0)
		return ID_TABLE_NONE;
	at = find(t, id);
	return t->slots[at] == 0 ? ID_TABLE_NONE : t->slots[at] - 1;
}

void
id_table_fini(struct id_table *t, struct arena *arena)
{
	table_grow(arena, (void **)&t->ids, t->capacity * sizeof(*t->ids), 0);
	table_grow(arena, (void **)&t->slots, t->capacity * sizeof(*t->slots),
		   0);
	t->capacity = 0;
	t->len = 0;
}

static void
grow(struct id_table *t, struct arena *arena)
{
	struct id_table old = *t;

	t->capacity = old.capacity == 0 ? FIRST_CAPACITY : 2 * old.capacity;
	t->ids = NULL;
	t->slots = NULL;
	table_grow(arena, (void **)&t->ids, 0, t->capacity * sizeof(*t->ids));
	table_grow(arena, (void **)&t->slots, 0,
		   t->capacity * sizeof(*t->slots));
	for (uint64_t i = 0; i < old.capacity; i++) {
		if (old.slots[i] != 0) {
			uint64_t at = find(t, old.ids[i]);

			t->ids[at] = old.ids[i];
			t->slots[at] = old.slots[i];
		}
	}
	id_table_fini(&old, arena);
}

void
id_table_put(struct id_table *t, struct arena *arena, uint64_t id,
	     uint32_t slot)
{
	uint64_t at;

	if (3 * (t->len + 1) > 2 * t->capacity)
		grow(t, arena);
	at = find(t, id);
	t->ids[at] = id;
	t->slots[at] = slot + 1;
	t->len++;
}
