/*
 * The filter, call by call: a child puts it up and makes one call.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "broker/supervisor/filter.h"
#include "proto/worker_fds.h"

#define KILLED 1000

struct call {
	const char *name;
	long number;
	long args[6];
	int errno_expected; /* KILLED: the process is */
};

static void
install(int filter_fd)
{
	static struct sock_filter program[BPF_MAXINSNS];
	ssize_t n = pread(filter_fd, program, sizeof(program), 0);
	struct sock_fprog filter = {
	    .len = (unsigned short)(n / (ssize_t)sizeof(program[0])),
	    .filter = program};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)
		_exit(99);
}

/* Exits with the call's errno. */
_Noreturn static void
child(int filter_fd, const struct call *c)
{
	const long *a = c->args;
	int fd = open("/dev/zero", O_RDONLY), chan[2];
	long result;

	/* the program must not be where the input and the channel go */
	filter_fd = fcntl(filter_fd, F_DUPFD, 100);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, chan) != 0)
		_exit(98);
	fd = fcntl(fd, F_DUPFD, 100);
	chan[0] = fcntl(chan[0], F_DUPFD, 100);
	dup2(fd, WORKER_INPUT_FD);
	dup2(chan[0], WORKER_CHANNEL_FD);
	install(filter_fd);
	errno = 0;
	result = syscall(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
	syscall(SYS_exit_group, result == -1 ? errno : 0);
	for (;;)
		;
}

static int
outcome(int filter_fd, const struct call *c)
{
	int status;
	pid_t pid = fork();

	cr_assert_geq(pid, 0);
	if (pid == 0)
		child(filter_fd, c);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGSYS ? KILLED : -1;
	return WEXITSTATUS(status);
}

static void
check(const struct call *calls, size_t len)
{
	int filter_fd = -1;

	cr_assert_eq(filter_compile(&filter_fd), ST_OK);
	for (size_t i = 0; i < len; i++)
		cr_assert_eq(outcome(filter_fd, &calls[i]),
			     calls[i].errno_expected, "%s: %d", calls[i].name,
			     outcome(filter_fd, &calls[i]));
	close(filter_fd);
}

#define CHECK(calls) check((calls), sizeof(calls) / sizeof((calls)[0]))
#define MEMORY (MAP_PRIVATE | MAP_ANONYMOUS)
#define RW (PROT_READ | PROT_WRITE)

static char page[8192] __attribute__((aligned(4096)));
static struct stat st;
static struct timespec ts;

Test(filter, what_an_extraction_needs_works)
{
	const struct call calls[] = {
	    {"read", SYS_read, {WORKER_INPUT_FD, (long)page, 1}, 0},
	    {"pread64", SYS_pread64, {WORKER_INPUT_FD, (long)page, 1}, 0},
	    {"fstat", SYS_fstat, {WORKER_INPUT_FD, (long)&st}, 0},
	    {"sendto",
	     SYS_sendto,
	     {WORKER_CHANNEL_FD, (long)"x", 1, MSG_NOSIGNAL, 0, 0},
	     0},
	    {"brk", SYS_brk, {0}, 0},
	    {"mmap", SYS_mmap, {0, 4096, RW, MEMORY, -1, 0}, 0},
	    {"mmap, -1 as an unsigned int",
	     SYS_mmap,
	     {0, 4096, RW, MEMORY, 0xffffffff, 0},
	     0},
	    {"mprotect",
	     SYS_mprotect,
	     {(long)page, 4096, PROT_READ | PROT_WRITE},
	     0},
	    {"mremap", SYS_mremap, {(long)page, 4096, 4096, MREMAP_MAYMOVE}, 0},
	    {"madvise", SYS_madvise, {(long)page, 4096, MADV_DONTNEED}, 0},
	    {"clock_gettime",
	     SYS_clock_gettime,
	     {CLOCK_MONOTONIC, (long)&ts},
	     0},
	    {"exit_group", SYS_exit_group, {0}, 0},
	};

	CHECK(calls);
}

Test(filter, other_arguments_of_the_same_calls_kill)
{
	const struct call calls[] = {
	    {"read channel", SYS_read, {WORKER_CHANNEL_FD, 0, 0}, KILLED},
	    {"read 0", SYS_read, {0, 0, 0}, KILLED},
	    {"fstat 0", SYS_fstat, {0, (long)&st}, KILLED},
	    {"sendto without MSG_NOSIGNAL",
	     SYS_sendto,
	     {WORKER_CHANNEL_FD, (long)"x", 1, 0, 0, 0},
	     KILLED},
	    {"sendto with an address",
	     SYS_sendto,
	     {WORKER_CHANNEL_FD, (long)"x", 1, MSG_NOSIGNAL, (long)page, 16},
	     KILLED},
	    {"sendto the input",
	     SYS_sendto,
	     {WORKER_INPUT_FD, (long)"x", 1, MSG_NOSIGNAL, 0, 0},
	     KILLED},
	    {"mmap exec",
	     SYS_mmap,
	     {0, 4096, PROT_READ | PROT_EXEC, MEMORY, -1, 0},
	     KILLED},
	    {"mmap a file",
	     SYS_mmap,
	     {0, 4096, PROT_READ, MAP_PRIVATE, WORKER_INPUT_FD, 0},
	     KILLED},
	    {"mmap fixed",
	     SYS_mmap,
	     {(long)page, 4096, RW, MEMORY | MAP_FIXED, -1, 0},
	     KILLED},
	    {"mmap shared",
	     SYS_mmap,
	     {0, 4096, RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0},
	     KILLED},
	    {"mprotect exec",
	     SYS_mprotect,
	     {(long)page, 4096, PROT_READ | PROT_EXEC},
	     KILLED},
	    {"mremap fixed",
	     SYS_mremap,
	     {(long)page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED,
	      (long)page},
	     KILLED},
	    {"madvise", SYS_madvise, {(long)page, 4096, 3}, KILLED},
	    {"clock_gettime of another process",
	     SYS_clock_gettime,
	     {~(1L << 3) | 2, (long)&ts},
	     KILLED},
	};

	CHECK(calls);
}

Test(filter, files_are_out_of_reach_but_do_not_kill)
{
	const struct call calls[] = {
	    {"openat", SYS_openat, {AT_FDCWD, (long)"/etc/passwd"}, EACCES},
	    {"newfstatat", SYS_newfstatat, {AT_FDCWD, (long)"/"}, EACCES},
	    {"statx", SYS_statx, {AT_FDCWD, (long)"/"}, EACCES},
	    {"readlinkat", SYS_readlinkat, {AT_FDCWD, (long)"/"}, EACCES},
	    {"faccessat", SYS_faccessat, {AT_FDCWD, (long)"/"}, EACCES},
	};

	CHECK(calls);
}

Test(filter, signals_and_writes_are_denied_softly)
{
	const struct call calls[] = {
	    {"kill", SYS_kill, {0x7ffffff0, SIGKILL}, EPERM},
	    {"tgkill", SYS_tgkill, {1, 1, SIGKILL}, EPERM},
	    {"getpid", SYS_getpid, {0}, EPERM},
	    {"write", SYS_write, {2, (long)"x", 1}, EPERM},
	    {"ioctl", SYS_ioctl, {1, 0x5401, 0}, EPERM},
	    {"futex", SYS_futex, {0}, ENOSYS},
	    {"getrandom", SYS_getrandom, {(long)page, 1, 0}, ENOSYS},
	};

	CHECK(calls);
}

Test(filter, everything_else_kills)
{
	const struct call calls[] = {
	    {"clone", SYS_clone, {SIGCHLD}, KILLED},
	    {"clone3", SYS_clone3, {0}, KILLED},
	    {"execve", SYS_execve, {(long)"/bin/true"}, KILLED},
	    {"execveat", SYS_execveat, {5, (long)""}, KILLED},
	    {"ptrace", SYS_ptrace, {0}, KILLED},
	    {"socket", SYS_socket, {AF_INET, SOCK_STREAM}, KILLED},
	    {"connect", SYS_connect, {3, (long)page, 16}, KILLED},
	    {"sendmsg", SYS_sendmsg, {3, (long)page, 0}, KILLED},
	    {"recvmsg", SYS_recvmsg, {3, (long)page, 0}, KILLED},
	    {"bind", SYS_bind, {3, (long)page, 16}, KILLED},
	    {"shmget", SYS_shmget, {0}, KILLED},
	    {"msgget", SYS_msgget, {0}, KILLED},
	    {"io_uring_setup", 425, {8, 0}, KILLED},
	    {"bpf", SYS_bpf, {0}, KILLED},
	    {"unshare", SYS_unshare, {0}, KILLED},
	    {"setns", SYS_setns, {0}, KILLED},
	    {"mount", SYS_mount, {0}, KILLED},
	    {"prctl", SYS_prctl, {PR_SET_DUMPABLE, 1}, KILLED},
	    {"process_vm_readv", SYS_process_vm_readv, {1}, KILLED},
	    {"pidfd_open", SYS_pidfd_open, {1}, KILLED},
	    {"pwrite64", SYS_pwrite64, {5, (long)"x", 1, 0}, KILLED},
	    {"ftruncate", SYS_ftruncate, {5, 0}, KILLED},
	    {"dup", SYS_dup, {5}, KILLED},
	    {"no such call", 9999, {0}, KILLED},
#ifdef __x86_64__
	    {"x32 write", 0x40000000 + 1, {2, (long)"x", 1}, KILLED},
#endif
	};

	CHECK(calls);
}

Test(filter, the_program_is_sealed)
{
	int fd = -1;

	cr_assert_eq(filter_compile(&fd), ST_OK);
	cr_assert_eq(pwrite(fd, "x", 1, 0), -1);
	cr_assert_neq(ftruncate(fd, 0), 0);
	close(fd);
}
