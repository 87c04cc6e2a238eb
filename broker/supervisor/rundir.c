/*
 * Puts up the runtime directory. The lock, not the socket files, says whether
 * a service is there, so files left behind by a killed one are in nobody's
 * way.
 */
#include "broker/supervisor/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "broker/supervisor/config.h"
#include "broker/supervisor/log.h"
#include "proto/fd.h"

#define LOCK_NAME "lock"
#define BACKLOG 128

/* The directory, opened so that it cannot be exchanged after the checks. */
static int
open_own_directory(const char *path)
{
	struct stat st;
	int fd;

	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		die(EXIT_STATUS_FAILED, "cannot make %s: %s", path,
		    strerror(errno));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		die(EXIT_STATUS_FAILED, "cannot open the directory %s: %s",
		    path, strerror(errno));
	if (st.st_uid != geteuid())
		die(EXIT_STATUS_FAILED, "%s belongs to another user", path);
	if ((st.st_mode & 077) != 0)
		die(EXIT_STATUS_FAILED,
		    "%s is open to other users; its mode must be 0700", path);
	return fd;
}

static int
take_lock(int dir_fd, const char *path)
{
	int fd = openat(dir_fd, LOCK_NAME,
			O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		die(EXIT_STATUS_FAILED, "%s/" LOCK_NAME ": %s", path,
		    strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		die(EXIT_STATUS_FAILED, "another extractd serves %s", path);
	return fd;
}

static int
listen_on(const struct rundir *rundir, const char *name, int type)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 rundir->path, name);
	unlinkat(rundir->dir_fd, name, 0);
	if (fd < 0 ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, BACKLOG) != 0)
		die(EXIT_STATUS_FAILED, "cannot listen on %s: %s",
		    address.sun_path, strerror(errno));
	return fd;
}

void
rundir_open(struct rundir *out, const char *path)
{
	out->path = path;
	out->dir_fd = open_own_directory(path);
	out->lock_fd = take_lock(out->dir_fd, path);
}

void
rundir_listen(struct rundir *rundir)
{
	rundir->api_fd = listen_on(rundir, API_SOCKET_NAME, SOCK_STREAM);
	rundir->door_fd = listen_on(rundir, DOOR_SOCKET_NAME, SOCK_SEQPACKET);
}

void
rundir_fini(struct rundir *rundir, bool all)
{
	unlinkat(rundir->dir_fd, API_SOCKET_NAME, 0);
	unlinkat(rundir->dir_fd, DOOR_SOCKET_NAME, 0);
	if (all) {
		unlinkat(rundir->dir_fd, LOCK_NAME, 0);
		rmdir(rundir->path);
	}
	fd_close(&rundir->api_fd);
	fd_close(&rundir->door_fd);
	fd_close(&rundir->lock_fd);
	fd_close(&rundir->dir_fd);
}
