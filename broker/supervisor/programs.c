/*
 * Finds extract-worker and extractd-front. They are opened with O_PATH, which
 * is all that execveat needs, and so that nothing in here could read them.
 */
#include "broker/supervisor/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "broker/supervisor/log.h"
#include "proto/fd.h"

#define WORKER_NAME "extract-worker"
#define FRONT_NAME "extractd-front"
#define LIBEXEC_BESIDE "../libexec/extractd"

/* The folder of our own program. */
static void
own_folder(char out[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
	char *slash;

	if (n < 0)
		die(EXIT_STATUS_FAILED, "/proc/self/exe: %s", strerror(errno));
	out[n] = '\0';
	slash = strrchr(out, '/');
	if (slash != NULL)
		*slash = '\0';
}

/* -1, with errno, unless it is a file that may be executed. */
static int
open_program(const char *folder, const char *name)
{
	char path[2 * PATH_MAX];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_mode & S_IXUSR) != 0)
		return fd;
	fd_close(&fd);
	errno = EACCES;
	return -1;
}

static int
find_program(const char *libexec_dir, const char *name)
{
	char own[PATH_MAX], beside[PATH_MAX + sizeof(LIBEXEC_BESIDE)];
	int fd;

	if (libexec_dir != NULL) {
		fd = open_program(libexec_dir, name);
		if (fd < 0)
			die(EXIT_STATUS_FAILED, "%s/%s: %s", libexec_dir, name,
			    strerror(errno));
		return fd;
	}
	own_folder(own);
	fd = open_program(own, name);
	if (fd >= 0)
		return fd;
	snprintf(beside, sizeof(beside), "%s/" LIBEXEC_BESIDE, own);
	fd = open_program(beside, name);
	if (fd < 0)
		die(EXIT_STATUS_FAILED, "%s is neither in %s nor in %s: %s",
		    name, own, beside, strerror(errno));
	return fd;
}

void
programs_open(struct programs *programs_out, const char *libexec_dir)
{
	programs_out->worker_fd = find_program(libexec_dir, WORKER_NAME);
	programs_out->front_fd = find_program(libexec_dir, FRONT_NAME);
	programs_out->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (programs_out->null_fd < 0)
		die(EXIT_STATUS_FAILED, "/dev/null: %s", strerror(errno));
}

void
programs_fini(struct programs *programs)
{
	fd_close(&programs->worker_fd);
	fd_close(&programs->front_fd);
	fd_close(&programs->null_fd);
}
