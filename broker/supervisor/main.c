/*
 * extractd: the service. It starts, limits, kills and reaps; it never reads a
 * byte that a client or a profile wrote.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "broker/supervisor/filter.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/loop.h"
#include "broker/supervisor/service.h"

/* Descriptors beside those of jobs and workers. */
#define FILES_BESIDE 64

/* Standard descriptors that are closed would be given to something else. */
static void
open_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static void
check_given_fd(const char *option, int fd)
{
	if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
		die(EXIT_STATUS_USAGE, "--%s %d is not open", option, fd);
}

/* A job has a connection and a channel, a worker a process and a channel; a
 * letter may keep one more for each job. Those that wait beyond the queue have
 * a connection; where few files are allowed, there are fewer of them. */
static void
raise_file_limit(struct config *config)
{
	rlim_t needed = FILES_BESIDE + 3 * (rlim_t)config->queue +
			8 * (rlim_t)config->workers;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		die(EXIT_STATUS_FAILED, "getrlimit: %s", strerror(errno));
	if (limit.rlim_max < needed)
		die(EXIT_STATUS_FAILED,
		    "%lu open files are allowed, and --workers %u with "
		    "--queue %u needs %lu",
		    (unsigned long)limit.rlim_max, config->workers,
		    config->queue, (unsigned long)needed);
	if (limit.rlim_max - needed < config->spare)
		config->spare = (unsigned)(limit.rlim_max - needed);
	needed += config->spare;
	if (limit.rlim_cur >= needed)
		return;
	limit.rlim_cur = needed;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		die(EXIT_STATUS_FAILED, "setrlimit: %s", strerror(errno));
}

/* Signals come by descriptor. Children are watched by theirs, and SIGCHLD must
 * not be ignored, or the kernel would reap them for us. */
static int
take_signals(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	const struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t set;
	int fd;

	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGCHLD, &normal, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_SETMASK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		die(EXIT_STATUS_FAILED, "signalfd: %s", strerror(errno));
	return fd;
}

static void
read_command_line(int argc, char **argv, struct config *config,
		  struct machine *machine)
{
	char error[CONFIG_ERROR_BYTES];

	machine_look(machine);
	switch (config_parse(argc, argv, machine, config, error)) {
	case CONFIG_HELP:
		fputs(config_help, stdout);
		exit(0);
	case CONFIG_VERSION:
		puts("extractd " EXTRACTD_VERSION);
		exit(0);
	case CONFIG_WRONG:
		die(EXIT_STATUS_USAGE, "%s", error);
	case CONFIG_RUN:
		break;
	}
	check_given_fd("lifeline-fd", config->lifeline_fd);
	check_given_fd("ready-fd", config->ready_fd);
	log_set_level(config->log_level);
}

static void
log_start(const struct service *s)
{
	log_event(LOG_LEVEL_INFO, "start",
		  " version=" EXTRACTD_VERSION
		  " workers=%u workers_wanted=%u queue=%u"
		  " total_memory_bytes=%llu",
		  s->config.workers, s->config.workers_wanted, s->config.queue,
		  (unsigned long long)s->config.total_memory_bytes);
}

/* In this order: powers are dropped before the first child is there, and the
 * sandbox is proven before the first client can find us. */
static void
start(struct service *s, const struct machine *machine)
{
	umask(077);
	s->signal_fd = take_signals();
	raise_file_limit(&s->config);
	identities_find(&s->identities);
	programs_open(&s->programs, s->config.libexec_dir);
	if (filter_compile(&s->filter_fd) != ST_OK)
		die(EXIT_STATUS_NO_SANDBOX,
		    "the system-call filter cannot be made: %s",
		    strerror(errno));
	rundir_open(&s->rundir, s->config.runtime_dir);
	privileges_drop(machine->root);
	log_start(s);
	loop_prove_sandbox(s);
	if (s->drain.stage == DRAIN_DONE) /* asked to end before it began */
		return;
	rundir_listen(&s->rundir);
	front_start(s);
}

int
main(int argc, char **argv)
{
	static struct service service;
	struct machine machine;
	struct config config;
	int exit_status;

	open_standard_descriptors();
	read_command_line(argc, argv, &config, &machine);
	if (!service_init(&service, &config))
		die(EXIT_STATUS_FAILED, "no memory");
	start(&service, &machine);
	loop_run(&service);
	rundir_fini(&service.rundir, config.lifeline_fd >= 0);
	exit_status = service.exit_status;
	service_fini(&service);
	return exit_status;
}
