/*
 * Questions on their way, and their numbers.
 */
#include <criterion/criterion.h>

#include "broker/front/pending.h"

TestSuite(pending);

static struct pending pending;

static struct question *
add(void)
{
	struct peer peer = {.id_len = 2, .id = "ab"};
	struct request request = {.has_id = true,
				  .id = span_str("me"),
				  .class = JOB_CLASS_BATCH,
				  .detach = true};

	return pending_add(&pending, &peer, &request, span_str("record"));
}

Test(pending, finds_a_question_by_its_number_until_it_is_removed)
{
	struct question *q = add();
	uint64_t number = q->number;

	cr_expect_eq(pending_find(&pending, number), q);
	cr_expect(span_is(span_of(q->id, q->id_len), "me"));
	cr_expect(span_is(span_of(q->record, q->record_len), "record"));
	cr_expect_eq(q->class, JOB_CLASS_BATCH);
	cr_expect(q->detach);
	pending_remove(&pending, q);
	cr_expect_null(pending_find(&pending, number));
	cr_expect_neq(add()->number, number);
}

Test(pending, is_full_at_its_size)
{
	for (unsigned i = 0; i < PENDING_MAX; i++) {
		cr_expect_not(pending_full(&pending));
		add();
	}
	cr_expect(pending_full(&pending));
	pending_remove(&pending, pending_find(&pending, 3));
	cr_expect_not(pending_full(&pending));
}
