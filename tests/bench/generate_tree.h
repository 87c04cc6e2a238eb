/*
 * The call tree of a generated profile: grown stack by stack, as a sampler
 * would see them, so that ids are in the order of creation.
 */
#ifndef TESTS_BENCH_GENERATE_TREE_H
#define TESTS_BENCH_GENERATE_TREE_H

#include "generate.h"

static uint32_t
node_add(struct gen *gen, uint32_t parent, uint32_t frame)
{
	struct tree *tree = &gen->tree;
	uint32_t node = (uint32_t)tree->count++;

	tree->frame[node] = (uint16_t)frame;
	tree->first[node] = tree->last[node] = tree->next[node] = NONE;
	gen->frames[frame].is_used = true;
	if (parent == NONE)
		return node;
	if (tree->first[parent] == NONE)
		tree->first[parent] = node;
	else
		tree->next[tree->last[parent]] = node;
	tree->last[parent] = node;
	return node;
}

/* Depth of the next stack: around the shape's usual, now and then deeper. */
static uint32_t
depth_draw(struct gen *gen)
{
	const struct shape *shape = gen->shape;
	uint64_t third = shape->depth_usual / 3 + 1;
	uint32_t depth = 2;

	if (rand_below(&gen->rand, 100) == 0)
		return 2 + rand_below(&gen->rand, shape->depth_max - 2);
	for (int i = 0; i < 3; i++)
		depth += rand_below(&gen->rand, third);
	return depth < shape->depth_max ? depth : shape->depth_max;
}

/*
 * Stacks as a sampler sees them: each shares its lower part with the one
 * before, may go on along known nodes (hence ids that are not in pre-order),
 * and ends in new ones.
 */
static void
tree_make(struct gen *gen)
{
	struct tree *tree = &gen->tree;
	uint32_t path[DEPTH_MAX + 1];
	uint32_t depth = 1;

	tree->first = zeroed(gen->nodes, sizeof *tree->first);
	tree->last = zeroed(gen->nodes, sizeof *tree->last);
	tree->next = zeroed(gen->nodes, sizeof *tree->next);
	tree->hits = zeroed(gen->nodes, sizeof *tree->hits);
	tree->frame = zeroed(gen->nodes, sizeof *tree->frame);
	path[1] = node_add(gen, NONE, ROOT);
	for (uint32_t i = PROGRAM; i < VM_FRAMES && !gen->shape->is_heap; i++)
		node_add(gen, path[1], i);
	while (tree->count < gen->nodes) {
		uint32_t target = depth_draw(gen);
		uint32_t shared = depth < target ? depth : target - 1;
		uint32_t back = rand_below(&gen->rand, 24);

		depth = shared > back + 1 ? shared - back : 1;
		while (depth < target && depth > 1 &&
		       rand_below(&gen->rand, 4) == 0 &&
		       tree->first[path[depth]] != NONE) {
			path[depth + 1] = tree->first[path[depth]];
			depth++;
		}
		while (depth < target && tree->count < gen->nodes) {
			uint32_t pick = rand_below(&gen->rand, PICKS);

			path[depth + 1] =
			    node_add(gen, path[depth], gen->picks[pick]);
			depth++;
		}
	}
}

#endif
