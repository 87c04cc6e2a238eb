/*
 * Every kind of end, and who is to blame.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/obituary.h"

static const struct cause no_cause = {ST_OK, RE_NONE, LIMIT_NONE};
static const struct service_time hour = {.wall_us = 1500000,
					 .cpu_seconds = 3600,
					 .wall_seconds = 7200,
					 .stall_seconds = 60};

static struct obituary_record
of(const struct cause *cause, struct ending ending)
{
	struct obituary_record o;

	ending.peak_rss_bytes = 4096;
	obituary_make(cause, &ending, &hour, &o);
	cr_assert_eq(o.peak_rss_bytes, 4096);
	cr_assert_eq(o.wall_us, 1500000);
	return o;
}

Test(obituary, exit_statuses_have_their_meaning)
{
	static const struct {
		int exit_status;
		enum status status;
		enum reason reason;
	} rows[] = {
	    {0, ST_OK, RE_NONE},
	    {2, ST_BAD_REPLY, RE_NO_ANSWER},
	    {3, ST_WORKER_START_FAILED, RE_SETUP_FAILED},
	    {1, ST_BAD_REPLY, RE_NO_ANSWER},
	    {127, ST_BAD_REPLY, RE_NO_ANSWER},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct obituary_record o =
		    of(&no_cause,
		       (struct ending){.exit_status = rows[i].exit_status});

		cr_assert_eq(o.status, rows[i].status);
		cr_assert_eq(o.reason, rows[i].reason);
		cr_assert_eq(o.signal, 0);
		cr_assert_eq(o.limit, LIMIT_NONE);
	}
}

Test(obituary, signals_have_their_meaning)
{
	static const struct {
		int signal;
		enum status status;
	} rows[] = {
	    {SIGSEGV, ST_WORKER_CRASHED}, {SIGABRT, ST_WORKER_CRASHED},
	    {SIGILL, ST_WORKER_CRASHED},  {SIGBUS, ST_WORKER_CRASHED},
	    {SIGTERM, ST_WORKER_KILLED},  {SIGSYS, ST_WORKER_POLICY_VIOLATION},
	    {SIGKILL, ST_WORKER_KILLED},  {SIGINT, ST_WORKER_KILLED},
	    {SIGHUP, ST_WORKER_KILLED},	  {SIGQUIT, ST_WORKER_KILLED},
	    {SIGUSR1, ST_WORKER_KILLED},  {SIGALRM, ST_WORKER_KILLED},
	    {SIGFPE, ST_WORKER_CRASHED},  {SIGTRAP, ST_WORKER_CRASHED},
	    {SIGPIPE, ST_WORKER_CRASHED}, {SIGXFSZ, ST_WORKER_CRASHED},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct obituary_record o =
		    of(&no_cause, (struct ending){.signal = rows[i].signal});

		cr_assert_eq(o.status, rows[i].status);
		cr_assert_eq(o.signal, rows[i].signal);
	}
}

Test(obituary, spent_processor_time_is_a_limit_not_a_crash)
{
	struct obituary_record o =
	    of(&no_cause,
	       (struct ending){.signal = SIGXCPU, .cpu_us = 3600000001});

	cr_assert_eq(o.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(o.limit, LIMIT_CPU_SECONDS);
	cr_assert_eq(o.actual, 3600);
	cr_assert_eq(o.max, 3600);
	cr_assert_eq(o.signal, 0);
}

Test(obituary, a_limit_that_was_not_near_is_not_blamed_for_its_signal)
{
	struct obituary_record o =
	    of(&no_cause, (struct ending){.signal = SIGXCPU, .cpu_us = 900000});

	cr_assert_eq(o.status, ST_WORKER_KILLED);
	cr_assert_eq(o.limit, LIMIT_NONE);
	cr_assert_eq(o.signal, SIGXCPU);
	o = of(&no_cause,
	       (struct ending){.signal = SIGXCPU, .cpu_us = 3599990000});
	cr_assert_eq(o.limit, LIMIT_CPU_SECONDS);
	cr_assert_eq(o.actual, 3600);
}

Test(obituary, the_kernels_kill_at_the_hard_limit_is_that_limit)
{
	struct obituary_record o =
	    of(&no_cause,
	       (struct ending){.signal = SIGKILL, .cpu_us = 3601000000});

	cr_assert_eq(o.limit, LIMIT_CPU_SECONDS);
	cr_assert_eq(o.actual, 3601);
}

Test(obituary, the_first_cause_wins_over_what_the_kernel_says)
{
	static const struct cause causes[] = {
	    {ST_CANCELLED, RE_CLIENT_GONE, LIMIT_NONE},
	    {ST_FRONT_LOST, RE_NONE, LIMIT_NONE},
	    {ST_BAD_REPLY, RE_BAD_FRAME, LIMIT_NONE},
	};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		struct obituary_record o =
		    of(&causes[i], (struct ending){.signal = SIGKILL});

		cr_assert_eq(o.status, causes[i].status);
		cr_assert_eq(o.reason, causes[i].reason);
		cr_assert_eq(o.signal, 0);
		o = of(&causes[i], (struct ending){.exit_status = 0});
		cr_assert_eq(o.status, causes[i].status);
	}
}

Test(obituary, limits_on_time_say_how_much)
{
	const struct cause wall = {ST_LIMIT_EXCEEDED, RE_NONE,
				   LIMIT_WALL_SECONDS};
	const struct cause stall = {ST_LIMIT_EXCEEDED, RE_NONE,
				    LIMIT_STALL_SECONDS};
	struct obituary_record o;

	obituary_make(&wall, NULL, &hour, &o);
	cr_assert_eq(o.limit, LIMIT_WALL_SECONDS);
	cr_assert_eq(o.max, 7200);
	cr_assert_geq(o.actual, o.max);
	obituary_make(&stall, NULL, &hour, &o);
	cr_assert_eq(o.limit, LIMIT_STALL_SECONDS);
	cr_assert_eq(o.max, 60);
}

static int
start(void (*child)(void), pid_t *pid_out)
{
	pid_t pid = fork();

	if (pid == 0) {
		child();
		_exit(0);
	}
	*pid_out = pid;
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static struct ending
take(int pidfd)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	struct ending ending;

	cr_assert_eq(poll(&p, 1, 10000), 1);
	cr_assert(ending_take(pidfd, &ending));
	close(pidfd);
	return ending;
}

static void
exit_with_five(void)
{
	_exit(5);
}

static void
die_by_signal(void)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void
wait_for_ever(void)
{
	for (;;)
		pause();
}

Test(obituary, the_kernels_account_is_read)
{
	struct ending ending;
	pid_t pid;
	int pidfd = start(exit_with_five, &pid);

	ending = take(pidfd);
	cr_assert_eq(ending.signal, 0);
	cr_assert_eq(ending.exit_status, 5);
	cr_assert_gt(ending.peak_rss_bytes, 0);
	ending = take(start(die_by_signal, &pid));
	cr_assert_eq(ending.signal, SIGSEGV);
	cr_assert_eq(ending.exit_status, 0);
}

Test(obituary, a_living_process_is_not_reaped)
{
	struct ending ending;
	pid_t pid;
	int pidfd = start(wait_for_ever, &pid);

	cr_assert(!ending_take(pidfd, &ending));
	kill(pid, SIGKILL);
	cr_assert_eq(take(pidfd).signal, SIGKILL);
}
