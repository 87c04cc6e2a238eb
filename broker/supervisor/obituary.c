/*
 * From wait status to status.
 */
#include "broker/supervisor/obituary.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/clock.h"
#include "proto/bug.h"
#include "proto/worker_fds.h"

static uint64_t
us_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * US_PER_SECOND + (uint64_t)t.tv_usec;
}

bool
ending_take(int pidfd, struct ending *ending_out)
{
	siginfo_t info = {0};
	struct rusage usage = {0};
	long result;

	do {
		/* raw: libc's waitid does not hand out the usage */
		result = syscall(SYS_waitid, P_PIDFD, pidfd, &info,
				 WEXITED | WNOHANG | __WALL, &usage);
	} while (result < 0 && errno == EINTR);
	BUG_ON(result < 0);
	if (info.si_pid == 0)
		return false;
	*ending_out = (struct ending){
	    .signal = info.si_code == CLD_EXITED ? 0 : info.si_status,
	    .exit_status = info.si_code == CLD_EXITED ? info.si_status : 0,
	    .cpu_us = us_of(usage.ru_utime) + us_of(usage.ru_stime),
	    .peak_rss_bytes = (uint64_t)usage.ru_maxrss * KIB,
	};
	return true;
}

static struct cause
cause_of_exit(int exit_status)
{
	switch (exit_status) {
	case WORKER_EXIT_DONE:
		return (struct cause){ST_OK, RE_NONE, LIMIT_NONE};
	case WORKER_EXIT_SETUP:
		return (struct cause){ST_WORKER_START_FAILED, RE_SETUP_FAILED,
				      LIMIT_NONE};
	default:
		return (struct cause){ST_BAD_REPLY, RE_NO_ANSWER, LIMIT_NONE};
	}
}

/* The account that we read is that of the timer which met the limit, but for
 * rounding. */
#define ROUNDING_US (10 * US_PER_MS)

static bool
is_spent(const struct ending *ending, const struct service_time *time)
{
	return ending->cpu_us + ROUNDING_US >=
	       time->cpu_seconds * US_PER_SECOND;
}

static struct cause
cause_of_signal(const struct ending *ending, const struct service_time *time)
{
	switch (ending->signal) {
	case SIGXCPU:
		if (is_spent(ending, time))
			return (struct cause){ST_LIMIT_EXCEEDED, RE_NONE,
					      LIMIT_CPU_SECONDS};
		return (struct cause){ST_WORKER_KILLED, RE_NONE, LIMIT_NONE};
	case SIGSYS:
		return (struct cause){ST_WORKER_POLICY_VIOLATION, RE_NONE,
				      LIMIT_NONE};
	case SIGKILL:
		/* the kernel's answer to a hard limit on processor time */
		if (ending->cpu_us >= time->cpu_seconds * US_PER_SECOND)
			return (struct cause){ST_LIMIT_EXCEEDED, RE_NONE,
					      LIMIT_CPU_SECONDS};
		return (struct cause){ST_WORKER_KILLED, RE_NONE, LIMIT_NONE};
	case SIGSEGV:
	case SIGBUS:
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
	case SIGABRT:
	case SIGPIPE:
	case SIGXFSZ:
		return (struct cause){ST_WORKER_CRASHED, RE_NONE, LIMIT_NONE};
	default:
		/* no bug raises the others: somebody sent them */
		return (struct cause){ST_WORKER_KILLED, RE_NONE, LIMIT_NONE};
	}
}

/* LIMIT_EXCEEDED says how much of what was used, in the limit's unit. */
static void
put_limit(struct obituary_record *out, const struct service_time *time)
{
	switch (out->limit) {
	case LIMIT_CPU_SECONDS:
		out->max = time->cpu_seconds;
		out->actual = out->cpu_us / US_PER_SECOND;
		break;
	case LIMIT_WALL_SECONDS:
		out->max = time->wall_seconds;
		out->actual = out->wall_us / US_PER_SECOND;
		break;
	case LIMIT_STALL_SECONDS:
		out->max = time->stall_seconds;
		out->actual = time->stall_seconds;
		break;
	default:
		BUG_ON(!limit_is_time(out->limit));
	}
	if (out->actual < out->max)
		out->actual = out->max;
}

void
obituary_make(const struct cause *cause, const struct ending *ending,
	      const struct service_time *time, struct obituary_record *out)
{
	struct cause why = *cause;

	BUG_ON(ending == NULL && cause->status == ST_OK);
	*out = (struct obituary_record){.wall_us = time->wall_us};
	if (ending != NULL) {
		out->cpu_us = ending->cpu_us;
		out->peak_rss_bytes = ending->peak_rss_bytes;
		if (cause->status == ST_OK)
			why = ending->signal == 0
				  ? cause_of_exit(ending->exit_status)
				  : cause_of_signal(ending, time);
	}
	/* a signal of ours is not news, and a limit says more than its signal
	 */
	if (cause->status == ST_OK && why.status != ST_LIMIT_EXCEEDED)
		out->signal = ending->signal;
	out->status = why.status;
	out->reason = why.reason;
	out->limit = why.status == ST_LIMIT_EXCEEDED ? why.limit : LIMIT_NONE;
	if (out->limit != LIMIT_NONE)
		put_limit(out, time);
}
