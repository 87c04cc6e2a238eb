/*
 * Each step says by its name what failed. Nothing here asks the environment or
 * an option whether it should run.
 */
#include "worker/sandbox.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "proto/fd.h"
#include "proto/landlock.h"
#include "proto/terms.h"
#include "worker/warm.h"

/* include/uapi/linux/prctl.h, since Linux 6.3 */
#define SET_MDWE 65
#define MDWE_REFUSE_EXEC_GAIN 1UL

/* 0 to 4, the door connection, the artifact, Landlock's ruleset */
#define FILES_WHILE_STARTING 16

static bool
limit(int resource, uint64_t soft, uint64_t hard)
{
	struct rlimit value = {.rlim_cur = soft, .rlim_max = hard};

	/* glibc types the resource as an enum of its own */
	return setrlimit((__rlimit_resource_t)resource, &value) == 0;
}

static bool
set_rlimits(void)
{
	return limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, 0, 0) &&
	       limit(RLIMIT_NPROC, 0, 0) && limit(RLIMIT_MEMLOCK, 0, 0) &&
	       limit(RLIMIT_MSGQUEUE, 0, 0) &&
	       limit(RLIMIT_NOFILE, FILES_WHILE_STARTING, FILES_WHILE_STARTING);
}

static bool
no_capabilities(void)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	/* The bounding set only helps against an exec that cannot happen, and
	 * only the privileged may shrink it: as far as it goes. */
	for (unsigned long cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
			break;
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, data) != 0 ||
	    syscall(SYS_capget, &header, data) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (data[i].effective != 0 || data[i].permitted != 0 ||
		    data[i].inheritable != 0)
			return false;
	return true;
}

static bool
die_with(pid_t parent)
{
	/* A parent that died before the prctl is noticed by getppid. */
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
	       getppid() == parent;
}

const char *
sandbox_enter(pid_t parent, uint32_t *layers_out)
{
	uint32_t layers = 0;

	if (!set_rlimits())
		return "rlimits";
	layers |= 1u << SANDBOX_RLIMITS;
	if (!no_capabilities())
		return "no_capabilities";
	layers |= 1u << SANDBOX_NO_CAPABILITIES;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return "no_new_privs";
	layers |= 1u << SANDBOX_NO_NEW_PRIVS;
	if (!die_with(parent))
		return "parent death signal";
	/* no core dump, no ptrace by others of this uid */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return "not dumpable";
	if (prctl(SET_MDWE, MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) == 0)
		layers |= 1u << SANDBOX_MDWE;
	if (landlock_deny_all())
		layers |= 1u << SANDBOX_LANDLOCK;
	warm_up();
	*layers_out = layers;
	return NULL;
}

/* SIGXCPU, by which the obituary knows, after so much processor time.
 * RLIMIT_CPU would count ticks: on a busy machine it may see a third of what
 * was used. Nothing that the filter allows takes the timer back. */
static bool
end_after(uint64_t cpu_seconds)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGXCPU};
	const struct itimerspec at = {.it_value.tv_sec = (time_t)cpu_seconds};
	int timer; /* what the kernel calls it; libc's is another type */

	return syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event,
		       &timer) == 0 &&
	       syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &at, NULL) == 0;
}

bool
sandbox_narrow(uint64_t memory_bytes, uint64_t cpu_seconds)
{
	/* All descriptors are there, and stay usable. */
	return limit(RLIMIT_NOFILE, 0, 0) &&
	       limit(RLIMIT_AS, memory_bytes, memory_bytes) &&
	       end_after(cpu_seconds);
}

/* The program in the file, whole; false when it cannot be one. */
static bool
read_filter(int fd, struct sock_filter *program, unsigned short *len_out)
{
	struct stat st;
	size_t bytes;

	if (fstat(fd, &st) != 0 || st.st_size <= 0 ||
	    st.st_size % (off_t)sizeof(*program) != 0 ||
	    st.st_size > (off_t)(BPF_MAXINSNS * sizeof(*program)))
		return false;
	bytes = (size_t)st.st_size;
	*len_out = (unsigned short)(bytes / sizeof(*program));
	return pread(fd, program, bytes, 0) == (ssize_t)bytes;
}

bool
sandbox_filter_install(int fd)
{
	static struct sock_filter program[BPF_MAXINSNS];
	struct sock_fprog filter = {.filter = program};

	if (!read_filter(fd, program, &filter.len))
		return false;
	fd_close(&fd);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}
