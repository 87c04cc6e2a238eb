/*
 * Slots in, the same slots out, up to as many as may be kept.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"
#include "worker/profile/slot_list.h"

#define MANY 50000

Test(slot_list, keeps_what_was_filled_in)
{
	struct slot_list list;
	struct model model;

	model_init(&model);
	slot_list_init(&list, &model.arena, MANY * sizeof(list.slots[0]));
	for (uint32_t i = 0, n = 1; i < MANY; i += n, n = (n * 7 + 1) % 500) {
		uint32_t *slots = slot_list_add(&list, n);

		if (n > MANY - i) {
			cr_assert(slots == NULL);
			n = MANY - i;
			slots = slot_list_add(&list, n);
		}
		for (uint32_t j = 0; j < n; j++)
			slots[j] = (i + j) * 3;
	}
	cr_assert_eq(list.len, MANY);
	cr_assert(slot_list_add(&list, 1) == NULL);
	for (uint32_t i = 0; i < MANY; i++)
		cr_assert_eq(list.slots[i], i * 3);
	slot_list_fini(&list);
	cr_assert_eq(model.arena.used_bytes, 0);
	model_fini(&model);
}
