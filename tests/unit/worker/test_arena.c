/*
 * An arena counts what it holds, never gives NULL, and says when it is spent.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/spent.h"

Test(arena, counts_what_is_held_and_the_most_that_was)
{
	struct arena arena;
	void *a, *b;

	arena_init(&arena, 1 << 20);
	a = arena_alloc(&arena, 1000);
	b = arena_alloc(&arena, 2000);
	cr_assert_geq(arena.used_bytes, 3000);
	arena_free(&arena, a);
	arena_free(&arena, b);
	cr_assert_eq(arena.used_bytes, 0);
	cr_assert_geq(arena.high_bytes, 3000);
	arena_fini(&arena);
}

Test(arena, keeps_the_contents_of_a_block_that_grows)
{
	struct arena arena;
	char *block;

	arena_init(&arena, 16 << 20);
	block = arena_realloc(&arena, NULL, 3);
	memcpy(block, "abc", 3);
	for (size_t size = 10; size < (4 << 20); size *= 3)
		block = arena_realloc(&arena, block, size);
	cr_assert_eq(memcmp(block, "abc", 3), 0);
	block = arena_realloc(&arena, block, 2);
	cr_assert_eq(memcmp(block, "ab", 2), 0);
	arena_free(&arena, block);
	cr_assert_eq(arena.used_bytes, 0);
	arena_fini(&arena);
}

Test(arena, says_how_much_it_would_have_taken)
{
	struct arena arena;
	struct spent spent;

	arena_init(&arena, 10000);
	spent_watch(&spent, &arena);
	if (SPENT(&spent)) {
		cr_assert_geq(spent.actual, 20000);
		cr_assert_eq(spent.max, 10000);
		cr_assert_eq(arena.used_bytes, 0);
		arena_fini(&arena);
		return;
	}
	arena_alloc(&arena, 20000);
	cr_assert_fail("it gave more than its cap");
}

Test(arena, holds_a_single_block_to_its_own_cap)
{
	struct arena arena;
	struct spent spent;
	void *block;

	arena_init(&arena, 1 << 20);
	arena.block_cap_bytes = 5000;
	spent_watch(&spent, &arena);
	block = arena_alloc(&arena, 4000);
	if (SPENT(&spent)) {
		cr_assert_eq(spent.max, 5000);
		arena_fini(&arena);
		return;
	}
	arena_realloc(&arena, block, 6000);
	cr_assert_fail("a block outgrew its cap");
}

static void
use_everything(struct arena *arena)
{
	void *table = NULL;
	void *block = arena_calloc(arena, 10, 10);

	block = arena_realloc(arena, block, 500);
	arena_copy(arena, span_str("text"));
	arena_bump(arena, 40000, 8);
	table_grow(arena, &table, 0, 10000);
	table_grow(arena, &table, 10000, 100000);
	arena_free(arena, block);
}

Test(arena, fails_at_each_take_on_request_and_stays_whole)
{
	struct arena arena;
	struct spent spent;
	volatile uint64_t takes;

	arena_init(&arena, 1 << 20);
	use_everything(&arena);
	takes = arena.takes;
	arena_fini(&arena);
	cr_assert_geq(takes, 6);
	for (volatile uint64_t n = 1; n <= takes; n++) {
		arena_init(&arena, 1 << 20);
		arena.fail_at = n;
		spent_watch(&spent, &arena);
		if (!SPENT(&spent)) {
			use_everything(&arena);
			cr_assert_fail("take %d did not fail", (int)n);
		}
		cr_assert_eq(arena.takes, n);
		arena_fini(&arena);
		cr_assert_eq(arena.used_bytes, 0);
	}
}

Test(arena, never_wraps_a_size)
{
	struct arena arena;
	struct spent spent;
	volatile int step = 0;

	arena_init(&arena, UINT64_MAX);
	spent_watch(&spent, &arena);
	(void)SPENT(&spent);
	switch (step++) {
	case 0:
		arena_alloc(&arena, SIZE_MAX);
		break;
	case 1:
		arena_calloc(&arena, SIZE_MAX / 2, 3);
		break;
	case 2:
		arena_bump(&arena, SIZE_MAX - 8, 8);
		break;
	case 3: {
		void *table = NULL;
		table_grow(&arena, &table, 0, SIZE_MAX - 100);
		break;
	}
	default:
		arena_fini(&arena);
		return;
	}
	cr_assert_fail("step %d gave memory", step);
}

Test(arena, packs_strings_and_aligns_what_asks_for_it)
{
	struct arena arena;
	struct span text;
	char *a, *b;
	uint64_t *number;

	arena_init(&arena, 1 << 20);
	a = arena_bump(&arena, 3, 1);
	b = arena_bump(&arena, 0, 1);
	cr_assert_not_null(a);
	/* next to it; a sanitizer wants a gap */
	cr_assert(b >= a + 3 && b <= a + 16);
	number = arena_bump(&arena, sizeof(*number), 8);
	cr_assert_eq((uintptr_t)number % 8, 0);
	text = arena_copy(&arena, span_str("hello"));
	cr_assert(span_is(text, "hello"));
	cr_assert_not_null(arena_copy(&arena, span_of(NULL, 0)).data);
	for (unsigned i = 0; i < 1000; i++)
		memset(arena_bump(&arena, i, 1), 'x', i);
	cr_assert(span_is(text, "hello"));
	arena_fini(&arena);
}

Test(arena, gives_a_first_bump_of_nothing_too)
{
	struct arena arena;

	arena_init(&arena, 1 << 20);
	cr_assert_not_null(arena_bump(&arena, 0, 1));
	arena_fini(&arena);
}

Test(table, grows_in_zeroed_pages_and_keeps_its_contents)
{
	struct arena arena;
	void *table = NULL;
	unsigned char *bytes;

	arena_init(&arena, 64 << 20);
	table_grow(&arena, &table, 0, 100);
	memset(table, 7, 100);
	table_grow(&arena, &table, 100, 5 << 20);
	bytes = table;
	cr_assert_eq(bytes[99], 7);
	cr_assert_eq(bytes[100], 0);
	cr_assert_eq(bytes[(5 << 20) - 1], 0);
	cr_assert_geq(arena.used_bytes, 5 << 20);
	table_grow(&arena, &table, 5 << 20, 0);
	cr_assert_null(table);
	cr_assert_eq(arena.used_bytes, 0);
	arena_fini(&arena);
}

Test(table, is_zero_again_after_shrinking)
{
	struct arena arena;
	void *table = NULL;

	arena_init(&arena, 1 << 20);
	table_grow(&arena, &table, 0, 4000);
	memset(table, 7, 4000);
	table_grow(&arena, &table, 4000, 10);
	table_grow(&arena, &table, 10, 4000);
	cr_assert_eq(((unsigned char *)table)[9], 7);
	cr_assert_eq(((unsigned char *)table)[10], 0);
	arena_fini(&arena);
}

Test(table, keeps_several_apart)
{
	struct arena arena;
	void *tables[ARENA_TABLES_MAX - 1] = {NULL};

	arena_init(&arena, 8 << 20);
	for (int i = 0; i < ARENA_TABLES_MAX - 1; i++) {
		table_grow(&arena, &tables[i], 0, 5000);
		memset(tables[i], i, 5000);
	}
	for (int i = 0; i < ARENA_TABLES_MAX - 1; i++)
		cr_assert_eq(((unsigned char *)tables[i])[4999], i);
	arena_fini(&arena);
	cr_assert_eq(arena.used_bytes, 0);
}

Test(table, size_grows_by_half_in_whole_pages)
{
	cr_assert_eq(table_size(0, 1), 4096);
	cr_assert_eq(table_size(8192, 8193), 12288);
	cr_assert_eq(table_size(4096, 100000), 102400);
}
