/*
 * A private service for the time of one command: started in a directory of
 * its own, taken down with us, however we end.
 */
#ifndef CLIENT_EMBEDDED_H
#define CLIENT_EMBEDDED_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "proto/status.h"

struct embedded {
	char dir[PATH_MAX];    /* "" when there is none */
	char socket[PATH_MAX]; /* its endpoint */
	pid_t pid;	       /* 0 when it does not run */
	int pidfd;	       /* owned: readable when it has ended */
	int lifeline;	       /* owned: closed when it shall end */
	int log;	       /* owned: what it writes on stderr */
};

void embedded_init(struct embedded *e);

/*
 * Starts extractd and waits until it accepts work; then LEAVE_OK. When that
 * fails it says why on stderr, leaves nothing behind and returns the exit
 * status for it; so it does, silently, when a signal comes meanwhile.
 */
NODISCARD int embedded_start(struct embedded *e);

/* Shuts it down and removes its directory. Its exit status, or -1 when it
 * never ran or was killed. */
int embedded_stop(struct embedded *e);

/* After it ended unasked: shows its last lines on stderr. */
void embedded_show_log(const struct embedded *e);

#endif
