/*
 * A handler that notes the signal and writes to a pipe, which every wait of
 * ours watches. Calls are not restarted: one that blocks returns with EINTR.
 * A second signal while we tidy up ends us at once.
 */
#include "client/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int pipe_fds[2] = {-1, -1};

static void
on_signal(int signal)
{
	int saved = errno;

	if (caught == 0) {
		ssize_t ignored = write(pipe_fds[1], "!", 1);

		(void)ignored;
		caught = signal;
	} else {
		interrupt_die(signal);
	}
	errno = saved;
}

static void
watch(int signal)
{
	struct sigaction now, action = {.sa_handler = on_signal};

	sigfillset(&action.sa_mask);
	if (sigaction(signal, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
		sigaction(signal, &action, NULL);
}

void
interrupt_watch(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	if (pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return;
	sigaction(SIGPIPE, &ignore, NULL);
	watch(SIGINT);
	watch(SIGTERM);
	watch(SIGHUP);
}

int
interrupt_fd(void)
{
	return pipe_fds[0];
}

int
interrupt_caught(void)
{
	return caught;
}

void
interrupt_seen(void)
{
	char byte;

	if (pipe_fds[0] >= 0 && read(pipe_fds[0], &byte, 1) < 0)
		return; /* there was none */
}

_Noreturn void
interrupt_die(int signal)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t set;

	sigaction(signal, &normal, NULL);
	sigemptyset(&set);
	sigaddset(&set, signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal);
	_exit(128 + signal);
}
