/*
 * Values of nodes, added up by frame: by themselves and with what they called,
 * each unit once.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/random_tree.h"

static struct model model;
static struct column column;

static void
setup(void)
{
	model_init(&model);
	column_init(&column, &model.arena);
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
	uint32_t p = tree_slot(tree, parent), c = tree_slot(tree, id);

	cr_assert_eq(tree_link(tree, p, c), TREE_OK);
}

static struct measure
fold(uint32_t frames)
{
	struct measure measure;

	cr_assert_eq(tree_seal(&model.profile.tree, frames, false,
			       &model.failure),
		     ST_OK);
	column_fold(&column, &model.profile.tree, frames, &measure);
	return measure;
}

/* root → f (2) → f (3) → g (4), and g (5) beside the first f.
 * f: self 2 + 3, inclusive 2 + 3 + 4: the inner f is in the outer one.
 * g: self and inclusive 4 + 5. */
Test(column, counts_recursion_once, .init = setup)
{
	struct measure m;

	for (uint32_t i = 0; i < 5; i++)
		add(i, (const uint32_t[]){0, 1, 1, 2, 2}[i]);
	child(0, 1);
	child(1, 2);
	child(2, 3);
	child(0, 4);
	for (uint32_t i = 1; i < 5; i++)
		cr_assert(column_add(&column, i, i + 1));
	m = fold(3);
	cr_assert_eq(m.total, 14);
	cr_assert_eq(m.self[0], 0);
	cr_assert_eq(m.inclusive[0], 14);
	cr_assert_eq(m.self[1], 5);
	cr_assert_eq(m.inclusive[1], 9);
	cr_assert_eq(m.self[2], 9);
	cr_assert_eq(m.inclusive[2], 9);
	model_fini(&model);
}

/* f calls g calls f: within f all 6, within g 4 + 1. */
Test(column, counts_mutual_recursion_once, .init = setup)
{
	struct measure m;

	add(0, 0);
	add(1, 1);
	add(2, 0);
	child(0, 1);
	child(1, 2);
	cr_assert(column_add(&column, 0, 1));
	cr_assert(column_add(&column, 1, 4));
	cr_assert(column_add(&column, 2, 1));
	m = fold(2);
	cr_assert_eq(m.self[0], 2);
	cr_assert_eq(m.inclusive[0], 6);
	cr_assert_eq(m.self[1], 4);
	cr_assert_eq(m.inclusive[1], 5);
	model_fini(&model);
}

Test(column, of_an_empty_tree_is_all_zero, .init = setup)
{
	struct measure m = fold(0);

	cr_assert_eq(m.total, 0);
	cr_assert(measure_add(&m, 0, 3), "there is room for one frame more");
	cr_assert_eq(m.total, 3);
	cr_assert_eq(m.inclusive[0], 3);
	model_fini(&model);
}

Test(column, widens_when_its_sum_leaves_32_bits, .init = setup)
{
	struct measure m;

	add(0, 0);
	add(1, 1);
	child(0, 1);
	cr_assert(column_add(&column, 1, UINT32_MAX));
	cr_assert_null(column.wide);
	cr_assert(column_add(&column, 0, 1));
	cr_assert_not_null(column.wide);
	cr_assert(column_add(&column, 1, UINT64_C(1) << 40));
	m = fold(2);
	cr_assert_eq(m.self[0], 1);
	cr_assert_eq(m.self[1], UINT32_MAX + (UINT64_C(1) << 40));
	cr_assert_eq(m.inclusive[0], UINT32_MAX + (UINT64_C(1) << 40) + 1);
	model_fini(&model);
}

Test(column, refuses_a_sum_beyond_64_bits_and_stays_as_it_was, .init = setup)
{
	cr_assert(column_add(&column, 3, UINT64_MAX - 1));
	cr_assert_not(column_add(&column, 3, 2));
	cr_assert_eq(column.total, UINT64_MAX - 1);
	cr_assert(column_add(&column, 4, 1));
	cr_assert_eq(column.total, UINT64_MAX);
	column_fini(&column);
	model_fini(&model);
}

Test(column, refuses_a_measure_beyond_64_bits)
{
	struct measure m;

	model_init(&model);
	measure_init(&m, &model.arena, 2);
	cr_assert(measure_add(&m, 0, UINT64_MAX));
	cr_assert_not(measure_add(&m, 1, 1));
	model_fini(&model);
}

Test(column, gives_its_memory_back, .init = setup)
{
	uint64_t before = model.arena.used_bytes;

	cr_assert(column_add(&column, 100000, 1));
	cr_assert(column_add(&column, 1, UINT64_C(1) << 33));
	cr_assert_gt(model.arena.used_bytes, before);
	column_fini(&column);
	cr_assert_eq(model.arena.used_bytes, before);
	model_fini(&model);
}

/* Builds the random tree in one of several orders and holds the fold to the
 * walk up from each node. */
static void
check_tree(uint64_t seed, enum id_kind kind, bool backwards, bool big)
{
	struct random_tree r;
	struct frame_sums want;
	struct measure m;

	random_tree(&r, seed, kind, big);
	random_tree_sums(&r, &want);
	setup();
	for (uint32_t n = 0; n < r.len; n++) {
		uint32_t i = backwards ? r.len - 1 - n : n;
		uint32_t slot = tree_slot(&model.profile.tree, r.id[i]);

		add(r.id[i], r.frame[i]);
		if (i > 0)
			child(r.id[r.parent[i]], r.id[i]);
		cr_assert(column_add(&column, slot, r.value[i]));
	}
	m = fold(r.frames);
	cr_assert_eq(m.total, want.total);
	for (uint32_t f = 0; f < r.frames; f++) {
		cr_assert_eq(m.self[f], want.self[f], "seed %lu", seed);
		cr_assert_eq(m.inclusive[f], want.inclusive[f], "seed %lu",
			     seed);
		cr_assert(m.self[f] <= m.inclusive[f] &&
			  m.inclusive[f] <= m.total);
	}
	model_fini(&model);
}

Test(column, adds_random_trees_up_as_a_walk_up_from_each_node_would)
{
	for (uint64_t seed = 0; seed < 600; seed++)
		for (int kind = 0; kind < ID_KINDS; kind++)
			for (int how = 0; how < 4; how++)
				check_tree(seed, (enum id_kind)kind,
					   (how & 1) != 0, (how & 2) != 0);
}

static uint64_t
at(const struct column *c, uint32_t slot)
{
	if (c->wide != NULL)
		return slot < c->wide_len ? c->wide[slot] : 0;
	return slot < c->narrow_len ? c->narrow[slot] : 0;
}

/* Amounts all at once are amounts one by one, below 32 bits and beyond. */
Test(column, adds_many_as_one_by_one, .init = setup)
{
	struct column single;
	uint64_t state = 3, none = 0;

	column_init(&single, &model.arena);
	for (uint32_t round = 0; round < 400; round++) {
		struct column_amount amounts[50];
		uint32_t slots[50], n = random_below(&state, 51);

		for (uint32_t i = 0; i < n; i++) {
			bool known = random_below(&state, 9) > 0;
			uint64_t value = random_below(&state, 1 << 21);

			slots[i] =
			    known ? random_below(&state, 9 + round) : SLOT_NONE;
			amounts[i] = (struct column_amount){slots[i], value};
			none += known ? 0 : value + 1;
			cr_assert(!known ||
				  column_add(&single, slots[i], value + 1));
		}
		cr_assert(column_add_all(&column, amounts, n));
		column_count(&column, slots, n);
		cr_assert_eq(column.total, single.total);
		cr_assert_eq(column.none, none);
	}
	cr_assert(column.wide != NULL);
	for (uint32_t slot = 0; slot < 409; slot++)
		cr_assert_eq(at(&column, slot), at(&single, slot));
	column_fini(&single);
}

Test(column, adds_no_sum_beyond_64_bits, .init = setup)
{
	const struct column_amount nodes[] = {{1, UINT64_MAX - 1}, {2, 1}};
	const struct column_amount others[] = {{SLOT_NONE, UINT64_MAX},
					       {SLOT_NONE, 1}};

	cr_assert(column_add_all(&column, nodes, 2));
	cr_assert(!column_add_all(&column, nodes + 1, 1));
	cr_assert(column_add_all(&column, others, 1));
	cr_assert(!column_add_all(&column, others + 1, 1));
	cr_assert_eq(column.total, UINT64_MAX);
	cr_assert_eq(column.none, UINT64_MAX);
	cr_assert_eq(at(&column, 2), 1);
}

/* Gaps between times are amounts; taken back, nothing is left of them. */
Test(column, adds_gaps_and_takes_them_back, .init = setup)
{
	struct column single;
	uint64_t state = 5;

	column_init(&single, &model.arena);
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t slots[50], n = random_below(&state, 51);
		int64_t times[51];

		times[0] = (int64_t)random_next(&state) >> 8;
		for (uint32_t i = 0; i < n; i++) {
			struct column_amount one;

			slots[i] = random_below(&state, 9) == 0
				       ? SLOT_NONE
				       : random_below(&state, 9 + round);
			times[i + 1] = times[i] + random_below(&state, 1 << 23);
			one.slot = slots[i];
			one.value = (uint64_t)(times[i + 1] - times[i]);
			if (round % 2 == 0)
				cr_assert(column_add_all(&single, &one, 1));
		}
		cr_assert(column_add_gaps(&column, slots, times, n));
		if (round % 2 == 1)
			column_take_gaps(&column, slots, times, n);
		cr_assert_eq(column.total, single.total);
		cr_assert_eq(column.none, single.none);
	}
	cr_assert(column.wide != NULL);
	for (uint32_t slot = 0; slot < 309; slot++)
		cr_assert_eq(at(&column, slot), at(&single, slot));
}

Test(column, adds_no_gaps_beyond_64_bits, .init = setup)
{
	const uint32_t slots[] = {1, SLOT_NONE};
	const int64_t times[] = {INT64_MIN, INT64_MAX, INT64_MAX};

	cr_assert(column_add_gaps(&column, slots, times, 2));
	cr_assert_eq(column.total, UINT64_MAX);
	cr_assert(!column_add_gaps(&column, slots, times, 2));
	cr_assert_eq(at(&column, 1), UINT64_MAX);
}
