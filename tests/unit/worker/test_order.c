/*
 * Frames from the heaviest to the lightest, ties by id, whatever the input.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/random_tree.h"
#include "worker/profile/order.h"

#define MANY 3000

static uint64_t value[MANY];
static uint8_t id[MANY][FRAME_ID_BYTES];
static uint32_t frames[MANY], scratch[MANY];

static const struct order by_value = {value,
				      (const uint8_t (*)[FRAME_ID_BYTES])id};

static void
order_all(uint32_t len)
{
	for (unsigned pass = 0; pass < ORDER_PASSES; pass++)
		order_pass(&by_value, pass, frames, scratch, len);
}

Test(order, has_the_heaviest_first_and_ties_by_rising_id)
{
	/* ids 3, 1, 2, 0 and values 5, 9, 5, 0 */
	const uint64_t values[] = {5, 9, 5, 0};
	const uint8_t ids[] = {3, 1, 2, 0};
	const uint32_t want[] = {1, 2, 0, 3};

	for (uint32_t i = 0; i < 4; i++) {
		value[i] = values[i];
		id[i][15] = ids[i]; /* the last byte alone tells */
		frames[i] = i;
	}
	order_all(4);
	cr_assert_arr_eq(frames, want, sizeof(want));
}

Test(order, takes_none_and_one)
{
	frames[0] = 0;
	order_all(0);
	order_all(1);
	cr_assert_eq(frames[0], 0);
}

Test(order, does_not_depend_on_how_frames_are_numbered)
{
	uint64_t state = 42;

	for (uint32_t round = 0; round < 20; round++) {
		uint32_t len = 1 + random_below(&state, MANY);

		for (uint32_t i = 0; i < len; i++) {
			uint64_t random = random_next(&state);

			value[i] = random_below(&state, round < 10 ? 5 : 1000);
			memcpy(id[i], &random, sizeof(random));
		}
		random_order(&state, frames, len);
		order_all(len);
		for (uint32_t i = 1; i < len; i++) {
			uint32_t a = frames[i - 1], b = frames[i];

			cr_assert(value[a] > value[b] ||
				  (value[a] == value[b] &&
				   memcmp(id[a], id[b], FRAME_ID_BYTES) < 0));
		}
	}
}
