#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "client/leave.h"
#include "client/submit_options.h"

static struct submit_options options;

static int
start(int argc, const char *const *argv)
{
	int status;
	bool good = submit_options_read(&options, argc, (char **)argv, &status);

	cr_assert_eq(good, status == LEAVE_OK);
	return status;
}
#define READ(...)                                                     \
	start((int)(sizeof((const char *[]){"submit", __VA_ARGS__}) / \
		    sizeof(char *)),                                  \
	      (const char *const[]){"submit", __VA_ARGS__})

Test(submit_options, limits_take_sizes)
{
	cr_assert_eq(READ("--limit", "max_nodes=40M", "--limit",
			  "memory_bytes=2G", "--limit=wall_seconds=90", "f"),
		     LEAVE_OK);
	cr_assert_eq(options.wishes.limits[LIMIT_MAX_NODES], 40000000);
	cr_assert_eq(options.wishes.limits[LIMIT_MEMORY_BYTES], 2 * GIB);
	cr_assert_eq(options.wishes.limits[LIMIT_WALL_SECONDS], 90);
	cr_assert(options.wishes.has_limit[LIMIT_MAX_NODES]);
	cr_assert_not(options.wishes.has_limit[LIMIT_MAX_ROWS]);
	submit_options_free(&options);
}

Test(submit_options, bad_values_are_usage_errors, .init = cr_redirect_stderr)
{
	cr_assert_eq(READ("--limit", "max_nodes", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--limit", "max_node=1", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--limit", "max_nodes=1X", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--limit", "max_nodes=0", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--limit", "max_nodes=99T", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--rows", "100001", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--rows", "ten", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--output", "xml", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--color", "red", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--on-limit", "stop", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--digest", "md5", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--parser", "jq", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--sha256", "12", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--class", "idle", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--format", "pprof", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--path-map", "nothing", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--path-map", "=x", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--embedded", "--endpoint", "/x", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--quiet"), LEAVE_USAGE);
}

Test(submit_options, all_files_are_operands)
{
	cr_assert_eq(READ("a", "--quiet", "b c", "--", "-d"), LEAVE_OK);
	cr_assert_eq(options.operands_len, 3);
	cr_assert_str_eq(options.operands[1], "b c");
	cr_assert_str_eq(options.operands[2], "-d");
	cr_assert(options.quiet);
	submit_options_free(&options);
}

Test(submit_options, path_maps_are_cut_at_the_first_sign)
{
	cr_assert_eq(READ("--path-map", "/a=/b=c", "f"), LEAVE_OK);
	cr_assert(span_is(options.wishes.path_maps[0].from, "/a"));
	cr_assert(span_is(options.wishes.path_maps[0].to, "/b=c"));
	submit_options_free(&options);
}

Test(submit_options, the_project_root_is_absolute_or_none)
{
	cr_assert_eq(READ("--project-root", "none", "f"), LEAVE_OK);
	cr_assert_null(options.wishes.project_root);
	submit_options_free(&options);
	cr_assert_eq(READ("--project-root", "/not/here/", "f"), LEAVE_OK);
	cr_assert_str_eq(options.wishes.project_root, "/not/here");
	submit_options_free(&options);
	cr_assert_eq(READ("--project-root", "C:/app", "f"), LEAVE_OK);
	cr_assert_str_eq(options.wishes.project_root, "C:/app");
	submit_options_free(&options);
}

Test(submit_options, a_class_is_named)
{
	cr_assert_eq(READ("--class", "batch", "f"), LEAVE_OK);
	cr_assert_str_eq(options.wishes.class, "batch");
	cr_assert_not(options.wishes.detach);
	submit_options_free(&options);
}

Test(submit_options, detached_jobs_need_a_service_and_print_ids)
{
	cr_assert_eq(READ("--detach", "f"), LEAVE_OK);
	cr_assert(options.wishes.detach);
	cr_assert_eq(options.need, CONTACT_RUNNING);
	cr_assert_eq(options.print.output, OUTPUT_TABLE);
	submit_options_free(&options);
	cr_assert_eq(READ("--detach", "--output", "jsonl", "f"), LEAVE_OK);
	cr_assert_eq(options.print.output, OUTPUT_JSONL);
	submit_options_free(&options);
}

Test(submit_options, detached_jobs_have_no_rows_to_print,
     .init = cr_redirect_stderr)
{
	cr_assert_eq(READ("--detach", "--embedded", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--detach", "--output", "csv", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--detach", "-o", "x", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--detach", "--wide", "f"), LEAVE_USAGE);
	cr_assert_eq(READ("--detach", "--csv-raw", "f"), LEAVE_USAGE);
}
