#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "client/arguments.h"
#include "client/leave.h"

enum {
	FLAG_ROWS = 1,
	FLAG_OUT,
	FLAG_QUIET
};

static const struct option_spec options[] = {
    {FLAG_ROWS, 0, "rows", "N", "rows"},
    {FLAG_OUT, 'o', "out", "FILE", "a file"},
    {FLAG_QUIET, 'q', "quiet", NULL, "quiet"},
};

static const struct command_spec spec = {
    .name = "submit",
    .operands = "FILE...",
    .about = "About.",
    .options = options,
    .options_len = 3,
    .examples = "  example\n",
};

static struct arguments args;

static void
start(int argc, const char *const *argv)
{
	arguments_init(&args, &spec, argc, (char **)argv);
}
#define START(...)                                                  \
	static const char *const argv_[] = {"submit", __VA_ARGS__}; \
	start((int)(sizeof(argv_) / sizeof(argv_[0])), argv_)

static void
expect(int id, const char *value)
{
	const char *got;

	cr_assert_eq(arguments_next(&args, &got), id);
	if (value == NULL)
		cr_assert_null(got);
	else
		cr_assert_str_eq(got, value);
}

Test(arguments, values_are_behind_or_inside)
{
	START("--rows", "5", "--rows=6", "-o", "x", "-oy", "-q", "f");
	expect(FLAG_ROWS, "5");
	expect(FLAG_ROWS, "6");
	expect(FLAG_OUT, "x");
	expect(FLAG_OUT, "y");
	expect(FLAG_QUIET, NULL);
	expect(ARGUMENT_OPERAND, "f");
	expect(ARGUMENT_END, NULL);
}

Test(arguments, two_dashes_end_options_and_one_is_an_operand)
{
	START("-", "--", "--rows", "-q", "--");
	expect(ARGUMENT_OPERAND, "-");
	expect(ARGUMENT_OPERAND, "--rows");
	expect(ARGUMENT_OPERAND, "-q");
	expect(ARGUMENT_OPERAND, "--");
	expect(ARGUMENT_END, NULL);
}

Test(arguments, a_value_may_begin_with_a_dash_or_be_empty)
{
	START("--rows", "-5", "--rows=");
	expect(FLAG_ROWS, "-5");
	expect(FLAG_ROWS, "");
}

Test(arguments, a_slip_gets_a_hint, .init = cr_redirect_stderr)
{
	START("--rosw=5");
	expect(ARGUMENT_WRONG, NULL);
	cr_assert_stderr_eq_str(
	    "extract-client: unknown option --rosw; did you mean "
	    "--rows?\n"
	    "  see: extract-client submit --help\n");
}

Test(arguments, what_is_far_from_all_gets_none, .init = cr_redirect_stderr)
{
	START("--frobnicate");
	expect(ARGUMENT_WRONG, NULL);
	cr_assert_stderr_eq_str("extract-client: unknown option "
				"--frobnicate\n"
				"  see: extract-client submit --help\n");
}

Test(arguments, a_missing_value_is_told, .init = cr_redirect_stderr)
{
	START("--rows");
	expect(ARGUMENT_WRONG, NULL);
	cr_assert_stderr_eq_str("extract-client: --rows needs a value: N\n"
				"  see: extract-client submit --help\n");
}

Test(arguments, a_flag_takes_no_value, .init = cr_redirect_stderr)
{
	START("--quiet=1");
	expect(ARGUMENT_WRONG, NULL);
}

Test(arguments, help_lists_the_options, .init = cr_redirect_stdout)
{
	START("--help");
	expect(ARGUMENT_HELP, NULL);
	fflush(stdout);
	cr_assert_stdout_eq_str(
	    "usage: extract-client submit [options] FILE...\n\nAbout.\n\n"
	    "options:\n"
	    "  --rows N                  rows\n"
	    "  -o, --out FILE            a file\n"
	    "  -q, --quiet               quiet\n\n"
	    "examples:\n  example\n");
}

Test(arguments, numbers_are_digits_within_a_bound)
{
	unsigned long long n = 7;

	cr_assert(arguments_number("0", 10, &n));
	cr_assert_eq(n, 0);
	cr_assert(arguments_number("10", 10, &n));
	cr_assert_eq(n, 10);
	cr_assert(arguments_number("18446744073709551615", ~0ULL, &n));
	cr_assert_not(arguments_number("18446744073709551616", ~0ULL, &n));
	cr_assert_not(arguments_number("11", 10, &n));
	cr_assert_not(arguments_number("", 10, &n));
	cr_assert_not(arguments_number("1 ", 10, &n));
	cr_assert_not(arguments_number("-1", 10, &n));
	cr_assert_not(arguments_number("5", 3, &n));
}
