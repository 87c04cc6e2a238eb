/*
 * The lower median, exactly, or none.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/support/random_tree.h"
#include "worker/profile/median.h"

static struct arena arena;
static struct median median;

static void
setup(void)
{
	arena_init(&arena, 64 << 20);
	median_init(&median, &arena);
}

static void
expect(int64_t want)
{
	int64_t value = -777;

	cr_assert(median_get(&median, &value));
	cr_assert_eq(value, want, "%lld", (long long)value);
}

Test(median, of_nothing_is_none, .init = setup)
{
	int64_t value;

	cr_assert_not(median_get(&median, &value));
	median_fini(&median);
	cr_assert_eq(arena.used_bytes, 0);
}

Test(median, of_an_even_number_is_the_lower_one, .init = setup)
{
	median_add(&median, 7);
	expect(7);
	median_add(&median, 9);
	expect(7);
	median_add(&median, 8);
	expect(8);
	median_fini(&median);
}

Test(median, may_be_negative_or_larger_than_what_is_counted_apart,
     .init = setup)
{
	median_add(&median, -5);
	expect(-5);
	median_add(&median, INT64_MIN);
	expect(INT64_MIN);
	median_add(&median, INT64_MAX);
	expect(-5);
	median_add(&median, MEDIAN_SMALL);
	median_add(&median, MEDIAN_SMALL);
	/* MIN, -5, 65536, 65536, MAX */
	expect(MEDIAN_SMALL);
	median_fini(&median);
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

Test(median, is_that_of_a_sorted_array)
{
	static int64_t all[2000];
	uint64_t state = 3;

	for (int round = 0; round < 60; round++) {
		uint32_t len = 1 + random_below(&state, 2000);

		setup();
		for (uint32_t i = 0; i < len; i++) {
			/* small, on both sides of the bounds, or anything */
			int64_t v = (int64_t)random_next(&state);

			if (round % 3 == 0)
				v = (v & 0x3ffff) - 0x10000;
			else if (round % 3 == 1)
				v &= 0xff;
			all[i] = v;
			median_add(&median, v);
		}
		qsort(all, len, sizeof(all[0]), compare);
		expect(all[(len - 1) / 2]);
		median_fini(&median);
		arena_fini(&arena);
	}
}

/* 5000 distinct large values are more than are kept. */
Test(median, is_none_when_it_lies_among_too_many_large_values, .init = setup)
{
	int64_t value;

	for (int i = 0; i < 5000; i++)
		median_add(&median, 100000 + i);
	cr_assert_not(median_get(&median, &value));
	/* with 5001 small ones it lies among these */
	for (int i = 0; i < 5001; i++)
		median_add(&median, 50);
	expect(50);
	median_fini(&median);
}
