/*
 * The vfork child and what it does between clone and exec.
 *
 * It runs in our memory while we are stopped: it only makes system calls,
 * writes to its own struct and to nothing else. Two oddities of the kernel:
 * changing credentials and entering a user namespace clear PDEATHSIG, so that
 * is set after both; and they make the memory they happen in undumpable, which
 * is ours as well (see privileges_drop).
 */
#include "broker/supervisor/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/room.h"
#include "proto/bug.h"

#define FIRST_FD 3
/* Borrowed descriptors are moved to here and above first, so that placing one
 * never closes another. */
#define SAFE_FD 32
#define STACK_BYTES (64 * 1024)

struct attempt {
	const struct spawn_order *order;
	pid_t parent;
	struct spawn_error error; /* written by the child, read by us */
};

/* One child at a time, and we sleep until it has exec'd. */
static alignas(64) char child_stack[STACK_BYTES];

static bool
failed(struct attempt *a, const char *step)
{
	a->error = (struct spawn_error){.step = step, .error = errno};
	return false;
}

/* Handlers do not survive exec, ignored signals and the mask do. */
static bool
reset_signals(struct attempt *a)
{
	const struct sigaction normal = {.sa_handler = SIG_DFL};
	sigset_t none;

	sigemptyset(&none);
	if (sigaction(SIGPIPE, &normal, NULL) != 0 ||
	    sigprocmask(SIG_SETMASK, &none, NULL) != 0)
		return failed(a, "signals");
	return true;
}

static bool
place(struct attempt *a, int fd, int number)
{
	return dup2(fd, number) == number || failed(a, "descriptors");
}

/* program_fd and room_pidfd come back with their new numbers. */
static bool
place_descriptors(struct attempt *a, int *program_fd, int *room_pidfd)
{
	const struct spawn_order *o = a->order;
	int safe[SPAWN_FDS_MAX];

	for (unsigned i = 0; i < o->fds_len; i++)
		safe[i] = fcntl(o->fds[i], F_DUPFD_CLOEXEC, SAFE_FD);
	*program_fd = fcntl(o->program_fd, F_DUPFD_CLOEXEC, SAFE_FD);
	*room_pidfd = o->room_pidfd < 0
			  ? -1
			  : fcntl(o->room_pidfd, F_DUPFD_CLOEXEC, SAFE_FD);
	if (o->room_pidfd >= 0 && *room_pidfd < 0)
		return failed(a, SPAWN_STEP_ROOM);
	if (!place(a, o->null_fd, STDIN_FILENO) ||
	    !place(a, o->null_fd, STDOUT_FILENO) ||
	    (!o->keep_stderr && !place(a, o->null_fd, STDERR_FILENO)))
		return false;
	for (unsigned i = 0; i < o->fds_len; i++)
		if (!place(a, safe[i], FIRST_FD + (int)i))
			return false;
	/* what we inherited and what libraries opened closes at exec, too */
	if (syscall(SYS_close_range, FIRST_FD + o->fds_len, ~0U,
		    CLOSE_RANGE_CLOEXEC) != 0)
		return failed(a, "close_range");
	return true;
}

static bool
set_rlimits(struct attempt *a)
{
	const struct spawn_order *o = a->order;

	for (unsigned i = 0; i < o->rlimits_len; i++) {
		struct rlimit limit;
		rlim_t value = o->rlimits[i].value;

		if (getrlimit(o->rlimits[i].resource, &limit) != 0)
			return failed(a, "rlimits");
		if (value > limit.rlim_max)
			value = limit.rlim_max;
		limit.rlim_cur = limit.rlim_max = value;
		if (setrlimit(o->rlimits[i].resource, &limit) != 0)
			return failed(a, "rlimits");
	}
	return true;
}

bool
spawn_become(const struct identity *id)
{
	if (!id->change)
		return true;
	return syscall(SYS_setgroups, 0, NULL) == 0 &&
	       syscall(SYS_setresgid, id->gid, id->gid, id->gid) == 0 &&
	       syscall(SYS_setresuid, id->uid, id->uid, id->uid) == 0;
}

/* Whoever starts us may have died before this took effect. */
static bool
die_with_parent(struct attempt *a)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
		return failed(a, "pdeathsig");
	if (getppid() != a->parent) {
		errno = ESRCH;
		return failed(a, "parent");
	}
	return true;
}

/* Who joins a user namespace gets a full bounding set in it. Exec drops the
 * capabilities themselves; this leaves none to be bounded. */
static bool
enter_room(struct attempt *a, int room_pidfd)
{
	if (setns(room_pidfd, ROOM_NAMESPACES) != 0)
		return failed(a, SPAWN_STEP_ROOM);
	for (unsigned long cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
			break;
	return true;
}

static int
child_main(void *argument)
{
	static char *const no_environment[] = {NULL};
	struct attempt *a = argument;
	const struct spawn_order *o = a->order;
	int program_fd, room_pidfd;

	if (!reset_signals(a) ||
	    !place_descriptors(a, &program_fd, &room_pidfd) || !set_rlimits(a))
		_exit(127);
	if (!spawn_become(&o->identity)) {
		failed(a, "identity");
		_exit(127);
	}
	if ((room_pidfd >= 0 && !enter_room(a, room_pidfd)) ||
	    !die_with_parent(a))
		_exit(127);
	syscall(SYS_execveat, program_fd, "", o->argv, no_environment,
		AT_EMPTY_PATH);
	failed(a, "exec");
	_exit(127);
}

bool
spawn(const struct spawn_order *order, struct child *child_out,
      struct spawn_error *error_out)
{
	/* volatile: the child writes it behind the compiler's back */
	volatile struct attempt attempt = {.order = order, .parent = getpid()};
	struct child child = {.pidfd = -1};
	sigset_t all, before;

	BUG_ON(order->fds_len > SPAWN_FDS_MAX ||
	       order->rlimits_len > SPAWN_RLIMITS_MAX);
	/* glibc's clone, since it changes the stack without assembly of ours */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	child.pid = clone(child_main, child_stack + STACK_BYTES,
			  CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD,
			  (void *)&attempt, &child.pidfd);
	if (child.pid < 0)
		attempt.error = (struct spawn_error){"clone", errno};
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (attempt.error.step == NULL) {
		*child_out = child;
		return true;
	}
	*error_out =
	    (struct spawn_error){attempt.error.step, attempt.error.error};
	if (child.pid > 0) {
		syscall(SYS_waitid, P_PIDFD, child.pidfd, NULL,
			WEXITED | __WALL, NULL);
		close(child.pidfd);
	}
	return false;
}
