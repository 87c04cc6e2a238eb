/*
 * Children in lists by slot: first[parent], then next[child]. The parent's link
 * leads back, so the walk needs no memory of its own however deep the tree is.
 */
#include "worker/profile/tree_walk.h"

#include "proto/bug.h"

void
tree_list_children(struct tree *tree)
{
	if (tree->first != NULL || tree->slots == 0)
		return;
	tree->links_bytes =
	    table_size(0, (size_t)tree->slots * sizeof(uint32_t));
	table_grow(tree->arena, (void **)&tree->first, 0, tree->links_bytes);
	table_grow(tree->arena, (void **)&tree->next, 0, tree->links_bytes);
	/* From the last to the first, so that lists are in ascending order. */
	for (uint32_t slot = tree->slots; slot-- > 0;) {
		uint32_t parent = tree->parent[slot];

		if (parent != 0) {
			tree->next[slot] = tree->first[parent - 1];
			tree->first[parent - 1] = slot + 1;
		}
	}
}

void
tree_unlist(struct tree *tree)
{
	table_grow(tree->arena, (void **)&tree->first, tree->links_bytes, 0);
	table_grow(tree->arena, (void **)&tree->next, tree->links_bytes, 0);
	tree->links_bytes = 0;
}

void
tree_walk_init(struct tree_walk *walk, const struct tree *tree, uint32_t root)
{
	*walk = (struct tree_walk){.tree = tree, .at = root};
}

bool
tree_walk_next(struct tree_walk *walk)
{
	const struct tree *tree = walk->tree;

	if (walk->at == SLOT_NONE)
		return false;
	BUG_ON(tree->first == NULL);
	if (!walk->started) {
		walk->started = true;
		return true;
	}
	if (!walk->leaving) {
		uint32_t child = tree->first[walk->at];

		if (child == 0)
			walk->leaving = true;
		else
			walk->at = child - 1;
		return true;
	}
	if (tree->next[walk->at] != 0) {
		walk->at = tree->next[walk->at] - 1;
		walk->leaving = false;
		return true;
	}
	walk->at = tree_parent(tree, walk->at);
	return walk->at != SLOT_NONE;
}
