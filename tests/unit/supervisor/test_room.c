/*
 * The room, where the kernel lets us build one; else that this is said.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/room.h"
#include "proto/chan.h"
#include "proto/fd.h"

static struct identity
nobody(void)
{
	return geteuid() == 0
		   ? (struct identity){.change = true,
				       .uid = 65534,
				       .gid = 65534}
		   : (struct identity){.uid = geteuid(), .gid = getegid()};
}

static void
wait_for(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	if (poll(&p, 1, 10000) != 1)
		abort();
}

/* Begins, and hears the word. */
static bool
raise_room(struct room *room, const struct identity *identity,
	   struct spawn_error *error_out)
{
	if (!room_begin(room, identity, error_out))
		return false;
	wait_for(room->word);
	return room_hear(room, error_out);
}

/* False when this kernel gives us none; then the room must have said so. */
static bool
build(struct room *room)
{
	struct identity identity = nobody();
	struct spawn_error error = {NULL, 0};

	room_init(room);
	if (raise_room(room, &identity, &error)) {
		cr_assert_eq(room->state, ROOM_STANDS);
		return true;
	}
	cr_assert(room->impossible);
	cr_assert_not_null(error.step);
	cr_assert_eq(room->state, ROOM_FALLING);
	wait_for(room->pidfd);
	room_lost(room);
	return false;
}

/* What a process that joined the room sees: a bit for each thing that it
 * should not. */
static int
look_around(const struct room *room)
{
	struct identity identity = nobody();
	struct stat st;
	int wrong = 0;

	if (!spawn_become(&identity) ||
	    setns(room->pidfd, ROOM_NAMESPACES) != 0)
		return 1;
	wrong |= stat("/proc", &st) == 0 || errno != ENOENT ? 2 : 0;
	wrong |= stat("/tmp", &st) == 0 ? 4 : 0;
	wrong |= open("/x", O_CREAT | O_WRONLY, 0600) >= 0 ? 8 : 0;
	wrong |= mkdir("/d", 0700) == 0 ? 16 : 0;
	return wrong;
}

Test(room, it_can_be_joined_and_is_empty)
{
	struct room room;
	int status;
	pid_t pid;

	if (!build(&room))
		return;
	pid = fork();
	if (pid == 0)
		_exit(look_around(&room));
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), 0, "bits of what was wrong: %d",
		     WEXITSTATUS(status));
	room_fini(&room);
}

Test(room, its_holder_keeps_no_descriptor)
{
	struct room room;
	struct stat st;
	char path[64];

	if (!build(&room))
		return;
	/* it closes them right after it has told us */
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/0", (int)room.pid);
		if (lstat(path, &st) != 0)
			break;
		poll(NULL, 0, 5);
	}
	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)room.pid,
			 fd);
		cr_assert_neq(lstat(path, &st), 0, "%s", path);
	}
	room_fini(&room);
}

Test(room, a_new_one_is_built_when_the_holder_died)
{
	struct identity identity = nobody();
	struct spawn_error error;
	struct room room;
	pid_t first;

	if (!build(&room))
		return;
	first = room.pid;
	kill(first, SIGKILL);
	wait_for(room.pidfd);
	room_lost(&room);
	cr_assert_eq(room.pidfd, -1);
	cr_assert(raise_room(&room, &identity, &error));
	cr_assert_geq(room.pidfd, 0);
	cr_assert_neq(room.pid, first);
	room_fini(&room);
}

static bool
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool done =
	    fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return done;
}

/* In a user namespace that allows no further ones. */
static int
build_where_forbidden(void)
{
	struct identity same = {.uid = 0};
	struct spawn_error error = {NULL, 0};
	struct room room;
	char map[32];

	snprintf(map, sizeof(map), "0 %d 1", (int)geteuid());
	if (unshare(CLONE_NEWUSER) != 0 ||
	    !write_file("/proc/self/uid_map", map) ||
	    !write_file("/proc/sys/user/max_user_namespaces", "0"))
		return 0; /* that is forbidden already */
	room_init(&room);
	if (raise_room(&room, &same, &error))
		return 1;
	if (!room.impossible || room.state == ROOM_STANDS)
		return 2;
	return strcmp(error.step, "namespaces") == 0 ? 0 : 3;
}

Test(room, where_the_kernel_gives_none_the_layer_is_missing)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(build_where_forbidden());
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), 0);
}

Test(room, one_that_stood_is_never_done_without)
{
	struct identity nowhere = {.change = true, .uid = 1, .gid = 1};
	struct spawn_error error = {NULL, 0};
	struct room room;

	room_init(&room);
	room.stood = true;
	if (geteuid() == 0)
		return; /* root may take any identity */
	cr_assert(!raise_room(&room, &nowhere, &error));
	cr_assert(!room.impossible);
	cr_assert_str_eq(error.step, "identity");
}

/* A holder that never says a word: a process in its place. */
static void
begin_for_ever(struct room *room, int *far_out)
{
	int chan[2];

	room_init(room);
	cr_assert(chan_pair(chan));
	*far_out = chan[1];
	room->pid = fork();
	cr_assert_geq(room->pid, 0);
	if (room->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		close(chan[0]);
		close(chan[1]);
		for (;;)
			pause();
	}
	room->pidfd = (int)syscall(SYS_pidfd_open, room->pid, 0);
	cr_assert_geq(room->pidfd, 0);
	room->word = chan[0];
	room->state = ROOM_RISING;
}

Test(room, a_holder_that_says_nothing_is_killed_and_not_waited_for)
{
	struct identity identity = nobody();
	struct spawn_error error = {NULL, 0};
	struct room room;
	int far;

	begin_for_ever(&room, &far);
	room.stood = true;
	cr_assert(room_hear(&room, &error));
	cr_assert_eq(room.state, ROOM_RISING);
	room_late(&room, &error);
	cr_assert_eq(room.state, ROOM_FALLING);
	cr_assert_str_eq(error.step, "no_word");
	cr_assert_eq(error.error, ETIMEDOUT);
	cr_assert_not(room.impossible);
	cr_assert_not(room_begin(&room, &identity, &error),
		      "while the last holder is there no other is started");
	wait_for(room.pidfd);
	room_lost(&room);
	cr_assert_eq(room.state, ROOM_NONE);
	fd_close(&far);
}

Test(room, a_holder_that_died_without_a_word_is_a_failure)
{
	struct spawn_error error = {NULL, 0};
	struct room room;
	int far;

	begin_for_ever(&room, &far);
	fd_close(&far);
	wait_for(room.word); /* its end there is closed, too */
	cr_assert_not(room_hear(&room, &error));
	cr_assert_str_eq(error.step, "no_word");
	cr_assert(room.impossible);
	wait_for(room.pidfd);
	room_lost(&room);
}
