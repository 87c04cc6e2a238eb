/*
 * The slots of many samples, in order.
 */
#ifndef WORKER_PROFILE_SLOT_LIST_H
#define WORKER_PROFILE_SLOT_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "worker/arena.h"

struct slot_list {
	struct arena *arena; /* borrowed */
	uint32_t *slots;     /* owned: a table */
	size_t bytes;
	size_t bytes_max;
	uint64_t len;
};

void slot_list_init(struct slot_list *list, struct arena *arena,
		    size_t bytes_max);
void slot_list_fini(struct slot_list *list);

/* n more slots, for the caller to fill in; NULL, and nothing is different, when
 * the list would have more than bytes_max. */
uint32_t *slot_list_add(struct slot_list *list, size_t n);

#endif
