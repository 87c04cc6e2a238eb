/*
 * The call tree: nodes that name a frame and a parent. Knows no format.
 *
 * A node is named by its slot. While ids are dense, as V8 writes them, the slot
 * is the id itself and a node costs 8 bytes plus 4 (or 8) for each column of
 * values. With the first id beyond `direct_max`, or a node that has none, slots
 * are given out in the order of arrival and a table leads from id to slot.
 *
 * Links come as children of a parent or as the parent of a child, in any order:
 * a slot exists as soon as its id is named, and holds a node once that was
 * added. When all are there, tree_seal checks that they are one tree.
 */
#ifndef WORKER_PROFILE_TREE_H
#define WORKER_PROFILE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/limits.h"
#include "proto/status.h"
#include "worker/arena.h"
#include "worker/profile/id_table.h"

#define SLOT_NONE UINT32_MAX /* what is behind 0 */

/* In tree.frame: no ancestor of the node has the same frame. */
#define NODE_TOPMOST UINT32_C(0x80000000)
#define NODE_FRAME UINT32_C(0x7fffffff)

struct tree {
	struct arena *arena;	     /* borrowed */
	const struct limits *limits; /* borrowed */
	uint32_t *frame;  /* owned: a table; frame + 1 and NODE_TOPMOST, 0 is
			   * no node */
	uint32_t *parent; /* owned: a table; slot + 1, 0 is none */
	size_t frame_bytes, parent_bytes;
	uint32_t slots;	     /* the length of both */
	uint32_t nodes;	     /* slots that hold a node */
	uint32_t linked;     /* slots that have a parent */
	uint32_t root;	     /* after tree_seal; SLOT_NONE in an empty tree */
	uint32_t max_depth;  /* after tree_seal; the root has depth 1 */
	uint64_t direct_max; /* ids up to this may be slots */
	bool hashed;	     /* slots are arrival order; ids lead to them */
	bool parents_first;  /* every parent's slot is below its children's */
	struct id_table ids;
	/* the children of each node, while tree_walk needs them */
	uint32_t *first, *next; /* owned: tables, slot + 1; NULL when unused */
	size_t links_bytes;
};

/* Why a link or a node was refused. */
enum tree_result {
	TREE_OK,
	TREE_DUPLICATE,	  /* the id names a node already */
	TREE_TWO_PARENTS, /* the child has another parent */
	TREE_SELF,	  /* a node under itself */
};

void tree_init(struct tree *tree, struct arena *arena,
	       const struct limits *limits);

/* Gives its memory back. */
void tree_fini(struct tree *tree);

/* About how many nodes the input has room for. Ids far beyond that are sparse:
 * as slots they would cost more than a table of ids does. */
void tree_expect(struct tree *tree, uint64_t nodes);

/* The slot of an id, made when it is new. */
uint32_t tree_slot(struct tree *tree, uint64_t id);

/* The id that a slot goes by; false when it has none. Slow, for errors. */
bool tree_id(const struct tree *tree, uint32_t slot, uint64_t *id_out);

/* A slot for a node without an id, or whose id is not known yet. */
uint32_t tree_slot_anonymous(struct tree *tree);

/* Gives an anonymous slot its id. TREE_DUPLICATE when it is taken. */
NODISCARD enum tree_result tree_name(struct tree *tree, uint32_t slot,
				     uint64_t id);

/* Makes the slot a node. max_nodes is the caller's to check. */
NODISCARD enum tree_result tree_add(struct tree *tree, uint32_t slot,
				    uint32_t frame);

/* Gives an added node the frame it really has. */
void tree_set_frame(struct tree *tree, uint32_t slot, uint32_t frame);

/* Puts child under parent. The same link twice is TREE_TWO_PARENTS. */
NODISCARD enum tree_result tree_link(struct tree *tree, uint32_t parent,
				     uint32_t child);

/* Takes the link of a child that has a parent back. */
void tree_unlink(struct tree *tree, uint32_t child);

/* The parent of a slot; SLOT_NONE at a root. */
static inline uint32_t
tree_parent(const struct tree *tree, uint32_t slot)
{
	return tree->parent[slot] - 1;
}

static inline bool
tree_is_node(const struct tree *tree, uint32_t slot)
{
	return tree->frame[slot] != 0;
}

/* tree_find, where ids are no slots. */
uint32_t tree_find_hashed(const struct tree *tree, uint64_t id);

/* The slot of an id that names a node; SLOT_NONE when none does. */
static inline uint32_t
tree_find(const struct tree *tree, uint64_t id)
{
	if (tree->hashed)
		return tree_find_hashed(tree, id);
	return id < tree->slots && tree_is_node(tree, (uint32_t)id)
		   ? (uint32_t)id
		   : SLOT_NONE;
}

/* The same for many ids; one below 0 names none. */
void tree_find_all(const struct tree *tree, const int64_t *ids, size_t n,
		   uint32_t *slots_out);

static inline uint32_t
tree_frame(const struct tree *tree, uint32_t slot)
{
	return (tree->frame[slot] & NODE_FRAME) - 1;
}

static inline bool
tree_topmost(const struct tree *tree, uint32_t slot)
{
	return (tree->frame[slot] & NODE_TOPMOST) != 0;
}

static inline void
tree_mark(struct tree *tree, uint32_t slot, bool topmost)
{
	tree->frame[slot] &= NODE_FRAME;
	if (topmost)
		tree->frame[slot] |= NODE_TOPMOST;
}

/*
 * All nodes are there: one root, everything reachable, nothing named that is
 * not. Finds the depth (max_depth may be exceeded) and, unless `marked`, marks
 * the topmost nodes; frames is the number of frames. The failure has reason and
 * message; its offset and path are the caller's.
 */
NODISCARD enum status tree_seal(struct tree *tree, uint32_t frames, bool marked,
				struct failure *failure);

#endif
