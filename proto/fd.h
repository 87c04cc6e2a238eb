/*
 * A file descriptor has one owner and is -1 when empty.
 */
#ifndef PROTO_FD_H
#define PROTO_FD_H

#include <unistd.h>

/* Closes *fd when it is open and empties it. EINTR closes too, on Linux. */
static inline void
fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Gives the descriptor away: the caller's variable is emptied. */
static inline int
fd_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
