/*
 * Two records on a fresh connection: the ticket, which the front reads, and
 * one byte with the descriptor, which only the worker reads.
 */
#include "client/door.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/worker_fds.h"

static_assert(DOOR_PATH_BYTES == sizeof(((struct sockaddr_un *)0)->sun_path),
	      "a door's path is a socket's address");

int
door_deliver(const struct acceptance *acceptance, int file)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct span ticket = span_of(acceptance->ticket, TICKET_BYTES);
	uint8_t byte = DOOR_FILE_BYTE;
	int fd, saved;

	memcpy(address.sun_path, acceptance->door, sizeof(acceptance->door));
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    chan_send(fd, ticket, -1, false) == CHAN_OK &&
	    chan_send(fd, span_of(&byte, 1), file, false) == CHAN_OK)
		return fd;
	saved = errno;
	fd_close(&fd);
	errno = saved;
	return -1;
}
