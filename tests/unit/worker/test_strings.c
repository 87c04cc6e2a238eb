/*
 * A string is kept once and named by the order of first sight.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "worker/profile/strings.h"

static struct arena arena;
static struct strings strings;

static void
setup(void)
{
	arena_init(&arena, UINT64_C(1) << 30);
	strings_init(&strings, &arena);
}

static uint32_t
put(const char *text)
{
	return strings_intern(&strings, span_str(text));
}

Test(strings, numbers_strings_in_the_order_of_first_sight, .init = setup)
{
	cr_assert_eq(put("b"), 0);
	cr_assert_eq(put("a"), 1);
	cr_assert_eq(put("b"), 0);
	cr_assert_eq(put(""), 2);
	cr_assert_eq(put(""), 2);
	cr_assert_eq(strings.len, 3);
	arena_fini(&arena);
}

Test(strings, keeps_a_copy, .init = setup)
{
	char text[] = "name";
	uint32_t number = put(text);

	text[0] = 'X';
	cr_assert(span_is(strings_get(&strings, number), "name"));
	arena_fini(&arena);
}

Test(strings, tells_strings_apart_that_go_on_behind_a_zero_byte, .init = setup)
{
	uint32_t a = strings_intern(&strings, span_of("f\0a", 3));
	uint32_t b = strings_intern(&strings, span_of("f\0b", 3));

	cr_assert_neq(a, b);
	cr_assert_neq(put("f"), a);
	cr_assert_eq(strings_get(&strings, b).len, 3);
	arena_fini(&arena);
}

Test(strings, finds_each_of_many_again, .init = setup)
{
	char text[32];

	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 20000; i++) {
			snprintf(text, sizeof(text), "function%u", i);
			cr_assert_eq(put(text), i);
		}
	}
	cr_assert_eq(strings.len, 20000);
	arena_fini(&arena);
}
