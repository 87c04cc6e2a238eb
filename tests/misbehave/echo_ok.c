/*
 * No sin at all: takes the job and answers with a fixed result of one row.
 */
#include "tests/misbehave/standin.h"

int
main(int argc, char **argv)
{
	if (argc != 3)
		return WORKER_EXIT_SETUP;
	(void)standin_take_job(argv);
	standin_install_filter();
	standin_result(1);
	standin_rows(1);
	standin_done(1);
	_exit(WORKER_EXIT_DONE);
}
