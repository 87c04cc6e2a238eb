/*
 * Which family an attack is of; and those upon the artifact and the channel.
 */
#include "tests/misbehave/base/attacks.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/worker_fds.h"

#define UNKNOWN (-2L)

static long
pass_descriptor(void)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS}};
	char byte = 'x';
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = sizeof(control.bytes)};
	int fd = WORKER_INPUT_FD;

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return syscall(SYS_sendmsg, WORKER_CHANNEL_FD, &msg, MSG_NOSIGNAL);
}

static long
map_input(void)
{
	volatile char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
				 WORKER_INPUT_FD, 0);

	if (at == MAP_FAILED)
		return -1;
	at[0] = 'X';
	return 0;
}

long
attack_input(const char *name)
{
	if (strcmp(name, "write_input") == 0)
		return syscall(SYS_pwrite64, WORKER_INPUT_FD, "X", 1, 0L);
	if (strcmp(name, "map_input") == 0)
		return map_input();
	if (strcmp(name, "truncate_input") == 0)
		return syscall(SYS_ftruncate, WORKER_INPUT_FD, 0L);
	if (strcmp(name, "pass_descriptor") == 0)
		return pass_descriptor();
	return UNKNOWN;
}

long
attack(const char *name, const char *argument, pid_t parent)
{
	long result = attack_input(name);

	if (result == UNKNOWN)
		result = attack_files(name, argument);
	if (result == UNKNOWN)
		result = attack_processes(name, argument, parent);
	if (result == UNKNOWN)
		result = attack_memory(name);
	if (result == UNKNOWN)
		result = attack_network(name, argument);
	return result;
}

void
attack_report(char out[ATTACK_REPORT_BYTES], long result, int error)
{
	snprintf(out, ATTACK_REPORT_BYTES, "result %ld errno %d", result,
		 result < 0 ? error : 0);
}
