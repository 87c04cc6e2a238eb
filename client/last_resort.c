/*
 * Runs in a signal handler, too: calls nothing but what may be called there.
 */
#include "client/last_resort.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "client/leave.h"

static const char *volatile files[LAST_RESORT_FILES];

static void
say(const char *words)
{
	ssize_t ignored = write(STDERR_FILENO, words, strlen(words));

	(void)ignored;
}

_Noreturn void
last_resort(const char *words)
{
	const char *draft = files[LAST_RESORT_DRAFT];
	const char *dir = files[LAST_RESORT_DIR];

	say("extract-client: ");
	say(words);
	say("\n");
	if (draft != NULL)
		unlink(draft);
	if (dir != NULL)
		rmdir(dir);
	_exit(LEAVE_FAULT);
}

static void
on_abort(int signal)
{
	(void)signal;
	last_resort("cannot go on: too little memory, or too few descriptors");
}

void
last_resort_watch(void)
{
	struct sigaction action = {.sa_handler = on_abort};

	sigfillset(&action.sa_mask);
	sigaction(SIGABRT, &action, NULL);
}

void
last_resort_remove(enum last_resort_file file, const char *path)
{
	files[file] = path;
}
