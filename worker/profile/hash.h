/*
 * A keyed hash for the tables of one process. The key comes from the kernel at
 * exec (AT_RANDOM), so that nobody can craft names that collide; nothing in a
 * result may depend on a hash or on the order of a table.
 */
#ifndef WORKER_PROFILE_HASH_H
#define WORKER_PROFILE_HASH_H

#include <stdint.h>

#include "proto/span.h"

uint64_t hash_bytes(struct span bytes);
uint64_t hash_u64(uint64_t value);

#endif
