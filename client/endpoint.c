/*
 * Chooses by the rules of the documentation; asks the kernel whether somebody
 * listens, by a connection that is closed again at once.
 */
#include "client/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "proto/fd.h"

int
endpoint_probe(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd, result = 0;

	if (strlen(path) >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		result = errno == EAGAIN ? 0 : errno; /* its queue is full */
	fd_close(&fd);
	return result;
}

bool
endpoint_is_closed(const char *path, uid_t *owner_out)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	struct stat st;

	if (endpoint_probe(path) != EACCES || slash == NULL || slash == path)
		return false;
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	if (stat(folder, &st) < 0)
		return false;
	*owner_out = st.st_uid;
	return true;
}

/* "ipc:///path" or "/path" to the path. */
static bool
read_url(const char *url, char path_out[PATH_MAX], const char **why_out)
{
	const char *path = url;

	if (strncmp(url, "tcp://", 6) == 0) {
		*why_out = "only ipc:// endpoints are supported";
		return false;
	}
	if (strncmp(url, "ipc://", 6) == 0)
		path = url + 6;
	if (path[0] != '/') {
		*why_out = "an endpoint is ipc:// and the absolute path of a "
			   "socket";
		return false;
	}
	if (strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path)) {
		*why_out = "the path of a socket has at most 107 bytes";
		return false;
	}
	memcpy(path_out, path, strlen(path) + 1);
	return true;
}

static bool
try_path(const char *path, struct endpoint *endpoint_out)
{
	if (endpoint_probe(path) != 0)
		return false;
	endpoint_out->kind = ENDPOINT_FOUND;
	snprintf(endpoint_out->path, sizeof(endpoint_out->path), "%s", path);
	return true;
}

static bool
try_user(struct endpoint *endpoint_out)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX];
	int len;

	if (dir == NULL || dir[0] != '/')
		return false;
	len = snprintf(path, sizeof(path), "%s/extractd/extractd.sock", dir);
	return len > 0 && (size_t)len < sizeof(path) &&
	       try_path(path, endpoint_out);
}

bool
endpoint_choose(const char *option, struct endpoint *endpoint_out,
		const char **why_out)
{
	const char *url = option;

	*endpoint_out = (struct endpoint){.kind = ENDPOINT_NONE};
	if (url == NULL)
		url = getenv("EXTRACTD_ENDPOINT");
	if (url != NULL && (option != NULL || url[0] != '\0')) {
		endpoint_out->kind = ENDPOINT_NAMED;
		return read_url(url, endpoint_out->path, why_out);
	}
	if (!try_path(ENDPOINT_SYSTEM, endpoint_out))
		(void)try_user(endpoint_out);
	return true;
}
