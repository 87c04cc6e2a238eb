/*
 * A walk enters each node once before its children and leaves it after them.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/random_tree.h"
#include "worker/profile/tree_walk.h"

static struct model model;

static void
build(const struct random_tree *random)
{
	struct tree *tree;

	model_init(&model);
	tree = &model.profile.tree;
	for (uint32_t i = 0; i < random->len; i++) {
		uint32_t slot = tree_slot(tree, random->id[i]);

		cr_assert_eq(tree_add(tree, slot, random->frame[i]), TREE_OK);
	}
	for (uint32_t i = 1; i < random->len; i++)
		cr_assert_eq(tree_link(tree,
				       tree_slot(tree,
						 random->id[random->parent[i]]),
				       tree_slot(tree, random->id[i])),
			     TREE_OK);
}

Test(tree_walk, is_over_at_once_in_an_empty_tree)
{
	struct tree_walk walk;

	model_init(&model);
	tree_walk_init(&walk, &model.profile.tree, SLOT_NONE);
	cr_assert_not(tree_walk_next(&walk));
	model_fini(&model);
}

Test(tree_walk, enters_and_leaves_a_single_node)
{
	struct random_tree one = {.len = 1, .id = {1}};
	struct tree_walk walk;

	build(&one);
	tree_list_children(&model.profile.tree);
	tree_walk_init(&walk, &model.profile.tree, 1);
	cr_assert(tree_walk_next(&walk) && !walk.leaving && walk.at == 1);
	cr_assert(tree_walk_next(&walk) && walk.leaving && walk.at == 1);
	cr_assert_not(tree_walk_next(&walk));
	model_fini(&model);
}

Test(tree_walk, enters_each_node_inside_its_parent)
{
	for (uint64_t seed = 0; seed < 500; seed++) {
		uint32_t open[TREE_NODES_MAX], depth = 0, entered = 0;
		struct random_tree random;
		struct tree_walk walk;
		struct tree *tree;

		random_tree(&random, seed, (enum id_kind)(seed % ID_KINDS),
			    false);
		build(&random);
		tree = &model.profile.tree;
		tree_list_children(tree);
		tree_walk_init(&walk, tree, tree_slot(tree, random.id[0]));
		while (tree_walk_next(&walk)) {
			if (walk.leaving) {
				cr_assert_eq(open[--depth], walk.at);
				continue;
			}
			cr_assert_eq(tree_parent(tree, walk.at),
				     depth == 0 ? SLOT_NONE : open[depth - 1]);
			open[depth++] = walk.at;
			entered++;
		}
		cr_assert_eq(entered, random.len);
		cr_assert_eq(depth, 0);
		tree_unlist(tree);
		cr_assert_null(tree->first);
		model_fini(&model);
	}
}

Test(tree_walk, needs_no_stack_for_a_chain_of_a_million)
{
	struct tree_walk walk;
	struct tree *tree;
	uint32_t steps = 0;

	model_init(&model);
	tree = &model.profile.tree;
	for (uint32_t i = 0; i < 1000000; i++) {
		cr_assert_eq(tree_add(tree, tree_slot(tree, i), 0), TREE_OK);
		if (i > 0)
			cr_assert_eq(tree_link(tree, i - 1, i), TREE_OK);
	}
	tree_list_children(tree);
	tree_walk_init(&walk, tree, 0);
	while (tree_walk_next(&walk))
		steps++;
	cr_assert_eq(steps, 2000000);
	model_fini(&model);
}
