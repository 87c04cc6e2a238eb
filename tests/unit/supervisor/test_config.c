/*
 * The command line.
 */
#include <criterion/criterion.h>

#include <stdio.h>

#include "broker/supervisor/config.h"

static const struct machine big = {.cores = 4,
				   .memory_bytes = 16 * GIB,
				   .process_bytes = UINT64_MAX,
				   .process_cpu_seconds = UINT64_MAX,
				   .root = true};
static char error[CONFIG_ERROR_BYTES];

#define PARSE(machine, config, ...) \
	parse((machine), (config),  \
	      (const char *[]){"extractd", __VA_ARGS__, NULL})

static enum config_result
parse(const struct machine *machine, struct config *config, const char **argv)
{
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	error[0] = '\0';
	return config_parse(argc, (char **)argv, machine, config, error);
}

Test(config, defaults_come_from_the_machine)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, NULL), CONFIG_RUN);
	cr_assert_str_eq(c.runtime_dir, "/run/extractd");
	cr_assert_eq(c.workers, 4);
	cr_assert_eq(c.queue, 64);
	cr_assert_eq(c.total_memory_bytes, 8 * GIB);
	cr_assert_eq(c.drain_seconds, 30);
	cr_assert_eq(c.result_ttl_seconds, 900);
	cr_assert_eq(c.result_store_bytes, 256 * MIB);
	cr_assert_eq(c.lifeline_fd, -1);
	cr_assert_eq(c.defaults.of[LIMIT_MEMORY_BYTES], GIB);
	cr_assert_eq(c.ceilings.of[LIMIT_MEMORY_BYTES], 8 * GIB);
	cr_assert_eq(c.log_level, LOG_LEVEL_INFO);
}

Test(config, there_are_only_as_many_workers_as_their_memory_fits)
{
	const struct machine small = {.cores = 16,
				      .memory_bytes = 6 * GIB,
				      .process_bytes = UINT64_MAX,
				      .process_cpu_seconds = UINT64_MAX,
				      .root = true};
	struct config c;

	cr_assert_eq(PARSE(&small, &c, NULL), CONFIG_RUN);
	cr_assert_eq(c.workers, 3);
	cr_assert_eq(PARSE(&small, &c, "--total-memory", "512M"), CONFIG_RUN);
	cr_assert_eq(c.workers, 1);
	cr_assert_eq(c.defaults.of[LIMIT_MEMORY_BYTES], 512 * MIB);
	cr_assert_eq(c.ceilings.of[LIMIT_MEMORY_BYTES], 512 * MIB);
}

Test(config, jobs_get_no_more_than_a_process_may_have)
{
	struct machine limited = big;
	struct config c;

	limited.process_bytes = 100 * MIB;
	limited.process_cpu_seconds = 61;
	cr_assert_eq(PARSE(&limited, &c, NULL), CONFIG_RUN);
	cr_assert_eq(c.ceilings.of[LIMIT_MEMORY_BYTES], 100 * MIB);
	cr_assert_eq(c.defaults.of[LIMIT_MEMORY_BYTES], 100 * MIB);
	cr_assert_eq(c.ceilings.of[LIMIT_CPU_SECONDS], 60);
	cr_assert_eq(c.defaults.of[LIMIT_CPU_SECONDS], 60);
	limited.process_cpu_seconds = 1;
	cr_assert_eq(PARSE(&limited, &c, NULL), CONFIG_WRONG);
	cr_assert_not_null(strstr(error, "ulimit -t"));
	limited.process_cpu_seconds = UINT64_MAX;
	limited.process_bytes = 16 * MIB - 1;
	cr_assert_eq(PARSE(&limited, &c, NULL), CONFIG_WRONG);
	cr_assert_not_null(strstr(error, "ulimit -v"));
}

Test(config, more_workers_than_memory_are_wanted_and_not_had)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--workers", "50"), CONFIG_RUN);
	cr_assert_eq(c.workers_wanted, 50);
	cr_assert_eq(c.workers, 8);
	cr_assert_eq(PARSE(&big, &c, "--workers", "50", "--default",
			   "memory_bytes=64M"),
		     CONFIG_RUN);
	cr_assert_eq(c.workers, 50);
}

Test(config, how_long_and_how_much_is_kept_can_be_said)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--result-ttl-seconds", "7",
			   "--result-store", "130M"),
		     CONFIG_RUN);
	cr_assert_eq(c.result_ttl_seconds, 7);
	cr_assert_eq(c.result_store_bytes, 130 * MIB);
}

Test(config, an_ordinary_user_gets_his_own_directory)
{
	struct machine user = big;
	struct config c;

	user.root = false;
	cr_assert_eq(PARSE(&user, &c, NULL), CONFIG_WRONG);
	user.user_runtime_dir = "/run/user/1000";
	cr_assert_eq(PARSE(&user, &c, NULL), CONFIG_RUN);
	cr_assert_str_eq(c.runtime_dir, "/run/user/1000/extractd");
}

Test(config, an_endpoint_names_the_directory)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--endpoint",
			   "ipc:///tmp/x/extractd.sock"),
		     CONFIG_RUN);
	cr_assert_str_eq(c.runtime_dir, "/tmp/x");
	cr_assert_eq(PARSE(&big, &c, "--endpoint", "ipc:///tmp/x/extractd.sock",
			   "--runtime-dir", "/tmp/x/"),
		     CONFIG_RUN);
	cr_assert_eq(PARSE(&big, &c, "--endpoint", "ipc:///tmp/x/extractd.sock",
			   "--runtime-dir", "/tmp/y"),
		     CONFIG_WRONG);
}

Test(config, tcp_is_refused_by_name)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--endpoint", "tcp://*:5555"),
		     CONFIG_WRONG);
	cr_assert_not_null(strstr(error, "tcp://"));
}

Test(config, limits_are_checked_against_the_table)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--ceiling", "max_nodes=40M", "--default",
			   "max_nodes=30M", "--default", "wall_seconds=60"),
		     CONFIG_RUN);
	cr_assert_eq(c.ceilings.of[LIMIT_MAX_NODES], 40000000);
	cr_assert_eq(c.defaults.of[LIMIT_MAX_NODES], 30000000);
	cr_assert_eq(c.defaults.of[LIMIT_WALL_SECONDS], 60);
}

Test(config, a_lower_ceiling_lowers_a_default_that_was_not_given)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--ceiling", "cpu_seconds=10"),
		     CONFIG_RUN);
	cr_assert_eq(c.defaults.of[LIMIT_CPU_SECONDS], 10);
	cr_assert_eq(PARSE(&big, &c, "--ceiling", "cpu_seconds=10", "--default",
			   "cpu_seconds=11"),
		     CONFIG_WRONG);
}

Test(config, what_makes_no_sense_is_refused_and_said)
{
	static const char *const bad[][2] = {
	    {"--workers", "0"},
	    {"--workers", "1025"},
	    {"--workers", "-1"},
	    {"--workers", "2x"},
	    {"--workers", ""},
	    {"--queue", "4097"},
	    {"--result-ttl-seconds", "0"},
	    {"--result-store", "127M"},
	    {"--result-store", "513M"},
	    {"--total-memory", "15M"},
	    {"--total-memory", "lots"},
	    {"--ceiling", "max_nodes"},
	    {"--ceiling", "no_such=1"},
	    {"--ceiling", "max_nodes=0"},
	    {"--ceiling", "max_nodes=99999999999"},
	    {"--lifeline-fd", "2"},
	    {"--ready-fd", "x"},
	    {"--log-level", "loud"},
	    {"--runtime-dir", "relative"},
	    {"--runtime-dir", ""},
	    {"--endpoint", "ipc:///tmp/x/other.sock"},
	    {"--endpoint", "ipc://extractd.sock"},
	    {"--endpoint", "ftp://x/extractd.sock"},
	    {"--no-such-option", "1"},
	    {"argument", "1"},
	};
	struct config c;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_eq(PARSE(&big, &c, bad[i][0], bad[i][1]),
			     CONFIG_WRONG, "%s %s", bad[i][0], bad[i][1]);
		cr_assert_gt(strlen(error), 0);
	}
}

Test(config, a_directory_that_no_socket_path_can_hold_is_refused)
{
	char dir[CONFIG_DIR_BYTES + 1] = "/";
	struct config c;

	memset(dir + 1, 'd', CONFIG_DIR_BYTES - 1);
	cr_assert_eq(PARSE(&big, &c, "--runtime-dir", dir), CONFIG_WRONG);
	dir[CONFIG_DIR_BYTES - 1] = '\0';
	cr_assert_eq(PARSE(&big, &c, "--runtime-dir", dir), CONFIG_RUN);
}

Test(config, help_and_version_are_asked_for)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, "--help"), CONFIG_HELP);
	cr_assert_eq(PARSE(&big, &c, "--version"), CONFIG_VERSION);
}

/* "option … default VALUE" in the help: it is the next default there. */
static void
expect_told(const char *option, unsigned long long value, const char *unit)
{
	const char *at = strstr(config_help, option);
	char text[32];

	snprintf(text, sizeof(text), "default %llu%s\n", value, unit);
	cr_assert_not_null(at, "%s", option);
	at = strstr(at, "default ");
	cr_assert_not_null(at, "%s", option);
	cr_assert(strncmp(at, text, strlen(text)) == 0, "%s: %s", option, text);
}

Test(config, the_help_tells_the_defaults_that_are_in_force)
{
	struct config c;

	cr_assert_eq(PARSE(&big, &c, NULL), CONFIG_RUN);
	expect_told("--queue", c.queue, "");
	expect_told("--result-ttl-seconds", c.result_ttl_seconds, "");
	expect_told("--result-store", c.result_store_bytes / MIB, "M");
	expect_told("--drain-seconds", c.drain_seconds, "");
}

Test(config, the_bounds_of_the_store_are_those_that_are_told)
{
	struct config c;
	unsigned long long min, max;
	char text[32];

	cr_assert_eq(PARSE(&big, &c, "--result-store", "1"), CONFIG_WRONG);
	cr_assert_eq(sscanf(error, "--result-store must be from %lluM to %lluM",
			    &min, &max),
		     2, "%s", error);
	for (unsigned i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%lluM", i == 0 ? min : max);
		cr_assert_eq(PARSE(&big, &c, "--result-store", text),
			     CONFIG_RUN);
		snprintf(text, sizeof(text), "%lluM",
			 i == 0 ? min - 1 : max + 1);
		cr_assert_eq(PARSE(&big, &c, "--result-store", text),
			     CONFIG_WRONG);
	}
}
