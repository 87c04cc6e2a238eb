/*
 * Histograms: where a value is counted.
 */
#include <criterion/criterion.h>

#include "proto/tally.h"

Test(tally, bounds_rise)
{
	for (unsigned i = 1; i < HISTOGRAM_BOUNDS; i++) {
		cr_assert_gt(histogram_job_us[i], histogram_job_us[i - 1]);
		cr_assert_gt(histogram_input_bytes[i],
			     histogram_input_bytes[i - 1]);
	}
}

Test(tally, a_value_at_a_bound_is_counted_below_it)
{
	struct histogram h = {0};

	histogram_add(&h, histogram_job_us, 0);
	histogram_add(&h, histogram_job_us, 5000);
	histogram_add(&h, histogram_job_us, 5001);
	cr_assert_eq(h.bucket[0], 2);
	cr_assert_eq(h.bucket[1], 1);
	cr_assert_eq(h.sum, 10001);
}

Test(tally, a_value_above_all_bounds_has_a_bucket_of_its_own)
{
	struct histogram h = {0};

	histogram_add(&h, histogram_input_bytes, UINT64_MAX);
	cr_assert_eq(h.bucket[HISTOGRAM_BOUNDS], 1);
}

Test(tally, a_sum_does_not_wrap)
{
	struct histogram h = {.sum = 7};

	histogram_add(&h, histogram_input_bytes, UINT64_MAX);
	cr_assert_eq(h.sum, UINT64_MAX);
}
