/*
 * The holder of the room.
 *
 * It is a fork of ours that never execs. It has the workers' uid, since a
 * worker may only join what a process of its own uid holds, and so it must
 * stay dumpable; the tables that hold tickets are wiped at fork (jobs.c).
 * No uid_map is written: without one, exec drops all the capabilities that
 * joining gave the worker.
 */
#include "broker/supervisor/room.h"

#include <errno.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/fd.h"

enum room_step {
	ROOM_BUILT,
	ROOM_IDENTITY,
	ROOM_UNSHARE,
	ROOM_PRIVATE,
	ROOM_TMPFS,
	ROOM_PIVOT,
	ROOM_READ_ONLY,
	ROOM_CLONE,
	ROOM_NO_WORD,
};

static const char *const step_names[] = {
    [ROOM_IDENTITY] = "identity",
    [ROOM_UNSHARE] = "namespaces",
    [ROOM_PRIVATE] = "private_mounts",
    [ROOM_TMPFS] = "tmpfs",
    [ROOM_PIVOT] = "pivot",
    [ROOM_READ_ONLY] = "read_only",
    [ROOM_CLONE] = "clone",
    [ROOM_NO_WORD] = "no_word",
};

/* The holder's only message. Both ends are the same program. */
struct word {
	enum room_step step;
	int error;
};

void
room_init(struct room *room_out)
{
	*room_out = (struct room){.pidfd = -1, .word = -1};
}

/* An empty, read-only root that holds nothing to open, look at or exec. */
static enum room_step
empty_the_room(void)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return ROOM_PRIVATE;
	/* any folder that every system has will do; it is left at once */
	if (mount("room", "/tmp", "tmpfs", flags,
		  "size=4k,nr_inodes=2,mode=0555") != 0 ||
	    chdir("/tmp") != 0)
		return ROOM_TMPFS;
	if (syscall(SYS_pivot_root, ".", ".") != 0 ||
	    umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
		return ROOM_PIVOT;
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags,
		  NULL) != 0)
		return ROOM_READ_ONLY;
	return ROOM_BUILT;
}

static enum room_step
furnish(const struct identity *identity)
{
	if (!spawn_become(identity))
		return ROOM_IDENTITY;
	if (unshare(ROOM_NAMESPACES) != 0)
		return ROOM_UNSHARE;
	return empty_the_room();
}

_Noreturn static void
holder_main(const struct identity *identity, pid_t parent, int chan)
{
	struct word word;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "extractd-room", 0, 0, 0);
	word.step = furnish(identity);
	word.error = errno;
	/* after the changes of identity, which reset both */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	/* no room rather than a holder that outlives its supervisor */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ||
	    getppid() != parent ||
	    chan_send(chan, span_of(&word, sizeof(word)), -1, true) !=
		CHAN_OK ||
	    word.step != ROOM_BUILT)
		_exit(1);
	syscall(SYS_close_range, 0, ~0U, 0);
	for (;;)
		pause();
}

static bool
failed(struct room *room, enum room_step step, int error,
       struct spawn_error *error_out)
{
	room->impossible = !room->stood;
	*error_out = (struct spawn_error){step_names[step], error};
	return false;
}

/* The same for a holder that was started. */
static bool
gave_up(struct room *room, enum room_step step, int error,
	struct spawn_error *error_out)
{
	room_leave(room);
	return failed(room, step, error, error_out);
}

bool
room_begin(struct room *room, const struct identity *identity,
	   struct spawn_error *error_out)
{
	int chan[2] = {-1, -1}, pidfd = -1, error;
	struct clone_args args = {.flags = CLONE_PIDFD,
				  .pidfd = (uintptr_t)&pidfd,
				  .exit_signal = SIGCHLD};
	pid_t parent = getpid();
	long pid = -1;

	BUG_ON(room->state == ROOM_RISING || room->state == ROOM_STANDS);
	if (room->state == ROOM_FALLING) /* one that hangs in the kernel */
		return failed(room, ROOM_CLONE, EBUSY, error_out);
	if (chan_pair(chan)) {
		pid = syscall(SYS_clone3, &args, sizeof(args));
		if (pid == 0)
			holder_main(identity, parent, chan[1]);
	}
	error = errno;
	fd_close(&chan[1]);
	if (pid < 0) {
		fd_close(&chan[0]);
		return failed(room, ROOM_CLONE, error, error_out);
	}
	room->pid = (pid_t)pid;
	room->pidfd = pidfd;
	room->word = chan[0];
	room->state = ROOM_RISING;
	return true;
}

bool
room_hear(struct room *room, struct spawn_error *error_out)
{
	uint8_t buffer[FRAME_BYTES_MAX];
	struct word word = {.step = ROOM_NO_WORD, .error = ESRCH};
	struct span bytes;
	enum chan_result result;

	BUG_ON(room->state != ROOM_RISING);
	result = chan_receive(room->word, buffer, false, NULL, &bytes);
	if (result == CHAN_AGAIN)
		return true;
	if (result == CHAN_OK && bytes.len == sizeof(word))
		memcpy(&word, bytes.data, sizeof(word));
	if (word.step != ROOM_BUILT)
		return gave_up(room, word.step, word.error, error_out);
	fd_close(&room->word);
	room->state = ROOM_STANDS;
	room->stood = true;
	return true;
}

void
room_late(struct room *room, struct spawn_error *error_out)
{
	BUG_ON(room->state != ROOM_RISING);
	(void)gave_up(room, ROOM_NO_WORD, ETIMEDOUT, error_out);
}

static void
send_kill(const struct room *room)
{
	syscall(SYS_pidfd_send_signal, room->pidfd, SIGKILL, NULL, 0);
}

void
room_leave(struct room *room)
{
	BUG_ON(room->pidfd < 0);
	send_kill(room);
	fd_close(&room->word);
	room->state = ROOM_FALLING;
}

void
room_lost(struct room *room)
{
	BUG_ON(room->pidfd < 0);
	syscall(SYS_waitid, P_PIDFD, room->pidfd, NULL, WEXITED | __WALL, NULL);
	fd_close(&room->pidfd);
	fd_close(&room->word);
	room->pid = 0;
	room->state = ROOM_NONE;
}

void
room_fini(struct room *room)
{
	if (room->pidfd >= 0)
		send_kill(room);
	fd_close(&room->pidfd);
	fd_close(&room->word);
	room->state = ROOM_NONE;
}
