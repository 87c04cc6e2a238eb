/*
 * Nodes that come depth first are marked as they come, as a look at all their
 * ancestors would; of any other order it says so.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/random_tree.h"
#include "worker/profile/tree_path.h"

static struct model model;
static struct tree_path path;

static void
setup(void)
{
	model_init(&model);
	tree_path_init(&path);
}

static void
teardown(void)
{
	tree_path_fini(&path, &model.arena);
	model_fini(&model);
}

static void
come(uint64_t id, uint64_t parent, uint32_t frame)
{
	struct tree *tree = &model.profile.tree;
	uint32_t slot = tree_slot(tree, id);

	cr_assert_eq(tree_add(tree, slot, frame), TREE_OK);
	if (parent != 0)
		cr_assert_eq(tree_link(tree, tree_slot(tree, parent), slot),
			     TREE_OK);
	tree_path_enter(&path, tree, slot, TREE_FRAMES_MAX);
}

static bool
topmost(const struct random_tree *r, uint32_t i)
{
	for (uint32_t at = i; at != 0;) {
		at = r->parent[at];
		if (r->frame[at] == r->frame[i])
			return false;
	}
	return true;
}

static uint32_t
depth(const struct random_tree *r, uint32_t i)
{
	return i == 0 ? 1 : 1 + depth(r, r->parent[i]);
}

/* Below node i, itself first; how many are in order by then. */
static uint32_t
list(const struct random_tree *r, uint32_t i, uint32_t *order, uint32_t n)
{
	order[n++] = i;
	for (uint32_t child = i + 1; child < r->len; child++)
		if (r->parent[child] == i)
			n = list(r, child, order, n);
	return n;
}

static void
check(const struct random_tree *r)
{
	const struct tree *tree = &model.profile.tree;
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < r->len; i++) {
		uint32_t slot = tree_find(tree, r->id[i]);

		cr_assert_eq(tree_topmost(tree, slot), topmost(r, i));
		if (depth(r, i) > deepest)
			deepest = depth(r, i);
	}
	cr_assert_eq(tree->max_depth, deepest);
}

Test(tree_path, marks_nodes_as_they_come)
{
	unsigned whole = 0;

	for (uint64_t seed = 0; seed < 1000; seed++) {
		uint32_t order[TREE_NODES_MAX];
		bool depth_first = seed % 2 == 0;
		struct random_tree r;

		random_tree(&r, seed, (enum id_kind)(seed % ID_KINDS), false);
		setup();
		for (uint32_t i = 0; i < r.len; i++)
			order[i] = i;
		if (depth_first)
			cr_assert_eq(list(&r, 0, order, 0), r.len);
		for (uint32_t n = 0; n < r.len; n++) {
			uint32_t i = order[n];

			come(r.id[i], i == 0 ? 0 : r.id[r.parent[i]],
			     r.frame[i]);
		}
		cr_assert(!depth_first || !path.broken);
		if (!path.broken)
			check(&r);
		whole += !depth_first && path.broken;
		teardown();
	}
	cr_assert_gt(whole, 0, "some order was another one");
}

Test(tree_path, breaks_where_a_node_comes_beside_the_open_ones)
{
	setup();
	come(1, 0, 0);
	come(2, 1, 1);
	come(3, 1, 2);
	cr_assert(!path.broken);
	come(4, 2, 1);
	cr_assert(path.broken, "2 was left for 3");
	teardown();
	setup();
	come(1, 0, 0);
	come(2, 0, 1);
	cr_assert(path.broken, "a second root");
	teardown();
	setup();
	come(2, 1, 0);
	cr_assert(path.broken, "a parent that has not come");
	teardown();
}

Test(tree_path, breaks_where_it_is_too_deep)
{
	uint64_t max = 9;

	setup();
	model.job.limits.of[LIMIT_MAX_DEPTH] = max;
	for (uint64_t id = 1; id <= max; id++)
		come(id, id - 1, 0);
	cr_assert(!path.broken);
	come(max + 1, max, 0);
	cr_assert(path.broken);
	teardown();
}
