/*
 * Children of one step: what they find, and what we hear when they fail.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "broker/supervisor/obituary.h"
#include "broker/supervisor/spawn.h"

static struct spawn_order
order_of(const char *program, const char *const *argv)
{
	return (struct spawn_order){
	    .program_fd = open(program, O_PATH | O_CLOEXEC),
	    .argv = argv,
	    .null_fd = open("/dev/null", O_RDWR | O_CLOEXEC),
	    .identity = {.uid = geteuid(), .gid = getegid()},
	    .room_pidfd = -1,
	};
}

static struct ending
run(const struct spawn_order *order)
{
	struct pollfd p = {.events = POLLIN};
	struct spawn_error error = {NULL, 0};
	struct ending ending;
	struct child child;

	cr_assert(spawn(order, &child, &error), "%s: %s", error.step,
		  strerror(error.error));
	p.fd = child.pidfd;
	cr_assert_eq(poll(&p, 1, 10000), 1);
	cr_assert(ending_take(child.pidfd, &ending));
	close(child.pidfd);
	return ending;
}

static int
shell(const char *script)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct spawn_order order = order_of("/bin/sh", argv);

	return run(&order).exit_status;
}

Test(spawn, a_program_runs_by_its_descriptor)
{
	cr_assert_eq(shell("exit 7"), 7);
}

Test(spawn, the_environment_is_empty_and_standard_descriptors_are_null)
{
	setenv("SECRET", "x", 1);
	cr_assert_eq(shell("test -z \"$SECRET\""), 0);
	cr_assert_eq(shell("for i in 0 1 2; do test \"$(readlink "
			   "/proc/$$/fd/$i)\" = /dev/null || exit 1; done"),
		     0);
}

Test(spawn, nothing_but_what_was_placed_is_inherited)
{
	int leak = dup(0); /* without close-on-exec */

	cr_assert_gt(leak, 2);
	cr_assert_eq(shell("ls /proc/self/fd | "
			   "while read n; do case $n in [3-9]|[1-9]?*) "
			   "readlink /proc/$$/fd/$n && exit 9;; esac; done; "
			   "exit 0"),
		     0);
	close(leak);
}

Test(spawn, descriptors_are_placed_even_when_they_overlap)
{
	const char *argv[] = {"sh", "-c", "echo three >&3; echo four >&4",
			      NULL};
	struct spawn_order order = order_of("/bin/sh", argv);
	int three[2], four[2];
	char text[16] = {0};

	cr_assert_eq(pipe2(three, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(four, O_CLOEXEC), 0);
	/* crosswise, onto the very numbers they shall have */
	cr_assert_eq(dup3(four[1], 103, O_CLOEXEC), 103);
	cr_assert_eq(dup3(three[1], 104, O_CLOEXEC), 104);
	order.fds_len = 2;
	order.fds[0] = 104;
	order.fds[1] = 103;
	cr_assert_eq(run(&order).exit_status, 0);
	cr_assert_eq(read(three[0], text, sizeof(text)), 6);
	cr_assert_eq(strncmp(text, "three", 5), 0);
	cr_assert_eq(read(four[0], text, sizeof(text)), 5);
	cr_assert_eq(strncmp(text, "four", 4), 0);
}

Test(spawn, what_cannot_be_run_is_said_and_leaves_no_child)
{
	const char *argv[] = {"x", NULL};
	struct spawn_order order = order_of("/etc/passwd", argv);
	struct spawn_error error = {NULL, 0};
	struct child child;

	cr_assert(!spawn(&order, &child, &error));
	cr_assert_str_eq(error.step, "exec");
	cr_assert_eq(error.error, EACCES);
	order.program_fd = -1;
	cr_assert(!spawn(&order, &child, &error));
}

Test(spawn, resource_limits_are_set)
{
	const char *argv[] = {"sh", "-c", "test $(ulimit -Hn) = 77", NULL};
	struct spawn_order order = order_of("/bin/sh", argv);

	order.rlimits_len = 1;
	order.rlimits[0] = (struct spawn_rlimit){RLIMIT_NOFILE, 77};
	cr_assert_eq(run(&order).exit_status, 0);
}

Test(spawn, root_hands_over_its_identity_for_good)
{
	const char *argv[] = {"sh", "-c",
			      "test $(id -u):$(id -g):$(id -G) = "
			      "65534:65533:65533",
			      NULL};
	struct spawn_order order = order_of("/bin/sh", argv);

	if (geteuid() != 0)
		return; /* nobody else may */
	order.identity =
	    (struct identity){.change = true, .uid = 65534, .gid = 65533};
	cr_assert_eq(run(&order).exit_status, 0);
	cr_assert_eq(geteuid(), 0);
}
