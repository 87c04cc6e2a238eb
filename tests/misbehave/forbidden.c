/*
 * Puts up the real filter and tries one thing that no worker may do; the
 * artifact's name says which. A call that comes back is reported as a parse
 * error (a worker may only blame its artifact) whose message is the result, so
 * that a test can tell "refused" (EACCES, EPERM) from "done"; one that kills
 * leaves the report to the kernel.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/un.h>

#include "tests/misbehave/standin.h"

/* the supervisor: asking for it now would be forbidden, too */
static pid_t parent;

static long
try_pass_descriptor(void)
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
try_memory(const char *sin)
{
	const int private = MAP_PRIVATE | MAP_ANONYMOUS;
	static char page[8192];
	const unsigned long at = ((unsigned long)page + 4095) & ~4095UL;

	if (strstr(sin, "mmap_exec") != NULL)
		return syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC,
			       private, -1, 0);
	if (strstr(sin, "mmap_file") != NULL)
		return syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE,
			       WORKER_INPUT_FD, 0);
	if (strstr(sin, "mprotect_exec") != NULL)
		return syscall(SYS_mprotect, at, 4096, PROT_READ | PROT_EXEC);
	return 12345;
}

static long
try_files(const char *sin)
{
	char byte;

	if (strstr(sin, "open") != NULL)
		return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
	if (strstr(sin, "pwrite_input") != NULL)
		return syscall(SYS_pwrite64, WORKER_INPUT_FD, "x", 1, 0);
	if (strstr(sin, "write_input") != NULL)
		return syscall(SYS_write, WORKER_INPUT_FD, "x", 1);
	if (strstr(sin, "read_channel") != NULL)
		return syscall(SYS_read, WORKER_CHANNEL_FD, &byte, 1);
	if (strstr(sin, "io_uring") != NULL)
		return syscall(425, 8, NULL);
	return try_memory(sin);
}

static long
try_processes(const char *sin)
{
	static const char *const argv[] = {"sh", NULL};

	if (strstr(sin, "fork") != NULL)
		return syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
	if (strstr(sin, "exec") != NULL && strstr(sin, "_exec") == NULL)
		return syscall(SYS_execve, "/bin/sh", argv, NULL);
	if (strstr(sin, "kill") != NULL)
		return syscall(SYS_kill, parent, SIGKILL);
	if (strstr(sin, "ptrace") != NULL)
		return syscall(SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL);
	if (strstr(sin, "prctl") != NULL)
		return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
	return try_files(sin);
}

static long
commit(const char *sin)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX,
					    .sun_path = "/tmp/x"};

	if (strstr(sin, "socket") != NULL)
		return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
	if (strstr(sin, "connect") != NULL)
		return syscall(SYS_connect, WORKER_CHANNEL_FD, &address,
			       sizeof(address));
	if (strstr(sin, "sendmsg") != NULL)
		return try_pass_descriptor();
	if (strstr(sin, "sendto_address") != NULL)
		return syscall(SYS_sendto, WORKER_CHANNEL_FD, "x", 1,
			       MSG_NOSIGNAL, &address, sizeof(address));
	return try_processes(sin);
}

int
main(int argc, char **argv)
{
	char report[64];
	const char *sin;
	long result;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	parent = getppid();
	sin = standin_take_job(argv);
	standin_install_filter();
	errno = 0;
	result = commit(sin);
	snprintf(report, sizeof(report), "result %ld errno %d", result, errno);
	standin_fail(ST_ARTIFACT_PARSE_FAILED, RE_INVALID_JSON, report);
	_exit(WORKER_EXIT_DONE);
}
