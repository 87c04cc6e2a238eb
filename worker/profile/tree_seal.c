/*
 * Whether the links make one tree. A walk from the only root enters every node
 * once; what it did not enter hangs on a cycle, since each node has one parent
 * at most.
 */
#include "worker/profile/tree.h"

#include <inttypes.h>

#include "worker/profile/tree_walk.h"

/* The message is about the node of that slot, by its id where it has one. */
static enum status
refuse(const struct tree *tree, struct failure *failure, enum reason reason,
       uint32_t slot, const char *what)
{
	uint64_t id;

	failure_init(failure, ST_ARTIFACT_PARSE_FAILED, reason);
	if (tree_id(tree, slot, &id))
		failure_say(failure, "node %" PRIu64 " %s", id, what);
	else
		failure_say(failure, "a node without an id %s", what);
	return ST_ARTIFACT_PARSE_FAILED;
}

/* Every slot that was named as a child or parent must be a node. */
static enum status
check_named(const struct tree *tree, struct failure *failure)
{
	for (uint32_t slot = 0; slot < tree->slots; slot++) {
		uint32_t parent = tree_parent(tree, slot);

		if (parent == SLOT_NONE)
			continue;
		if (!tree_is_node(tree, slot))
			return refuse(tree, failure, RE_UNKNOWN_CHILD, slot,
				      "is named as a child, but not there");
		if (!tree_is_node(tree, parent))
			return refuse(tree, failure, RE_UNKNOWN_PARENT, parent,
				      "is named as a parent, but not there");
	}
	return ST_OK;
}

static enum status
find_root(struct tree *tree, struct failure *failure)
{
	for (uint32_t slot = 0; slot < tree->slots; slot++) {
		if (!tree_is_node(tree, slot) ||
		    tree_parent(tree, slot) != SLOT_NONE)
			continue;
		if (tree->root != SLOT_NONE)
			return refuse(tree, failure, RE_UNREACHABLE_NODE, slot,
				      "is a second one without a parent");
		tree->root = slot;
	}
	if (tree->root != SLOT_NONE || tree->nodes == 0)
		return ST_OK;
	failure_init(failure, ST_ARTIFACT_PARSE_FAILED, RE_CYCLE);
	failure_say(failure, "every node has a parent");
	return ST_ARTIFACT_PARSE_FAILED;
}

/* Some node that a walk does not reach, for the message. Takes the lists of
 * what is reached apart, so that a node with children left is another. */
static enum status
refuse_cycle(struct tree *tree, struct failure *failure)
{
	struct tree_walk walk;
	uint32_t slot = 0;

	tree_walk_init(&walk, tree, tree->root);
	while (tree_walk_next(&walk))
		if (walk.leaving)
			tree->first[walk.at] = 0;
	while (tree->first[slot] == 0)
		slot++;
	return refuse(tree, failure, RE_CYCLE, slot,
		      "is on a cycle, or below one");
}

/* Enters and leaves every node; active counts each frame on the open path. */
static enum status
walk_all(struct tree *tree, uint32_t *active, struct failure *failure)
{
	uint64_t max = tree->limits->of[LIMIT_MAX_DEPTH];
	uint64_t depth = 0;
	uint32_t entered = 0;
	struct tree_walk walk;

	tree_walk_init(&walk, tree, tree->root);
	while (tree_walk_next(&walk)) {
		uint32_t frame = tree_frame(tree, walk.at);

		if (walk.leaving) {
			active[frame]--;
			depth--;
			continue;
		}
		entered++;
		tree_mark(tree, walk.at, active[frame]++ == 0);
		if (++depth > max) {
			failure_of_limit(failure, LIMIT_MAX_DEPTH, depth, max);
			return ST_LIMIT_EXCEEDED;
		}
		if (depth > tree->max_depth)
			tree->max_depth = (uint32_t)depth;
	}
	return entered == tree->nodes ? ST_OK : refuse_cycle(tree, failure);
}

enum status
tree_seal(struct tree *tree, uint32_t frames, bool marked,
	  struct failure *failure)
{
	uint32_t *active = NULL;
	size_t bytes;
	enum status status;

	TRY(check_named(tree, failure));
	TRY(find_root(tree, failure));
	/* Where each came under an open one, they are a tree. */
	if (tree->nodes == 0 || marked)
		return ST_OK;
	tree->max_depth = 0;
	bytes = table_size(0, (size_t)frames * sizeof(active[0]));
	table_grow(tree->arena, (void **)&active, 0, bytes);
	tree_list_children(tree);
	status = walk_all(tree, active, failure);
	if (tree->parents_first || status != ST_OK)
		tree_unlist(tree);
	table_grow(tree->arena, (void **)&active, bytes, 0);
	return status;
}
