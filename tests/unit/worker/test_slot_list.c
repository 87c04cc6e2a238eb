/*
 * Slots in, the same slots out, in little and in large trees.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "tests/support/random_tree.h"
#include "worker/profile/slot_list.h"

#define MANY 5000

static void
fill(uint32_t tree_slots, size_t each)
{
	static uint32_t slots[MANY], got[MANY];
	struct slot_list list;
	struct model model;
	uint64_t state = tree_slots;

	model_init(&model);
	slot_list_init(&list, &model.arena);
	for (uint32_t i = 0, n; i < MANY; i += n) {
		n = 1 + random_below(&state, 300);
		n = n < MANY - i ? n : MANY - i;
		for (uint32_t j = i; j < i + n; j++)
			slots[j] = j % 7 == 0 ? SLOT_NONE
				   : j % 7 == 1
				       ? tree_slots - 1
				       : random_below(&state, tree_slots);
		cr_assert(slot_list_add(&list, tree_slots, slots + i, n,
					MANY * each));
	}
	cr_assert(!slot_list_add(&list, tree_slots, slots, 1, MANY * each));
	cr_assert_eq(list.len, MANY);
	for (uint32_t i = 0; i < MANY; i += 13) {
		slot_list_get(&list, i, MANY - i, got);
		cr_assert_arr_eq(got, slots + i, (MANY - i) * sizeof(slots[0]));
	}
	slot_list_fini(&list);
	cr_assert_eq(model.arena.used_bytes, 0);
	model_fini(&model);
}

Test(slot_list, gives_back_what_was_added)
{
	fill(3, 2);
	fill(65534, 2);
	fill(65535, 4);
	fill(65536, 4);
	fill(UINT32_C(0x7fffffff), 4);
}
