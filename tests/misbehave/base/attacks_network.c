/*
 * Attacks upon whoever listens: TCP, UDP, local sockets of both kinds.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/misbehave/base/attacks.h"

static struct sockaddr_in
loopback(const char *port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons(
					(uint16_t)strtoul(port, NULL, 10)),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static long
connect_tcp(const char *port)
{
	struct sockaddr_in address = loopback(port);
	long fd = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1
		      : syscall(SYS_connect, fd, &address, sizeof(address));
}

static long
send_udp(const char *port)
{
	struct sockaddr_in address = loopback(port);
	long fd = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);

	return fd < 0 ? -1
		      : syscall(SYS_sendto, fd, "x", 1L, 0L, &address,
				sizeof(address));
}

static long
connect_local(const char *name, size_t offset)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = strlen(name);
	long fd = syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0)
		return -1;
	memcpy(address.sun_path + offset, name, len);
	len += offsetof(struct sockaddr_un, sun_path) + offset;
	return syscall(SYS_connect, fd, &address, len);
}

long
attack_network(const char *name, const char *argument)
{
	if (strcmp(name, "connect_tcp") == 0)
		return connect_tcp(argument);
	if (strcmp(name, "send_udp") == 0)
		return send_udp(argument);
	if (strcmp(name, "connect_path") == 0)
		return connect_local(argument, 0);
	if (strcmp(name, "connect_abstract") == 0)
		return connect_local(argument, 1);
	return -2;
}
