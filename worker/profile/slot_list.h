/*
 * The slots of many samples, in order: 2 bytes each in a tree of fewer than
 * 65535 slots, else 4.
 */
#ifndef WORKER_PROFILE_SLOT_LIST_H
#define WORKER_PROFILE_SLOT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/profile/tree.h"

struct slot_list {
	struct arena *arena; /* borrowed */
	void *slots;	     /* owned: a table */
	size_t bytes;
	size_t each; /* bytes a slot; 0 until the first */
	uint64_t len;
};

void slot_list_init(struct slot_list *list, struct arena *arena);
void slot_list_fini(struct slot_list *list);

/* Appends n slots, each below tree_slots or SLOT_NONE; tree_slots stays what it
 * was with the first. False, and nothing is appended, when the list would have
 * more bytes than max_bytes. */
bool slot_list_add(struct slot_list *list, uint32_t tree_slots,
		   const uint32_t *slots, size_t n, size_t max_bytes);

/* The n slots from `first` on; all are there. */
void slot_list_get(const struct slot_list *list, uint64_t first, size_t n,
		   uint32_t *slots_out);

#endif
