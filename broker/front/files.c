/*
 * The kernel gives out the lowest free number, so the number of a copy tells
 * how many are taken.
 */
#include "broker/front/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "proto/fd.h"
#include "proto/front_fds.h"

/* Clients, visitors, channels. An idle connection takes about 65 KiB of the
 * address space that we are allowed, so more of them would not fit it. */
#define FILES_MAX 4096
/* For those who come before we look again; of few files a quarter. */
#define FILES_LEFT 256

static rlim_t files_max;

static rlim_t
files_left(void)
{
	return files_max / 4 < FILES_LEFT ? files_max / 4 : FILES_LEFT;
}

void
files_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur =
	    limit.rlim_max < FILES_MAX ? limit.rlim_max : FILES_MAX;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		files_max = limit.rlim_cur;
}

bool
files_short(void)
{
	int fd = fcntl(FRONT_LINK_FD, F_DUPFD_CLOEXEC, 0);
	bool few =
	    fd < 0 ? errno == EMFILE
		   : files_max > 0 && (rlim_t)fd >= files_max - files_left();

	fd_close(&fd);
	return few;
}
