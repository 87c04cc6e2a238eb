/*
 * The heap of deadlines against a plain search.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "broker/supervisor/deadline.h"

#define NODES 64

static const struct deadline *
earliest(const struct deadline *nodes)
{
	const struct deadline *first = NULL;

	for (unsigned i = 0; i < NODES; i++)
		if (deadline_is_set(&nodes[i]) &&
		    (first == NULL || nodes[i].at_us < first->at_us))
			first = &nodes[i];
	return first;
}

Test(deadline, the_first_is_the_earliest_whatever_is_set_moved_and_cleared)
{
	struct deadline nodes[NODES] = {{0}};
	struct deadlines heap;
	unsigned seed = 1;

	cr_assert(deadlines_init(&heap, NODES));
	for (unsigned i = 0; i < 20000; i++) {
		struct deadline *node = &nodes[rand_r(&seed) % NODES];
		const struct deadline *first;

		if (rand_r(&seed) % 3 == 0)
			deadline_clear(&heap, node);
		else
			deadline_set(&heap, node, DEADLINE_WALL, i,
				     (uint64_t)rand_r(&seed) % 1000);
		first = earliest(nodes);
		if (first == NULL)
			cr_assert_null(deadlines_first(&heap));
		else
			cr_assert_eq(deadlines_first(&heap)->at_us,
				     first->at_us);
	}
	deadlines_fini(&heap);
}

Test(deadline, those_that_are_due_come_in_order_and_once)
{
	struct deadline nodes[NODES] = {{0}};
	struct deadlines heap;
	struct deadline due;
	uint64_t before = 0;
	unsigned seed = 2, taken = 0;

	cr_assert(deadlines_init(&heap, NODES));
	for (unsigned i = 0; i < NODES; i++)
		deadline_set(&heap, &nodes[i], DEADLINE_STALL, i,
			     (uint64_t)rand_r(&seed) % 100);
	for (; deadlines_take_due(&heap, 50, &due); taken++) {
		cr_assert(due.at_us >= before && due.at_us <= 50);
		cr_assert(!deadline_is_set(&nodes[due.owner]));
		before = due.at_us;
	}
	for (unsigned i = 0; i < NODES; i++)
		if (deadline_is_set(&nodes[i])) {
			cr_assert_gt(nodes[i].at_us, 50);
			taken++;
		}
	cr_assert_eq(taken, NODES);
	deadlines_fini(&heap);
}

Test(deadline, clearing_one_that_is_not_set_does_nothing)
{
	struct deadline node = {0};
	struct deadlines heap;

	cr_assert(deadlines_init(&heap, 1));
	deadline_clear(&heap, &node);
	cr_assert_null(deadlines_first(&heap));
	deadlines_fini(&heap);
}
