/*
 * The answer: totals, what is active, what is left, and what is known of the
 * frames.
 */
#include "tests/unit/worker/extract_pieces.h"

#define STATE(id, name, hits)                                    \
	"{\"id\":" id ",\"callFrame\":{\"functionName\":\"" name \
	"\",\"scriptId\":\"0\",\"url\":\"\"},\"hitCount\":" hits
#define CODE(id, name, line, hits)                               \
	"{\"id\":" id ",\"callFrame\":{\"functionName\":\"" name \
	"\",\"url\":\"x.js\",\"lineNumber\":" line "},\"hitCount\":" hits

/* Two frames are called (idle), and one of them is a function. */
#define PROFILE                                                                       \
	"{\"nodes\":[" STATE("1", "(root)", "0") ",\"children\":[2,3,4,5,6]}," STATE( \
	    "2", "(idle)",                                                            \
	    "7") "}," CODE("3", "(idle)", "1",                                        \
			   "2") "}," CODE("4", "f", "1",                              \
					  "4") "}," CODE("5", "", "1",                \
							 "1") "}," STATE("6",         \
									 "",          \
									 "1") "}]}"

Test(rows, have_a_total_and_an_active_part_without_the_idle_state)
{
	struct extracted e = extract_good(PROFILE, NULL);

	expect_total(&e, "cpu.hit_count", 15, 8);
	extracted_free(&e);
}

Test(rows, are_counted_by_how_much_is_known_of_their_frames)
{
	struct extracted e = extract_good(PROFILE, NULL);
	const uint64_t *coverage = e.answer.coverage;

	/* f and the function (idle); "" at x.js; "" nowhere; two states */
	cr_assert_eq(coverage[COVERAGE_COMPLETE_SYMBOLIZATION], 2);
	cr_assert_eq(coverage[COVERAGE_PARTIAL_SYMBOLIZATION], 1);
	cr_assert_eq(coverage[COVERAGE_UNRESOLVED_SYMBOLIZATION], 1);
	cr_assert_eq(coverage[COVERAGE_NOT_APPLICABLE_SYMBOLIZATION], 2);
	extracted_free(&e);
}

Test(rows, leave_the_idle_state_in_other_when_it_is_not_listed)
{
	struct extracted e;
	struct job job;

	job_init(&job);
	job.rows = 0;
	e = extract_good(PROFILE, &job);
	cr_assert_eq(e.rows_len, 0);
	cr_assert_eq(e.answer.rows_total, 6);
	cr_assert_eq(e.answer.other_self[0], 15);
	expect_total(&e, "cpu.hit_count", 15, 8);
	extracted_free(&e);
}

Test(rows, are_all_listed_when_there_is_room)
{
	struct extracted e = extract_good(PROFILE, NULL);

	cr_assert_eq(e.rows_len, 6);
	cr_assert_eq(e.answer.other_self[0], 0);
	cr_assert(e.rows[0].category == CATEGORY_IDLE);
	extracted_free(&e);
}

/* Whatever is listed, rows and the rest add up: extracted_check says so. */
Test(rows, add_up_with_the_rest_for_every_number_of_rows)
{
	struct job job;

	job_init(&job);
	for (job.rows = 0; job.rows < 8; job.rows++) {
		struct extracted e = extract_good(PROFILE, &job);

		cr_assert_eq(e.rows_len, job.rows < 6 ? job.rows : 6);
		extracted_free(&e);
	}
}
