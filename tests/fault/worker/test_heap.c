/*
 * The system refuses memory at its n-th call, although the job's cap would
 * allow it: the job ends by the arena's handler, or has the very numbers that
 * an undisturbed one has. Nothing is left behind; that is LeakSanitizer's to
 * see where it is on.
 */
#include <stdbool.h>

#include <criterion/criterion.h>

#include "tests/fault/worker/heap.h"
#include "tests/support/fault_samples.h"
#include "tests/support/spent.h"
#include "worker/extract.h"

/* All that an answer and its rows say in numbers. */
struct sums {
	uint64_t answers, rows, values, totals;
};

struct attempt {
	struct arena arena;
	struct input input;
	struct spent spent;
	struct job job;
	struct failure failure;
	struct sums sums;
	enum status status;
	bool was_spent;
	uint64_t calls;
};

static void
on_progress(void *context, const struct progress *progress)
{
	(void)context;
	(void)progress;
}

static void
on_answer(void *context, const struct answer *answer)
{
	struct sums *sums = context;

	sums->answers++;
	for (unsigned m = 0; m < answer->metrics_len; m++)
		sums->totals = sums->totals * 31 + answer->metrics[m].total;
}

static void
on_row(void *context, const struct row *row, unsigned metrics)
{
	struct sums *sums = context;

	sums->rows++;
	for (unsigned m = 0; m < metrics; m++)
		sums->values =
		    (sums->values * 31 + row->self[m]) * 31 + row->inclusive[m];
}

static void
extract_now(struct attempt *a, struct span bytes)
{
	const struct extract_sink sink = {&a->sums, on_progress, on_answer,
					  on_row};
	struct source source;

	source_of_memory(&source, bytes, 0);
	a->status = input_open_source(&a->input, &a->arena, &source,
				      &a->job.limits, true, &a->failure);
	if (a->status == ST_OK)
		a->status =
		    extract(&a->job, &a->input, &a->arena, &sink, &a->failure);
	input_close(&a->input);
}

static void
try_with(struct span bytes, uint64_t at, bool after, struct attempt *a)
{
	memset(a, 0, sizeof(*a));
	arena_init(&a->arena, UINT64_C(1) << 32);
	spent_watch(&a->spent, &a->arena);
	job_init(&a->job);
	heap_fail(at, after);
	if (SPENT(&a->spent))
		a->was_spent = true;
	else
		extract_now(a, bytes);
	a->calls = heap_stop();
	arena_fini(&a->arena);
}

static void
fail_each_call(struct span bytes, bool after)
{
	static struct attempt right, a;

	try_with(bytes, 0, false, &right);
	cr_assert_eq(right.status, ST_OK, "%s", right.failure.message);
	cr_assert_eq(right.sums.answers, 1);
	cr_assert_gt(right.calls, 10);
	for (uint64_t at = 1; at <= right.calls; at++) {
		try_with(bytes, at, after, &a);
		if (a.was_spent)
			continue;
		cr_assert_not(after, "call %lu was nobody's", at);
		cr_assert_eq(a.status, ST_OK, "call %lu: %s", at,
			     a.failure.message);
		cr_assert_arr_eq(&a.sums, &right.sums, sizeof(a.sums));
	}
}

Test(heap, one_refusal_ends_the_job_or_changes_nothing)
{
	for (size_t i = 0; i < FAULT_SAMPLES; i++) {
		struct packed sample = fault_sample(i);

		fail_each_call(packed_span(&sample), false);
		free(sample.data);
	}
}

Test(heap, refusals_from_one_call_on_end_the_job)
{
	for (size_t i = 0; i < FAULT_SAMPLES; i++) {
		struct packed sample = fault_sample(i);

		fail_each_call(packed_span(&sample), true);
		free(sample.data);
	}
}
