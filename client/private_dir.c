/*
 * mkdtemp in the first place that works, and its undoing.
 */
#include "client/private_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/fd.h"

#define PATTERN "/extractd-XXXXXX"
#define LONGEST_FILE "/extractd.sock"

/* The longest parent whose sockets still have an address. */
#define PARENT_MAX                                                       \
	(sizeof(((struct sockaddr_un *)0)->sun_path) - sizeof(PATTERN) - \
	 sizeof(LONGEST_FILE))

static bool
make_below(const char *parent, char path_out[PATH_MAX])
{
	char whole[PATH_MAX];

	if (parent == NULL || parent[0] == '\0') {
		errno = ENOENT;
		return false;
	}
	if (realpath(parent, whole) == NULL)
		return false;
	if (strcmp(whole, "/") == 0)
		whole[0] = '\0';
	if (strlen(whole) > PARENT_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(whole + strlen(whole), PATTERN, sizeof(PATTERN));
	if (mkdtemp(whole) == NULL)
		return false;
	memcpy(path_out, whole, sizeof(whole));
	return true;
}

bool
private_dir_make(char path_out[PATH_MAX])
{
	if (make_below(getenv("XDG_RUNTIME_DIR"), path_out) ||
	    make_below(getenv("TMPDIR"), path_out) ||
	    make_below("/tmp", path_out))
		return true;
	fprintf(stderr,
		"extract-client: no service is running, and there is no place "
		"for a private one: /tmp: %s\n"
		"  set TMPDIR to a directory that can be written to\n",
		strerror(errno));
	return false;
}

int
private_dir_log(const char *path)
{
	char name[PATH_MAX];
	int fd;

	snprintf(name, sizeof(name), "%.*s/log", PATH_MAX - 8, path);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlink(name);
	return fd;
}

void
private_dir_remove(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (dir != NULL) {
		while ((entry = readdir(dir)) != NULL)
			if (strcmp(entry->d_name, ".") != 0 &&
			    strcmp(entry->d_name, "..") != 0)
				unlinkat(dirfd(dir), entry->d_name, 0);
		closedir(dir);
	}
	rmdir(path);
}
