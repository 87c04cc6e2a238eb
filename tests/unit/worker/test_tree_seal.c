/*
 * What is one tree, and why not; and which nodes are the topmost of their
 * frame.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/random_tree.h"

static struct model model;

static struct tree *
setup_tree(void)
{
	model_init(&model);
	return &model.profile.tree;
}

static void
add(uint64_t id, uint32_t frame)
{
	struct tree *tree = &model.profile.tree;

	cr_assert_eq(tree_add(tree, tree_slot(tree, id), frame), TREE_OK);
}

static void
child(uint64_t parent, uint64_t id)
{
	struct tree *tree = &model.profile.tree;

	/* In this order: a slot may be made by each. */
	uint32_t p = tree_slot(tree, parent), c = tree_slot(tree, id);

	cr_assert_eq(tree_link(tree, p, c), TREE_OK);
}

static void
expect_ok(uint32_t frames)
{
	cr_assert_eq(tree_seal(&model.profile.tree, frames, false,
			       &model.failure),
		     ST_OK, "%s", model.failure.message);
}

static void
expect(enum reason reason, const char *message)
{
	cr_assert_eq(tree_seal(&model.profile.tree, 8, false, &model.failure),
		     ST_ARTIFACT_PARSE_FAILED);
	cr_assert_eq(model.failure.reason, reason, "%s",
		     reason_name(model.failure.reason));
	cr_assert_str_eq(model.failure.message, message);
	model_fini(&model);
}

Test(tree_seal, takes_an_empty_tree)
{
	struct tree *tree = setup_tree();

	expect_ok(0);
	cr_assert_eq(tree->root, SLOT_NONE);
	cr_assert_eq(tree->max_depth, 0);
	model_fini(&model);
}

Test(tree_seal, finds_the_root_wherever_it_is)
{
	struct tree *tree = setup_tree();

	add(1, 0);
	add(2, 0);
	add(9, 0);
	child(9, 2);
	child(2, 1);
	expect_ok(1);
	cr_assert_eq(tree->root, 9);
	cr_assert_eq(tree->max_depth, 3);
	model_fini(&model);
}

/* a, b under it, a under that, b under that; beside them another b. */
Test(tree_seal, marks_the_topmost_node_of_each_frame_on_each_path)
{
	const bool topmost[] = {true, true, false, false, true};
	struct tree *tree = setup_tree();

	add(0, 0);
	add(1, 1);
	add(2, 0);
	add(3, 1);
	add(4, 1);
	child(0, 1);
	child(1, 2);
	child(2, 3);
	child(0, 4);
	expect_ok(2);
	for (uint32_t slot = 0; slot < 5; slot++)
		cr_assert_eq(tree_topmost(tree, slot), topmost[slot], "%u",
			     slot);
	cr_assert_eq(tree->max_depth, 4);
	model_fini(&model);
}

Test(tree_seal, refuses_a_child_that_is_no_node)
{
	setup_tree();
	add(1, 0);
	child(1, 7);
	expect(RE_UNKNOWN_CHILD, "node 7 is named as a child, but not there");
}

Test(tree_seal, refuses_a_parent_that_is_no_node)
{
	setup_tree();
	add(1, 0);
	add(2, 0);
	child(5, 2);
	expect(RE_UNKNOWN_PARENT, "node 5 is named as a parent, but not there");
}

Test(tree_seal, names_ids_that_are_no_slots)
{
	setup_tree();
	add(1, 0);
	child(1, UINT64_C(9223372036854775807));
	expect(RE_UNKNOWN_CHILD, "node 9223372036854775807 is named as a "
				 "child, but not there");
}

Test(tree_seal, refuses_a_second_root)
{
	setup_tree();
	add(3, 0);
	add(6, 0);
	expect(RE_UNREACHABLE_NODE, "node 6 is a second one without a parent");
}

Test(tree_seal, refuses_nodes_of_which_all_have_a_parent)
{
	setup_tree();
	add(1, 0);
	add(2, 0);
	child(1, 2);
	child(2, 1);
	expect(RE_CYCLE, "every node has a parent");
}

Test(tree_seal, refuses_a_cycle_beside_the_root)
{
	setup_tree();
	add(1, 0);
	add(2, 0);
	add(3, 0);
	add(4, 0);
	child(1, 2);
	child(3, 4);
	child(4, 3);
	expect(RE_CYCLE, "node 3 is on a cycle, or below one");
}

Test(tree_seal, refuses_a_tree_that_is_too_deep)
{
	struct tree *tree = setup_tree();

	model.job.limits.of[LIMIT_MAX_DEPTH] = 3;
	for (uint32_t i = 0; i < 4; i++) {
		add(i, 0);
		if (i > 0)
			child(i - 1, i);
	}
	cr_assert_eq(tree_seal(tree, 1, false, &model.failure),
		     ST_LIMIT_EXCEEDED);
	cr_assert_eq(model.failure.limit, LIMIT_MAX_DEPTH);
	cr_assert_eq(model.failure.actual, 4);
	cr_assert_eq(model.failure.max, 3);
	model_fini(&model);
}

Test(tree_seal, takes_the_largest_depth_that_is_allowed)
{
	struct tree *tree = setup_tree();

	model.job.limits.of[LIMIT_MAX_DEPTH] = 4;
	for (uint32_t i = 0; i < 4; i++) {
		add(i, 0);
		if (i > 0)
			child(i - 1, i);
	}
	expect_ok(1);
	cr_assert_eq(tree->max_depth, 4);
	model_fini(&model);
}

/* The walk up from each node says the same. */
Test(tree_seal, marks_as_a_walk_up_from_each_node_would)
{
	for (uint64_t seed = 0; seed < 1000; seed++) {
		struct tree *tree = setup_tree();
		struct random_tree r;

		random_tree(&r, seed, (enum id_kind)(seed % ID_KINDS), false);
		for (uint32_t i = r.len; i-- > 0;) {
			add(r.id[i], r.frame[i]);
			if (i > 0)
				child(r.id[r.parent[i]], r.id[i]);
		}
		expect_ok(r.frames);
		for (uint32_t i = 0; i < r.len; i++) {
			bool topmost = true;

			for (uint32_t at = i; at != 0;) {
				at = r.parent[at];
				topmost &= r.frame[at] != r.frame[i];
			}
			cr_assert_eq(tree_topmost(tree,
						  tree_slot(tree, r.id[i])),
				     topmost);
		}
		model_fini(&model);
	}
}
