/*
 * A walk over a call tree from its root, each node entered before and left
 * after its children, without recursion and without a stack of its own.
 */
#ifndef WORKER_PROFILE_TREE_WALK_H
#define WORKER_PROFILE_TREE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/profile/tree.h"

struct tree_walk {
	const struct tree *tree; /* borrowed */
	uint32_t at;		 /* SLOT_NONE at the end */
	bool leaving;
	bool started;
};

/* Gives the tree lists of children, 8 bytes a slot, for as long as walks are
 * needed; tree_unlist gives them back. */
void tree_list_children(struct tree *tree);
void tree_unlist(struct tree *tree);

void tree_walk_init(struct tree_walk *walk, const struct tree *tree,
		    uint32_t root);

/* False at the end. Then walk->at is the node and walk->leaving says whether
 * its children are done. */
bool tree_walk_next(struct tree_walk *walk);

#endif
