/*
 * Says that a required layer could not be put up, as the real worker would.
 */
#include "tests/misbehave/standin.h"

int
main(void)
{
	standin_fail(ST_WORKER_START_FAILED, RE_SETUP_FAILED,
		     "sandbox layer not up: no_new_privs");
	_exit(WORKER_EXIT_SETUP);
}
