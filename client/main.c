/*
 * extract-client: the table of its subcommands, and what is done before and
 * after any of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/commands.h"
#include "client/complain.h"
#include "client/interrupt.h"
#include "client/last_resort.h"
#include "client/leave.h"

static const struct {
	const char *name;
	const char *about;
	int (*run)(int argc, char **argv, int *signal_out);
} commands[] = {
    {"submit", "extract profiles and print their rows", cmd_submit},
    {"status", "what the service is doing", cmd_status},
    {"formats", "the formats that are read", cmd_formats},
    {"limits", "the limits on one extraction", cmd_limits},
    {"jobs", "the jobs the service knows", cmd_jobs},
    {"result", "print the result of a job", cmd_result},
    {"cancel", "stop a job", cmd_cancel},
    {"version", "versions of this client and of the service", cmd_version},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void
print_usage(FILE *file)
{
	fprintf(file, "usage: extract-client COMMAND [options]\n\n"
		      "  extract-client submit app.cpuprofile\n\n"
		      "commands:\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(file, "  %-8s  %s\n", commands[i].name,
			commands[i].about);
	fprintf(file, "\n'extract-client COMMAND --help' says more.\n");
}

/*
 * A standard descriptor that is closed would be given to the next file that
 * is opened. It is filled with one that fails in the direction it is used.
 */
static void
fill_standard_fds(void)
{
	static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			_exit(LEAVE_FAULT);
}

/* What printf has not written yet; a pipe that is closed is no failure. */
static int
flush_stdout(int status, int *signal)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (errno == EPIPE) {
		*signal = SIGPIPE;
		return status;
	}
	complain("cannot write to standard output: %s", strerror(errno));
	return LEAVE_FAULT;
}

static int
run(int argc, char **argv, int *signal)
{
	if (argc < 2) {
		print_usage(stderr);
		return LEAVE_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_usage(stdout);
		return LEAVE_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("extract-client %s\n", EXTRACTD_VERSION);
		return LEAVE_OK;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1, signal);
	complain("unknown command: %s", argv[1]);
	if (access(argv[1], R_OK) == 0)
		fprintf(stderr, "  to extract a file: "
				"extract-client submit FILE\n");
	fprintf(stderr, "  see: extract-client --help\n");
	return LEAVE_USAGE;
}

int
main(int argc, char **argv)
{
	int signal = 0, status;

	fill_standard_fds();
	interrupt_watch();
	last_resort_watch();
	status = flush_stdout(run(argc, argv, &signal), &signal);
	if (interrupt_caught() != 0)
		interrupt_die(interrupt_caught());
	if (signal != 0)
		interrupt_die(signal);
	return status;
}
