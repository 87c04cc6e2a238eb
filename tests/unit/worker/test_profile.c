/*
 * The model's parts together: metrics, what has no node, and what is lacking.
 */
#include <criterion/criterion.h>

#include "tests/support/model.h"

static struct model model;
static struct profile *profile;
static struct column column;

/* One node, 1, of frame 0. */
static void
setup(void)
{
	model_init(&model);
	profile = &model.profile;
	column_init(&column, &model.arena);
	cr_assert_eq(tree_add(&profile->tree, tree_slot(&profile->tree, 1),
			      model_frame(&model, "f")),
		     TREE_OK);
	cr_assert_eq(tree_seal(&profile->tree, 1, false, &model.failure),
		     ST_OK);
}

static enum status
metric(const char *name, uint64_t unknown)
{
	return profile_metric(profile, name, "count", &column, unknown,
			      LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS);
}

Test(profile, has_no_row_for_the_unknown_until_something_is, .init = setup)
{
	cr_assert(column_add(&column, 1, 5));
	cr_assert_eq(metric("a", 0), ST_OK);
	cr_assert_eq(profile->unknown, FRAME_NONE);
	cr_assert_eq(profile->frames.len, 1);
	cr_assert_eq(profile->metrics[0].measure.total, 5);
	model_fini(&model);
}

Test(profile, gives_what_has_no_node_to_one_frame, .init = setup)
{
	struct row row;

	cr_assert(column_add(&column, 1, 5));
	cr_assert_eq(metric("a", 0), ST_OK);
	cr_assert(column_add(&column, 1, 6));
	cr_assert_eq(metric("b", 2), ST_OK);
	cr_assert(column_add(&column, 1, 7));
	cr_assert_eq(metric("c", 3), ST_OK);
	cr_assert_eq(profile->frames.len, 2);
	cr_assert_eq(profile->unknown, 1);
	/* the metric that came before the frame has a place for it */
	cr_assert_eq(profile->metrics[0].measure.self[1], 0);
	cr_assert_eq(profile->metrics[1].measure.self[1], 2);
	cr_assert_eq(profile->metrics[2].measure.inclusive[1], 3);
	cr_assert_eq(profile->metrics[2].measure.total, 10);
	frames_describe(&profile->frames, 1, &row);
	cr_assert(span_is(row.function, "(unknown)"));
	cr_assert_eq(row.category, CATEGORY_UNKNOWN);
	cr_assert_eq(row.symbolization, SYMBOLIZATION_UNRESOLVED);
	model_fini(&model);
}

Test(profile, refuses_a_total_beyond_64_bits, .init = setup)
{
	cr_assert(column_add(&column, 1, UINT64_MAX));
	cr_assert_eq(metric("a", 1), ST_ARTIFACT_PARSE_FAILED);
	cr_assert_eq(model.failure.reason, RE_VALUE_OVERFLOW);
	model_fini(&model);
}

Test(profile, counts_the_frame_of_the_unknown_against_max_frames, .init = setup)
{
	model.job.limits.of[LIMIT_MAX_FRAMES] = 1;
	cr_assert_eq(metric("a", 1), ST_LIMIT_EXCEEDED);
	cr_assert_eq(model.failure.limit, LIMIT_MAX_FRAMES);
	model_fini(&model);
}

Test(profile, notes_what_it_lacks_and_what_to_know, .init = setup)
{
	profile_lacks(profile, "wall.time", "no_samples");
	profile_limitation(profile, LIMITATION_INPUT_CUT);
	profile_limitation(profile, LIMITATION_INPUT_CUT);
	cr_assert_eq(profile->gaps_len, 1);
	cr_assert_str_eq(profile->gaps[0].reason, "no_samples");
	cr_assert_eq(profile->limitations, 1U << LIMITATION_INPUT_CUT);
	model_fini(&model);
}
