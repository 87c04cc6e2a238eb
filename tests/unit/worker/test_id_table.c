/*
 * Any 64-bit id leads to its slot, and to none before it was put.
 */
#include <criterion/criterion.h>

#include "tests/support/random_tree.h"
#include "worker/profile/id_table.h"

Test(id_table, has_nothing_at_first)
{
	struct id_table table = {0};

	cr_assert_eq(id_table_get(&table, 0), ID_TABLE_NONE);
	cr_assert_eq(id_table_get(&table, UINT64_MAX), ID_TABLE_NONE);
}

Test(id_table, holds_the_smallest_and_the_largest_id_and_slot_zero)
{
	struct id_table table = {0};
	struct arena arena;

	arena_init(&arena, 1 << 20);
	id_table_put(&table, &arena, 0, 0);
	id_table_put(&table, &arena, UINT64_MAX, 7);
	cr_assert_eq(id_table_get(&table, 0), 0);
	cr_assert_eq(id_table_get(&table, UINT64_MAX), 7);
	cr_assert_eq(id_table_get(&table, 1), ID_TABLE_NONE);
	arena_fini(&arena);
}

Test(id_table, finds_each_of_many_ids_again)
{
	struct id_table table = {0};
	uint64_t state = 1;
	struct arena arena;

	arena_init(&arena, 64 << 20);
	for (uint32_t i = 0; i < 100000; i++)
		id_table_put(&table, &arena, random_next(&state), i);
	state = 1;
	for (uint32_t i = 0; i < 100000; i++)
		cr_assert_eq(id_table_get(&table, random_next(&state)), i);
	cr_assert_eq(id_table_get(&table, 12345), ID_TABLE_NONE);
	arena_fini(&arena);
}

/* 12 bytes an entry, at most two thirds full and never less than a third. */
Test(id_table, costs_at_most_36_bytes_an_id)
{
	struct id_table table = {0};
	struct arena arena;

	arena_init(&arena, 64 << 20);
	for (uint32_t i = 0; i < 100000; i++)
		id_table_put(&table, &arena, (uint64_t)i << 32, i);
	cr_assert_leq(arena.used_bytes, 100000 * 36);
	arena_fini(&arena);
}
