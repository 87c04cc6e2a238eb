/*
 * Notices of readiness. Nobody needs to be there to read them, so failures
 * are of no interest, and nothing waits.
 */
#include "broker/supervisor/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "proto/fd.h"

void
notify_systemd(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = path == NULL ? 0 : strlen(path);
	int fd;

	if (len < 2 || len >= sizeof(address.sun_path) ||
	    (path[0] != '/' && path[0] != '@'))
		return;
	memcpy(address.sun_path, path, len);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
		     (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	fd_close(&fd);
}

void
notify_parent(int *fd)
{
	if (*fd >= 0 && write(*fd, "\n", 1) < 0) {
		/* nobody listens any more */
	}
	fd_close(fd);
}
