/*
 * Reads through a wild pointer; with "abort" in the artifact's name it aborts
 * under the filter, which must show as a crash as well.
 */
#include "tests/misbehave/standin.h"

int
main(int argc, char **argv)
{
	int *volatile nowhere = NULL;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	if (strstr(standin_take_job(argv), "abort") != NULL) {
		standin_install_filter();
		abort();
	}
	return *nowhere;
}
