/*
 * One connection is one client, whatever it calls itself.
 */
#include <criterion/criterion.h>

#include "broker/front/turn.h"

TestSuite(turn);

static const uint64_t seed[2] = {11, 12}, other_seed[2] = {11, 13};

Test(turn, is_equal_for_one_peer_only)
{
	struct peer a = {.id_len = 2, .id = "ab"};
	struct peer same = {.id_len = 2, .id = "abc", .delimiter = true};
	struct peer longer = {.id_len = 3, .id = "abc"};
	struct peer other = {.id_len = 2, .id = "ac"};

	cr_expect_eq(turn_of(&a, seed), turn_of(&same, seed));
	cr_expect_neq(turn_of(&a, seed), turn_of(&longer, seed));
	cr_expect_neq(turn_of(&a, seed), turn_of(&other, seed));
}

Test(turn, is_another_one_in_another_process)
{
	struct peer a = {.id_len = 2, .id = "ab"};

	cr_expect_neq(turn_of(&a, seed), turn_of(&a, other_seed));
}
