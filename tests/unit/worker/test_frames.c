/*
 * A frame is one tuple, however often and however spelled it comes.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/support/model.h"

static struct model model;
static struct frames *frames;

static void
setup(void)
{
	model_init(&model);
	frames = &model.profile.frames;
}

static uint32_t
intern(const char *function, uint32_t place, uint32_t line, uint32_t column,
       bool vm)
{
	struct frame_spec spec = {.language = LANGUAGE_JAVASCRIPT,
				  .line = line,
				  .column = column,
				  .vm = vm,
				  .place = place};
	uint32_t frame;

	spec.function = frames_function(frames, span_str(function));
	cr_assert_eq(frames_intern(frames, &spec, &model.failure, &frame),
		     ST_OK);
	return frame;
}

static uint32_t
at(const char *url)
{
	return frames_url(frames, span_str(url));
}

Test(frames, are_one_for_the_same_tuple_and_two_when_any_part_differs,
     .init = setup)
{
	uint32_t a = intern("f", at("x.js"), 1, 2, false);

	cr_assert_eq(a, 0);
	cr_assert_eq(intern("f", at("x.js"), 1, 2, false), a);
	cr_assert_neq(intern("g", at("x.js"), 1, 2, false), a);
	cr_assert_neq(intern("f", at("y.js"), 1, 2, false), a);
	cr_assert_neq(intern("f", at("x.js"), 2, 2, false), a);
	cr_assert_neq(intern("f", at("x.js"), 1, 3, false), a);
	cr_assert_neq(intern("f", at("x.js"), 0, 2, false), a);
	cr_assert_eq(frames->len, 6);
	model_fini(&model);
}

Test(frames, are_one_for_two_spellings_of_a_file_and_show_the_first,
     .init = setup)
{
	uint32_t a = intern("f", at("file:///srv/a%62.js"), 1, 1, false);
	uint32_t b = intern("f", at("file:///srv/./ab.js?x"), 1, 1, false);
	struct row row;

	cr_assert_eq(a, b);
	frames_describe(frames, a, &row);
	cr_assert(span_is(row.url, "file:///srv/a%62.js"));
	cr_assert(span_is(row.file, "/srv/ab.js"));
	model_fini(&model);
}

Test(frames, keep_a_state_of_the_vm_apart_from_a_function_of_its_name,
     .init = setup)
{
	cr_assert_neq(intern("(idle)", at(""), 0, 0, true),
		      intern("(idle)", at(""), 0, 0, false));
	model_fini(&model);
}

Test(frames, are_told_apart_by_script_where_there_is_no_url, .init = setup)
{
	uint32_t s83 = frames_script(frames, span_str("83"));
	uint32_t s84 = frames_script(frames, span_str("84"));
	uint32_t a = intern("f", s83, 1, 1, false);
	struct row row;

	cr_assert_neq(a, intern("f", s84, 1, 1, false));
	cr_assert_eq(a, intern("f", frames_script(frames, span_str("83")), 1, 1,
			       false));
	frames_describe(frames, a, &row);
	cr_assert(row.has_script && span_is(row.script, "83"));
	cr_assert_not(row.has_file);
	cr_assert_eq(row.url.len, 0);
	model_fini(&model);
}

Test(frames, describe_what_they_are, .init = setup)
{
	struct row row;

	frames_describe(frames,
			intern("run", at("file:///a/node_modules/p/x.js"), 12,
			       3, false),
			&row);
	cr_assert(span_is(row.function, "run"));
	cr_assert(row.has_file && span_is(row.file, "/a/node_modules/p/x.js"));
	cr_assert(row.has_package && span_is(row.package, "p"));
	cr_assert_not(row.has_script);
	cr_assert_eq(row.line, 12);
	cr_assert_eq(row.column, 3);
	cr_assert(row.has_function_id);
	frames_describe(frames, intern("", at(""), 0, 0, false), &row);
	cr_assert_not(row.has_function_id);
	cr_assert_not(row.has_file);
	model_fini(&model);
}

Test(frames, end_the_job_when_there_are_too_many, .init = setup)
{
	struct frame_spec spec = {.language = LANGUAGE_JAVASCRIPT};
	uint32_t frame = 77;

	model.job.limits.of[LIMIT_MAX_FRAMES] = 2;
	spec.function = frames_function(frames, span_str("f"));
	spec.place = at("x.js");
	for (spec.line = 1; spec.line <= 2; spec.line++)
		cr_assert_eq(frames_intern(frames, &spec, &model.failure,
					   &frame),
			     ST_OK);
	cr_assert_eq(frames_intern(frames, &spec, &model.failure, &frame),
		     ST_LIMIT_EXCEEDED);
	cr_assert_eq(model.failure.limit, LIMIT_MAX_FRAMES);
	cr_assert_eq(model.failure.actual, 3);
	cr_assert_eq(model.failure.max, 2);
	cr_assert_eq(frame, 1, "untouched");
	spec.line = 1;
	cr_assert_eq(frames_intern(frames, &spec, &model.failure, &frame),
		     ST_OK, "a known one is none more");
	model_fini(&model);
}

Test(frames, are_found_again_among_many, .init = setup)
{
	char name[32];

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			cr_assert_eq(intern(name, at("x.js"), i % 7, i % 3,
					    false),
				     i);
		}
	}
	model_fini(&model);
}
