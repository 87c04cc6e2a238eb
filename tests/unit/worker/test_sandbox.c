/*
 * The worker's own part of its sandbox, each test in a process that it may
 * ruin. What the supervisor arranges, and the real filter, have their own.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/terms.h"
#include "worker/sandbox.h"

/* The exit status of body(argument) in a process of its own; else the signal,
 * negative. */
static int
in_child(int (*body)(int argument), int argument)
{
	int status;
	pid_t pid = fork();

	cr_assert_geq(pid, 0);
	if (pid == 0)
		_exit(body(argument));
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static bool
limit_is(int resource, uint64_t value)
{
	struct rlimit limit;

	return getrlimit((__rlimit_resource_t)resource, &limit) == 0 &&
	       limit.rlim_cur == value && limit.rlim_max >= value;
}

/* None held, and for who may shrink it none left to gain. */
static bool
no_capability(bool was_privileged)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	if (syscall(SYS_capget, &header, data) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (data[i].effective != 0 || data[i].permitted != 0 ||
		    data[i].inheritable != 0)
			return false;
	return !was_privileged ||
	       prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) == 0;
}

static int
enter_and_look(int argument)
{
	uint32_t layers = 0;
	const char *missing = sandbox_enter(getppid(), &layers);
	uint32_t required = 1u << SANDBOX_RLIMITS |
			    1u << SANDBOX_NO_CAPABILITIES |
			    1u << SANDBOX_NO_NEW_PRIVS;

	(void)argument;
	if (missing != NULL || (layers & required) != required)
		return 1;
	if ((layers & 1u << SANDBOX_SECCOMP) != 0)
		return 2;
	if (!limit_is(RLIMIT_CORE, 0) || !limit_is(RLIMIT_FSIZE, 0) ||
	    !limit_is(RLIMIT_NPROC, 0) || !limit_is(RLIMIT_MEMLOCK, 0))
		return 3;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 ||
	    prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0)
		return 4;
	if ((layers & 1u << SANDBOX_LANDLOCK) != 0 &&
	    (open("/", O_RDONLY) >= 0 || errno != EACCES))
		return 5;
	if ((layers & 1u << SANDBOX_MDWE) != 0 &&
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		return 6;
	return no_capability(geteuid() == 0) ? 0 : 7;
}

Test(sandbox, is_up_after_entering)
{
	cr_assert_eq(in_child(enter_and_look, 0), 0);
}

static int
enter_as_orphan(int argument)
{
	uint32_t layers = 77;
	const char *missing = sandbox_enter(argument, &layers);

	if (missing == NULL || strcmp(missing, "parent death signal") != 0)
		return 1;
	return layers == 77 ? 0 : 2;
}

Test(sandbox, notices_that_its_parent_is_gone)
{
	cr_assert_eq(in_child(enter_as_orphan, 1), 0);
}

static int
narrow_and_look(int argument)
{
	(void)argument;
	if (!sandbox_narrow(UINT64_C(1) << 40, 5))
		return 1;
	if (!limit_is(RLIMIT_AS, UINT64_C(1) << 40) ||
	    !limit_is(RLIMIT_NOFILE, 0))
		return 2;
	return dup(0) >= 0 ? 3 : 0;
}

Test(sandbox, narrows_to_the_job)
{
	cr_assert_eq(in_child(narrow_and_look, 0), 0);
}

static int
narrow_and_spin(int argument)
{
	if (!sandbox_narrow(UINT64_C(1) << 40, (uint64_t)argument))
		return 1;
	for (;;)
		__asm__ volatile("");
}

Test(sandbox, processor_time_is_what_was_used_and_not_a_count_of_ticks)
{
	struct rusage usage;

	cr_assert_eq(in_child(narrow_and_spin, 1), -SIGXCPU);
	cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
	cr_assert_eq(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
			 (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec +
			  10000) /
			     1000000,
		     1);
}

static const struct sock_filter kill_getppid[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static int
filter_of(size_t len)
{
	int fd = memfd_create("filter", MFD_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, kill_getppid, len), (ssize_t)len);
	return fd;
}

static int
install_and_call(int fd)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    !sandbox_filter_install(fd))
		return 1;
	if (close(fd) == 0)
		return 2; /* it must be closed already */
	getppid();
	return 3;
}

Test(sandbox, installs_the_filter_that_it_was_given)
{
	int fd = filter_of(sizeof(kill_getppid));

	cr_assert_eq(in_child(install_and_call, fd), -SIGSYS);
	close(fd);
}

Test(sandbox, refuses_what_cannot_be_a_filter)
{
	static const size_t lens[] = {0, 7, 9, 8};

	/* the last one is a program that does not return */
	for (unsigned i = 0; i < 4; i++) {
		int fd = filter_of(lens[i]);

		cr_assert_eq(in_child(install_and_call, fd), 1);
		close(fd);
	}
	cr_assert_eq(in_child(install_and_call, -1), 1);
}
