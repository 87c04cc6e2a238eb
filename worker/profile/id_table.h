/*
 * From a writer's sparse 64-bit ids to slots: an open-addressed table, used
 * only where ids cannot be slots themselves.
 */
#ifndef WORKER_PROFILE_ID_TABLE_H
#define WORKER_PROFILE_ID_TABLE_H

#include <stdint.h>

#include "worker/arena.h"

#define ID_TABLE_NONE UINT32_MAX

struct id_table {
	uint64_t *ids;	 /* owned: a table, beside slots */
	uint32_t *slots; /* owned: a table; slot + 1, 0 is free */
	uint64_t capacity;
	uint64_t len;
};

void id_table_fini(struct id_table *table, struct arena *arena);

/* ID_TABLE_NONE when the id is not there. */
uint32_t id_table_get(const struct id_table *table, uint64_t id);

/* The id must not be there yet. */
void id_table_put(struct id_table *table, struct arena *arena, uint64_t id,
		  uint32_t slot);

#endif
