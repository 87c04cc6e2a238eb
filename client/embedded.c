/*
 * Starts extractd from where this program lies, else from PATH. It has a
 * process group of its own, so that a Ctrl-C at the terminal reaches only us
 * and we decide; and it holds the read end of a pipe whose write end only we
 * have, so that it ends when we are gone, even by SIGKILL.
 */
#include "client/embedded.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "client/escape.h"
#include "client/interrupt.h"
#include "client/last_resort.h"
#include "client/leave.h"
#include "client/private_dir.h"
#include "proto/fd.h"

#define LIFELINE_FD 3
#define READY_FD 4
#define READY_MS 30000 /* a slow machine under load */
#define STOP_MS 5000
#define LOG_SHOWN 2048
#define EXIT_NO_SANDBOX 3 /* extractd's, for a required layer */

extern char **environ;

struct start_fds {
	int lifeline[2];
	int ready[2];
};

void
embedded_init(struct embedded *e)
{
	*e = (struct embedded){.pidfd = -1, .lifeline = -1, .log = -1};
}

/* A copy above the numbers that the service is given, so that putting them
 * there overwrites none. */
static bool
lift(int *fd)
{
	int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, READY_FD + 1);

	fd_close(fd);
	*fd = lifted;
	return lifted >= 0;
}

static bool
open_pipes(struct start_fds *fds)
{
	return pipe2(fds->lifeline, O_CLOEXEC) == 0 &&
	       pipe2(fds->ready, O_CLOEXEC) == 0 && lift(&fds->lifeline[0]) &&
	       lift(&fds->ready[1]);
}

static void
close_pipes(struct start_fds *fds)
{
	for (int i = 0; i < 2; i++) {
		fd_close(&fds->lifeline[i]);
		fd_close(&fds->ready[i]);
	}
}

/* Beside this program, else "extractd", to be looked for in PATH. */
static void
find_program(char path_out[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path_out, PATH_MAX - 16);
	char *slash;

	if (len > 0) {
		path_out[len] = '\0';
		slash = strrchr(path_out, '/');
		memcpy(slash + 1, "extractd", sizeof("extractd"));
		if (access(path_out, X_OK) == 0)
			return;
	}
	memcpy(path_out, "extractd", sizeof("extractd"));
}

static int
set_files(posix_spawn_file_actions_t *files, const struct start_fds *fds,
	  int log)
{
	int error = posix_spawn_file_actions_init(files);

	if (error != 0)
		return error;
	(void)posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY,
					       0);
	(void)posix_spawn_file_actions_addopen(files, 1, "/dev/null", O_WRONLY,
					       0);
	(void)posix_spawn_file_actions_adddup2(files, log, 2);
	(void)posix_spawn_file_actions_adddup2(files, fds->lifeline[0],
					       LIFELINE_FD);
	return posix_spawn_file_actions_adddup2(files, fds->ready[1], READY_FD);
}

static int
set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int error = posix_spawnattr_init(attributes);

	if (error != 0)
		return error;
	sigemptyset(&none);
	sigfillset(&all);
	(void)posix_spawnattr_setpgroup(attributes, 0);
	(void)posix_spawnattr_setsigmask(attributes, &none);
	(void)posix_spawnattr_setsigdefault(attributes, &all);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
							POSIX_SPAWN_SETSIGMASK |
							POSIX_SPAWN_SETSIGDEF);
}

static int
spawn(struct embedded *e, const char *program, const struct start_fds *fds)
{
	char dir_option[] = "--runtime-dir", lifeline[] = "--lifeline-fd",
	     lifeline_fd[] = "3", ready[] = "--ready-fd", ready_fd[] = "4",
	     name[] = "extractd";
	char *argv[] = {name,	     dir_option, e->dir,   lifeline,
			lifeline_fd, ready,	 ready_fd, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int error = set_files(&files, fds, e->log);

	if (error != 0)
		return error;
	error = set_attributes(&attributes);
	if (error == 0) {
		error = posix_spawnp(&e->pid, program, &files, &attributes,
				     argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	if (error != 0)
		e->pid = 0;
	return error;
}

/* True when the byte came; false at the end of file (it died), after READY_MS
 * or at a signal. */
static bool
wait_ready(int ready)
{
	struct pollfd fds[2] = {{.fd = ready, .events = POLLIN},
				{.fd = interrupt_fd(), .events = POLLIN}};
	char byte;

	while (interrupt_caught() == 0) {
		int n = poll(fds, 2, READY_MS);

		if (n == 0)
			return false;
		if (n > 0 && fds[0].revents != 0) {
			ssize_t len = read(ready, &byte, 1);

			if (len >= 0 || errno != EINTR)
				return len == 1;
		}
	}
	return false;
}

static bool
start(struct embedded *e, struct start_fds *fds)
{
	char program[PATH_MAX];
	int error;

	if (!private_dir_make(e->dir))
		return false;
	last_resort_remove(LAST_RESORT_DIR, e->dir);
	snprintf(e->socket, sizeof(e->socket), "%.*s/extractd.sock",
		 PATH_MAX - 16, e->dir);
	e->log = private_dir_log(e->dir);
	if (e->log < 0 || !lift(&e->log) || !open_pipes(fds)) {
		fprintf(stderr,
			"extract-client: cannot start a private "
			"service: %s\n",
			strerror(errno));
		return false;
	}
	find_program(program);
	error = spawn(e, program, fds);
	if (error != 0) {
		fprintf(stderr,
			"extract-client: no service is running, and none "
			"could be started: %s: %s\n",
			program, strerror(error));
		return false;
	}
	e->lifeline = fd_take(&fds->lifeline[1]);
	e->pidfd = (int)syscall(SYS_pidfd_open, e->pid, 0);
	fd_close(&fds->ready[1]);
	if (wait_ready(fds->ready[0]))
		return true;
	if (interrupt_caught() == 0) {
		fprintf(stderr, "extract-client: no service is running, and "
				"a private one did not start\n");
		embedded_show_log(e);
	}
	return false;
}

/* Gives it STOP_MS to end, then kills it. Its exit status, or -1. */
static int
reap(struct embedded *e)
{
	struct pollfd fd = {.fd = e->pidfd, .events = POLLIN};
	int n = 0, status = 0;
	pid_t pid;

	if (e->pidfd >= 0) {
		do {
			n = poll(&fd, 1, STOP_MS);
		} while (n < 0 && errno == EINTR);
	}
	if (n <= 0)
		kill(e->pid, SIGKILL);
	do {
		pid = waitpid(e->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	e->pid = 0;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
embedded_stop(struct embedded *e)
{
	int status = -1;

	fd_close(&e->lifeline);
	if (e->pid > 0)
		status = reap(e);
	fd_close(&e->pidfd);
	fd_close(&e->log);
	if (e->dir[0] != '\0')
		private_dir_remove(e->dir);
	last_resort_remove(LAST_RESORT_DIR, NULL);
	embedded_init(e);
	return status;
}

int
embedded_start(struct embedded *e)
{
	struct start_fds fds = {{-1, -1}, {-1, -1}};
	bool good = start(e, &fds);

	close_pipes(&fds);
	if (good)
		return LEAVE_OK;
	return embedded_stop(e) == EXIT_NO_SANDBOX ? LEAVE_NO_CAPABILITY
						   : LEAVE_FAULT;
}

void
embedded_show_log(const struct embedded *e)
{
	char text[LOG_SHOWN];
	struct stat st;
	off_t from;
	ssize_t len;

	if (e->log < 0 || fstat(e->log, &st) < 0)
		return;
	from = st.st_size > LOG_SHOWN ? st.st_size - LOG_SHOWN : 0;
	len = pread(e->log, text, sizeof(text), from);
	if (len > 0)
		escape_lines(stderr, span_of(text, (size_t)len), "  ");
}
