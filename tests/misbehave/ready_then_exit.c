/*
 * Says READY and exits at once, before it can be given anything.
 */
#include "tests/misbehave/standin.h"

int
main(int argc, char **argv)
{
	if (argc != 3)
		return WORKER_EXIT_SETUP;
	standin_ready(argv);
	_exit(9);
}
