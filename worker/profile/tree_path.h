/*
 * The open path of a tree whose nodes come depth first, each under a node that
 * is still open, as most writers have them. It marks each node's being topmost
 * as it comes, and spares the sealed tree a walk.
 */
#ifndef WORKER_PROFILE_TREE_PATH_H
#define WORKER_PROFILE_TREE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/profile/tree.h"

struct tree_path {
	uint32_t *active; /* owned: a table; open nodes by frame */
	size_t active_bytes;
	uint32_t at; /* the innermost; SLOT_NONE before the first */
	uint32_t depth;
	bool broken; /* nodes came in another order, or too deep */
};

void tree_path_init(struct tree_path *path);
void tree_path_fini(struct tree_path *path, struct arena *arena);

/* The slot has become a node, and has its parent if it has come under one.
 * frames is more than its frame's number. */
void tree_path_enter(struct tree_path *path, struct tree *tree, uint32_t slot,
		     uint32_t frames);

#endif
