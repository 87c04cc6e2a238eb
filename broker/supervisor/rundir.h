/*
 * The runtime directory: ours alone (0700), locked, with the two listening
 * sockets that every front inherits. We never accept on them.
 */
#ifndef SUPERVISOR_RUNDIR_H
#define SUPERVISOR_RUNDIR_H

#include <stdbool.h>

struct rundir {
	const char *path; /* borrowed: the configuration's */
	int dir_fd;	  /* owned */
	int lock_fd;	  /* owned; locked while we live */
	int api_fd;	  /* owned; STREAM, for the front's ZeroMQ */
	int door_fd;	  /* owned; SEQPACKET */
};

/* Makes what is missing and takes the lock. Dies when the directory is not
 * ours alone, or another service holds it. path outlives *out. */
void rundir_open(struct rundir *out, const char *path);

/* Makes the sockets, in the place of any that a killed service left. Dies when
 * it cannot. */
void rundir_listen(struct rundir *rundir);

/* Removes the socket files; with `all` the lock and the directory too. */
void rundir_fini(struct rundir *rundir, bool all);

#endif
