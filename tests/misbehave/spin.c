/*
 * Burns processor time. With "cpu" in the artifact's name under a limit of one
 * second, as the real worker would be; else until it is killed.
 */
#include <sys/resource.h>

#include "tests/misbehave/standin.h"

int
main(int argc, char **argv)
{
	const struct rlimit second = {.rlim_cur = 1, .rlim_max = 2};

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	if (strstr(standin_take_job(argv), "cpu") != NULL)
		setrlimit(RLIMIT_CPU, &second);
	for (;;)
		__asm__ volatile("");
}
