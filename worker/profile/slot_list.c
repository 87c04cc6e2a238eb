#include "worker/profile/slot_list.h"

#include <string.h>

#include "proto/bug.h"

/* SLOT_NONE in 2 bytes. */
#define SHORT_NONE UINT16_MAX

void
slot_list_init(struct slot_list *list, struct arena *arena)
{
	*list = (struct slot_list){.arena = arena};
}

void
slot_list_fini(struct slot_list *list)
{
	table_grow(list->arena, &list->slots, list->bytes, 0);
	slot_list_init(list, list->arena);
}

static void
have_room(struct slot_list *list, size_t need, size_t max_bytes)
{
	size_t more;

	if (need <= list->bytes)
		return;
	more = table_size(list->bytes, need);
	if (more > max_bytes)
		more = max_bytes;
	table_grow(list->arena, &list->slots, list->bytes, more);
	list->bytes = more;
}

bool
slot_list_add(struct slot_list *list, uint32_t tree_slots,
	      const uint32_t *slots, size_t n, size_t max_bytes)
{
	size_t need;

	if (list->each == 0)
		list->each = tree_slots < SHORT_NONE ? sizeof(uint16_t)
						     : sizeof(uint32_t);
	need = (size_t)(list->len + n) * list->each;
	if (need > max_bytes)
		return false;
	have_room(list, need, max_bytes);
	if (list->each == sizeof(uint32_t)) {
		memcpy((uint32_t *)list->slots + list->len, slots,
		       n * sizeof(slots[0]));
	} else {
		uint16_t *to = (uint16_t *)list->slots + list->len;

		/* what is cut off of SLOT_NONE is SHORT_NONE */
		for (size_t i = 0; i < n; i++)
			to[i] = (uint16_t)slots[i];
	}
	list->len += n;
	return true;
}

void
slot_list_get(const struct slot_list *list, uint64_t first, size_t n,
	      uint32_t *slots_out)
{
	const uint16_t *shorts = list->slots;

	BUG_ON(n > list->len || first > list->len - n);
	if (list->each == sizeof(uint32_t)) {
		memcpy(slots_out, (uint32_t *)list->slots + first,
		       n * sizeof(slots_out[0]));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint16_t slot = shorts[first + i];

		slots_out[i] = slot == SHORT_NONE ? SLOT_NONE : slot;
	}
}
