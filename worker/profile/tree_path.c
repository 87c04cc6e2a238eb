#include "worker/profile/tree_path.h"

void
tree_path_init(struct tree_path *path)
{
	*path = (struct tree_path){.at = SLOT_NONE};
}

void
tree_path_fini(struct tree_path *path, struct arena *arena)
{
	table_grow(arena, (void **)&path->active, path->active_bytes, 0);
	path->active_bytes = 0;
}

static void
have_room(struct tree_path *path, struct arena *arena, uint32_t frames)
{
	size_t need = (size_t)frames * sizeof(path->active[0]), more;

	if (need <= path->active_bytes)
		return;
	more = table_size(path->active_bytes, need);
	table_grow(arena, (void **)&path->active, path->active_bytes, more);
	path->active_bytes = more;
}

/* Leaves nodes until the parent is the innermost. False when it is not open. */
static bool
leave_up_to(struct tree_path *path, const struct tree *tree, uint32_t parent)
{
	while (path->at != parent && path->at != SLOT_NONE) {
		path->active[tree_frame(tree, path->at)]--;
		path->depth--;
		path->at = tree_parent(tree, path->at);
	}
	/* the first of all has no parent, and no other */
	return path->at == parent && (parent != SLOT_NONE || tree->nodes == 1);
}

void
tree_path_enter(struct tree_path *path, struct tree *tree, uint32_t slot,
		uint32_t frames)
{
	if (path->broken)
		return;
	if (!leave_up_to(path, tree, tree_parent(tree, slot)) ||
	    path->depth >= tree->limits->of[LIMIT_MAX_DEPTH]) {
		path->broken = true;
		return;
	}
	have_room(path, tree->arena, frames);
	tree_mark(tree, slot, path->active[tree_frame(tree, slot)]++ == 0);
	path->at = slot;
	path->depth++;
	if (path->depth > tree->max_depth)
		tree->max_depth = path->depth;
}
