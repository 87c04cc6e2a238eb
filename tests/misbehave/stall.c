/*
 * Takes the job and says nothing more. With "stop" in the artifact's name it
 * also stops itself, so that only SIGKILL reaches it.
 */
#include <signal.h>

#include "tests/misbehave/standin.h"

int
main(int argc, char **argv)
{
	if (argc != 3)
		return WORKER_EXIT_SETUP;
	if (strstr(standin_take_job(argv), "stop") != NULL)
		raise(SIGSTOP);
	for (;;)
		pause();
}
