/*
 * PROGRESS comes often enough, and not more.
 */
#include <criterion/criterion.h>

#include "worker/progress.h"

static bool
due(struct progress_pace *pace, enum phase phase, uint64_t bytes, uint64_t ms)
{
	struct progress progress = {.phase = phase, .bytes = bytes};

	return progress_due(pace, &progress, ms);
}

Test(progress, is_due_at_first_then_by_time_or_bytes)
{
	struct progress_pace pace;

	progress_pace_init(&pace);
	cr_assert(due(&pace, PHASE_READING, 0, 5000));
	cr_assert_not(due(&pace, PHASE_READING, 1, 5001));
	cr_assert_not(due(&pace, PHASE_READING, (64 << 20) - 1, 5999));
	cr_assert(due(&pace, PHASE_READING, 64 << 20, 5999));
	cr_assert_not(due(&pace, PHASE_READING, 65 << 20, 6998));
	cr_assert(due(&pace, PHASE_READING, 65 << 20, 6999));
}

Test(progress, tells_a_new_phase_at_once)
{
	struct progress_pace pace;

	progress_pace_init(&pace);
	cr_assert(due(&pace, PHASE_READING, 1 << 30, 10));
	cr_assert(due(&pace, PHASE_TIMING, 0, 10));
	cr_assert_not(due(&pace, PHASE_TIMING, 100, 11));
	cr_assert(due(&pace, PHASE_SELECTING, 100, 12));
}
