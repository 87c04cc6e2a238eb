/*
 * Burns processor time. With "cpu" in the artifact's name it is ended after a
 * second of it, as the real worker would be; else when it is killed.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "tests/misbehave/standin.h"

static void
end_after_a_second(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGXCPU};
	const struct itimerspec at = {.it_value.tv_sec = 1};
	int timer;

	if (syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event,
		    &timer) != 0 ||
	    syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &at, NULL) != 0)
		_exit(WORKER_EXIT_SETUP);
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return WORKER_EXIT_SETUP;
	if (strstr(standin_take_job(argv), "cpu") != NULL)
		end_after_a_second();
	for (;;)
		__asm__ volatile("");
}
