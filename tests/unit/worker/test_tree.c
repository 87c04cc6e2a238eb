/*
 * Slots from ids, dense or not, and links between them.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"

static struct model model;

static struct tree *
setup_tree(void)
{
	model_init(&model);
	return &model.profile.tree;
}

Test(tree, has_ids_as_slots_while_they_are_small)
{
	struct tree *tree = setup_tree();

	cr_assert_eq(tree_slot(tree, 0), 0);
	cr_assert_eq(tree_slot(tree, 9), 9);
	cr_assert_eq(tree_slot(tree, 5), 5);
	cr_assert_not(tree->hashed);
	cr_assert_eq(tree->slots, 10);
	model_fini(&model);
}

Test(tree, finds_only_ids_that_name_a_node)
{
	struct tree *tree = setup_tree();

	cr_assert_eq(tree_find(tree, 3), SLOT_NONE);
	cr_assert_eq(tree_add(tree, tree_slot(tree, 3), 7), TREE_OK);
	cr_assert_eq(tree_find(tree, 3), 3);
	cr_assert_eq(tree_find(tree, 2), SLOT_NONE, "a slot, but no node");
	cr_assert_eq(tree_find(tree, UINT64_MAX), SLOT_NONE);
	cr_assert_eq(tree_frame(tree, 3), 7);
	model_fini(&model);
}

Test(tree, turns_to_slots_in_order_of_arrival_with_the_first_large_id)
{
	struct tree *tree = setup_tree();
	uint64_t large = UINT64_C(1) << 63;
	uint32_t slot;

	cr_assert_eq(tree_add(tree, tree_slot(tree, 4), 0), TREE_OK);
	slot = tree_slot(tree, large);
	cr_assert(tree->hashed);
	cr_assert_eq(tree_find(tree, large), SLOT_NONE);
	cr_assert_eq(tree_add(tree, slot, 1), TREE_OK);
	cr_assert_eq(tree_find(tree, large), slot);
	cr_assert_eq(tree_find(tree, 4), 4, "those so far keep theirs");
	cr_assert_eq(tree_slot(tree, large), slot);
	cr_assert_neq(tree_slot(tree, large + 1), slot);
	model_fini(&model);
}

Test(tree, remembers_links_to_slots_without_a_node_when_it_starts_to_hash)
{
	struct tree *tree = setup_tree();

	cr_assert_eq(tree_add(tree, tree_slot(tree, 1), 0), TREE_OK);
	cr_assert_eq(tree_link(tree, 1, tree_slot(tree, 2)), TREE_OK);
	(void)tree_slot(tree, UINT64_MAX);
	cr_assert_eq(tree_slot(tree, 2), 2);
	cr_assert_eq(tree_parent(tree, 2), 1);
	model_fini(&model);
}

Test(tree, refuses_a_second_node_of_the_same_id)
{
	struct tree *tree = setup_tree();
	uint32_t slot = tree_slot(tree, 8);

	cr_assert_eq(tree_add(tree, slot, 0), TREE_OK);
	cr_assert_eq(tree_add(tree, slot, 0), TREE_DUPLICATE);
	cr_assert_eq(tree->nodes, 1);
	model_fini(&model);
}

Test(tree, refuses_a_second_parent_and_a_node_under_itself)
{
	struct tree *tree = setup_tree();

	(void)tree_slot(tree, 3);
	cr_assert_eq(tree_link(tree, 1, 3), TREE_OK);
	cr_assert_eq(tree_link(tree, 2, 3), TREE_TWO_PARENTS);
	cr_assert_eq(tree_link(tree, 1, 3), TREE_TWO_PARENTS);
	cr_assert_eq(tree_link(tree, 2, 2), TREE_SELF);
	cr_assert_eq(tree_parent(tree, 3), 1);
	cr_assert_eq(tree_parent(tree, 1), SLOT_NONE);
	model_fini(&model);
}

Test(tree, gives_nodes_without_ids_slots_and_names_them_later)
{
	struct tree *tree = setup_tree();
	uint32_t a = tree_slot_anonymous(tree);
	uint32_t b = tree_slot_anonymous(tree);
	uint64_t id;

	cr_assert_neq(a, b);
	cr_assert_eq(tree_add(tree, a, 0), TREE_OK);
	cr_assert_not(tree_id(tree, a, &id));
	cr_assert_eq(tree_name(tree, a, 70), TREE_OK);
	cr_assert_eq(tree_find(tree, 70), a);
	cr_assert(tree_id(tree, a, &id));
	cr_assert_eq(id, 70);
	cr_assert_eq(tree_name(tree, b, 70), TREE_DUPLICATE);
	model_fini(&model);
}

Test(tree, knows_whether_every_parent_comes_before_its_children)
{
	struct tree *tree = setup_tree();

	(void)tree_slot(tree, 5);
	cr_assert_eq(tree_link(tree, 1, 2), TREE_OK);
	cr_assert(tree->parents_first);
	cr_assert_eq(tree_link(tree, 4, 3), TREE_OK);
	cr_assert_not(tree->parents_first);
	model_fini(&model);
}

/* 8 bytes for the node and at most 36 for its id; tables grow by half. */
Test(tree, costs_few_bytes_a_node_where_ids_are_sparse)
{
	struct tree *tree = setup_tree();
	const uint32_t nodes = 100000;

	tree_expect(tree, nodes);
	for (uint32_t i = 1; i <= nodes; i++)
		cr_assert_eq(tree_add(tree, tree_slot(tree, i * 100), 0),
			     TREE_OK);
	/* the ids that were slots before the first large one */
	cr_assert_leq(model.arena.used_bytes,
		      48 * (uint64_t)nodes + 12 * (65536 + 2 * nodes));
	model_fini(&model);
}

Test(tree, has_small_ids_as_slots_whatever_it_expects)
{
	struct tree *tree = setup_tree();

	tree_expect(tree, 0);
	cr_assert_eq(tree_slot(tree, 60000), 60000);
	cr_assert_not(tree->hashed);
	(void)tree_slot(tree, 70000);
	cr_assert(tree->hashed);
	model_fini(&model);
}

/* 8 bytes a node, whose table grows by half: at most 12. */
Test(tree, costs_few_bytes_a_node_where_ids_are_dense)
{
	struct tree *tree = setup_tree();
	const uint32_t nodes = 1000000;

	for (uint32_t i = 1; i <= nodes; i++) {
		cr_assert_eq(tree_add(tree, tree_slot(tree, i), 0), TREE_OK);
		if (i > 1)
			cr_assert_eq(tree_link(tree, i - 1, i), TREE_OK);
	}
	cr_assert_leq(model.arena.used_bytes, 12 * (uint64_t)nodes + 65536);
	model_fini(&model);
}
