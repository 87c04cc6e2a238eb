/*
 * Slots, nodes and links. Both tables are zero where nothing was said yet, so
 * growing them needs no initialising and untouched pages stay unbacked.
 */
#include "worker/profile/tree.h"

#include "proto/bug.h"
#include "worker/profile/tree_walk.h"

/* A slot may cost this much before the job's memory is spent on holes. */
#define DIRECT_BYTES_PER_SLOT 40

/* Ids up to so many times the number of nodes: beyond, a table is smaller. */
#define DIRECT_SLOTS_PER_NODE 2

/* And those up to here, in the smallest input: a megabyte of tables. */
#define DIRECT_ALWAYS 65536

void
tree_init(struct tree *tree, struct arena *arena, const struct limits *limits)
{
	uint64_t by_memory =
	    limits->of[LIMIT_MEMORY_BYTES] / DIRECT_BYTES_PER_SLOT;
	uint64_t by_count = limits->of[LIMIT_MAX_NODES];

	*tree = (struct tree){
	    .arena = arena,
	    .limits = limits,
	    .root = SLOT_NONE,
	    .direct_max = by_memory < by_count ? by_memory : by_count,
	    .parents_first = true,
	};
}

void
tree_fini(struct tree *tree)
{
	table_grow(tree->arena, (void **)&tree->frame, tree->frame_bytes, 0);
	table_grow(tree->arena, (void **)&tree->parent, tree->parent_bytes, 0);
	id_table_fini(&tree->ids, tree->arena);
	tree_unlist(tree);
	tree->slots = 0;
	tree->nodes = 0;
}

void
tree_expect(struct tree *tree, uint64_t nodes)
{
	uint64_t most = DIRECT_ALWAYS + DIRECT_SLOTS_PER_NODE * nodes;

	if (tree->direct_max > most)
		tree->direct_max = most;
}

static void
grow_table(struct arena *arena, uint32_t **base, size_t *bytes, size_t need)
{
	if (need > *bytes) {
		size_t more = table_size(*bytes, need);

		table_grow(arena, (void **)base, *bytes, more);
		*bytes = more;
	}
}

static void
have_slots(struct tree *tree, uint32_t slots)
{
	size_t need = (size_t)slots * sizeof(uint32_t);

	if (slots <= tree->slots)
		return;
	grow_table(tree->arena, &tree->frame, &tree->frame_bytes, need);
	grow_table(tree->arena, &tree->parent, &tree->parent_bytes, need);
	tree->slots = slots;
}

/* From now on slots are given out in order; those so far keep theirs. */
static void
start_hashing(struct tree *tree)
{
	for (uint32_t slot = 0; slot < tree->slots; slot++)
		if (tree->frame[slot] != 0 || tree->parent[slot] != 0)
			id_table_put(&tree->ids, tree->arena, slot, slot);
	tree->hashed = true;
}

static uint32_t
append_slot(struct tree *tree)
{
	BUG_ON(tree->slots >= NODE_FRAME);
	have_slots(tree, tree->slots + 1);
	return tree->slots - 1;
}

uint32_t
tree_slot(struct tree *tree, uint64_t id)
{
	uint32_t slot;

	if (!tree->hashed) {
		if (id <= tree->direct_max) {
			have_slots(tree, (uint32_t)id + 1);
			return (uint32_t)id;
		}
		start_hashing(tree);
	}
	slot = id_table_get(&tree->ids, id);
	if (slot == ID_TABLE_NONE) {
		slot = append_slot(tree);
		id_table_put(&tree->ids, tree->arena, id, slot);
	}
	return slot;
}

uint32_t
tree_find_hashed(const struct tree *tree, uint64_t id)
{
	uint32_t slot = id_table_get(&tree->ids, id);

	return slot != SLOT_NONE && tree_is_node(tree, slot) ? slot : SLOT_NONE;
}

void
tree_find_all(const struct tree *tree, const int64_t *ids, size_t n,
	      uint32_t *slots_out)
{
	const uint32_t *frame = tree->frame;
	uint64_t slots = tree->hashed ? 0 : tree->slots;

	for (size_t i = 0; i < n; i++) {
		uint64_t id = (uint64_t)ids[i]; /* below 0: far beyond */

		slots_out[i] =
		    id < slots && frame[id] != 0 ? (uint32_t)id : SLOT_NONE;
	}
	for (size_t i = 0; tree->hashed && i < n; i++)
		if (ids[i] >= 0)
			slots_out[i] = tree_find_hashed(tree, (uint64_t)ids[i]);
}

bool
tree_id(const struct tree *tree, uint32_t slot, uint64_t *id_out)
{
	if (!tree->hashed) {
		*id_out = slot;
		return true;
	}
	for (uint64_t i = 0; i < tree->ids.capacity; i++) {
		if (tree->ids.slots[i] == slot + 1) {
			*id_out = tree->ids.ids[i];
			return true;
		}
	}
	return false;
}

uint32_t
tree_slot_anonymous(struct tree *tree)
{
	if (!tree->hashed)
		start_hashing(tree);
	return append_slot(tree);
}

enum tree_result
tree_name(struct tree *tree, uint32_t slot, uint64_t id)
{
	BUG_ON(!tree->hashed);
	if (id_table_get(&tree->ids, id) != ID_TABLE_NONE)
		return TREE_DUPLICATE;
	id_table_put(&tree->ids, tree->arena, id, slot);
	return TREE_OK;
}

enum tree_result
tree_add(struct tree *tree, uint32_t slot, uint32_t frame)
{
	if (tree->frame[slot] != 0)
		return TREE_DUPLICATE;
	tree->frame[slot] = frame + 1;
	tree->nodes++;
	return TREE_OK;
}

void
tree_set_frame(struct tree *tree, uint32_t slot, uint32_t frame)
{
	BUG_ON(tree->frame[slot] == 0);
	tree->frame[slot] = frame + 1;
}

enum tree_result
tree_link(struct tree *tree, uint32_t parent, uint32_t child)
{
	if (parent == child)
		return TREE_SELF;
	if (tree->parent[child] != 0)
		return TREE_TWO_PARENTS;
	tree->parent[child] = parent + 1;
	tree->linked++;
	if (parent > child)
		tree->parents_first = false;
	return TREE_OK;
}

void
tree_unlink(struct tree *tree, uint32_t child)
{
	BUG_ON(tree->parent[child] == 0);
	tree->parent[child] = 0;
	tree->linked--;
}
