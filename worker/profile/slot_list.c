#include "worker/profile/slot_list.h"

void
slot_list_init(struct slot_list *list, struct arena *arena, size_t bytes_max)
{
	*list = (struct slot_list){.arena = arena, .bytes_max = bytes_max};
}

void
slot_list_fini(struct slot_list *list)
{
	table_grow(list->arena, (void **)&list->slots, list->bytes, 0);
	slot_list_init(list, list->arena, list->bytes_max);
}

uint32_t *
slot_list_add(struct slot_list *list, size_t n)
{
	size_t need = (size_t)(list->len + n) * sizeof(list->slots[0]), more;

	if (need > list->bytes_max)
		return NULL;
	if (need > list->bytes) {
		more = table_size(list->bytes, need);
		if (more > list->bytes_max)
			more = list->bytes_max;
		table_grow(list->arena, (void **)&list->slots, list->bytes,
			   more);
		list->bytes = more;
	}
	list->len += n;
	return list->slots + list->len - n;
}
