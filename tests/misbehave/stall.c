/*
 * Takes the job and says nothing more. With "stop" in the artifact's name it
 * also stops itself, so that only SIGKILL reaches it; with "works" it first
 * makes progress, at 0, 875 and 900 ms.
 */
#include <signal.h>

#include "tests/misbehave/standin.h"

static void
make_progress(void)
{
	const struct progress progress = {.phase = PHASE_READING};
	struct writer w;

	standin_begin(&w, MSG_PROGRESS);
	progress_write(&w, &progress);
	standin_send(&w);
}

static void
work(void)
{
	make_progress();
	(void)poll(NULL, 0, 875);
	make_progress();
	(void)poll(NULL, 0, 25);
	make_progress();
}

int
main(int argc, char **argv)
{
	const char *name;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	name = standin_take_job(argv);
	if (strstr(name, "works") != NULL)
		work();
	if (strstr(name, "stop") != NULL)
		raise(SIGSTOP);
	for (;;)
		pause();
}
