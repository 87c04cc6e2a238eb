/*
 * Tries every system call under the filter that workers get, and prints what
 * became of each:
 *
 *   ABI NUMBER NAME CASE OUTCOME
 *
 * Nothing that the filter allows is run. Below it lies a filter that answers
 * everything with MARK: of two that deny by an error, the kernel takes the one
 * put up last, which is the worker's; where that one allows, MARK shows.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/mman.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "broker/supervisor/filter.h"
#include "proto/worker_fds.h"

#define MARK 200
#define NUMBERS 600 /* the kernel has some 470 */
/* Names above are unknown to the oldest library that we build with. */
#define NAMED_MAX 450

#define X32 0x40000000L
#define MEMORY (MAP_PRIVATE | MAP_ANONYMOUS)
#define RW (PROT_READ | PROT_WRITE)
#define ANY_UPPER(low) (0x7777777700000000L | (low))

enum abi {
	ABI_X86_64,
	ABI_X32,
	ABI_I386,
	ABI_COUNT
};

static const char *const abi_names[] = {"x86_64", "x32", "i386"};

struct trial {
	long number;
	const char *what;
	long args[6];
};

/* Where the filter looks at arguments: each one right, and each one wrong. */
static const struct trial trials[] = {
    {SYS_read, "fd=input", {WORKER_INPUT_FD, 1, 1}},
    {SYS_read, "fd=input, high bits set", {ANY_UPPER(WORKER_INPUT_FD), 1, 1}},
    {SYS_read, "fd=channel", {WORKER_CHANNEL_FD, 1, 1}},
    {SYS_read, "fd=filter", {WORKER_FILTER_FD, 1, 1}},
    {SYS_read, "fd=6", {6, 1, 1}},
    {SYS_read, "fd=-1", {-1, 1, 1}},
    {SYS_pread64, "fd=input", {WORKER_INPUT_FD, 1, 1, 1L << 40}},
    {SYS_pread64, "fd=channel", {WORKER_CHANNEL_FD, 1, 1}},
    {SYS_pread64, "fd=0", {0, 1, 1}},
    {SYS_fstat, "fd=input", {WORKER_INPUT_FD, 1}},
    {SYS_fstat, "fd=channel", {WORKER_CHANNEL_FD, 1}},
    {SYS_fstat, "fd=0", {0, 1}},
    {SYS_sendto,
     "fd=channel, MSG_NOSIGNAL",
     {WORKER_CHANNEL_FD, 1, 1, MSG_NOSIGNAL}},
    {SYS_sendto, "fd=channel, no flag", {WORKER_CHANNEL_FD, 1, 1, 0}},
    {SYS_sendto,
     "fd=channel, MSG_NOSIGNAL|MSG_DONTWAIT",
     {WORKER_CHANNEL_FD, 1, 1, MSG_NOSIGNAL | MSG_DONTWAIT}},
    {SYS_sendto,
     "fd=channel, MSG_NOSIGNAL, an address",
     {WORKER_CHANNEL_FD, 1, 1, MSG_NOSIGNAL, 4096, 16}},
    {SYS_sendto,
     "fd=channel, MSG_NOSIGNAL, an address above 4 GiB",
     {WORKER_CHANNEL_FD, 1, 1, MSG_NOSIGNAL, 1L << 32, 16}},
    {SYS_sendto, "fd=input", {WORKER_INPUT_FD, 1, 1, MSG_NOSIGNAL}},
    {SYS_mmap, "private anonymous, read write", {0, 4096, RW, MEMORY, -1}},
    {SYS_mmap,
     "private anonymous, fd=-1 unsigned",
     {0, 4096, RW, MEMORY, UINT32_MAX}},
    {SYS_mmap, "private anonymous, no access", {0, 4096, 0, MEMORY, -1}},
    {SYS_mmap, "executable", {0, 4096, PROT_EXEC, MEMORY, -1}},
    {SYS_mmap, "read write executable", {0, 4096, RW | PROT_EXEC, MEMORY, -1}},
    {SYS_mmap, "at a chosen address", {4096, 4096, RW, MEMORY | MAP_FIXED, -1}},
    {SYS_mmap,
     "shared anonymous",
     {0, 4096, RW, MAP_SHARED | MAP_ANONYMOUS, -1}},
    {SYS_mmap, "the input", {0, 4096, RW, MAP_PRIVATE, WORKER_INPUT_FD}},
    {SYS_mmap, "the input, shared", {0, 4096, RW, MAP_SHARED, WORKER_INPUT_FD}},
    {SYS_mmap, "growing down", {0, 4096, RW, MEMORY | MAP_GROWSDOWN, -1}},
    {SYS_mmap, "huge pages", {0, 4096, RW, MEMORY | MAP_HUGETLB, -1}},
    {SYS_mmap, "locked", {0, 4096, RW, MEMORY | MAP_LOCKED, -1}},
    {SYS_mremap, "MREMAP_MAYMOVE", {4096, 4096, 8192, MREMAP_MAYMOVE}},
    {SYS_mremap, "no flag", {4096, 4096, 8192, 0}},
    {SYS_mremap,
     "to a chosen address",
     {4096, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, 8192}},
    {SYS_mremap,
     "leaving the old one",
     {4096, 4096, 4096, MREMAP_MAYMOVE | MREMAP_DONTUNMAP}},
    {SYS_mprotect, "no access", {4096, 4096, PROT_NONE}},
    {SYS_mprotect, "read write", {4096, 4096, RW}},
    {SYS_mprotect, "executable", {4096, 4096, PROT_EXEC}},
    {SYS_mprotect, "read executable", {4096, 4096, PROT_READ | PROT_EXEC}},
    {SYS_madvise, "MADV_DONTNEED", {4096, 4096, MADV_DONTNEED}},
    {SYS_madvise, "MADV_WILLNEED", {4096, 4096, MADV_WILLNEED}},
    {SYS_madvise, "MADV_REMOVE", {4096, 4096, MADV_REMOVE}},
    {SYS_madvise, "MADV_HWPOISON", {4096, 4096, MADV_HWPOISON}},
    {SYS_clock_gettime, "CLOCK_MONOTONIC", {CLOCK_MONOTONIC, 1}},
    {SYS_clock_gettime, "CLOCK_REALTIME", {CLOCK_REALTIME, 1}},
    {SYS_clock_gettime, "processor time of process 1", {~(1L << 3) | 2, 1}},
};

/* Beyond all numbers: the sign, and the ends of what fits. */
static const long strange[] = {1000,	   4096,      0x3fffffff,
			       0x7fffffff, -1,	      0x80000000L,
			       1L << 32,   X32 + 512, X32 + 547};

/* The marker: all but its own end and the putting up of the next filter. */
static void
install_marker(void)
{
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, arch)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | MARK),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(program) / sizeof(program[0]),
				    .filter = program};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)
		abort();
}

static long
enter_kernel(enum abi abi, const struct trial *t)
{
	const long *a = t->args;
	long result = t->number;
	register long r10 __asm__("r10") = a[3];
	register long r8 __asm__("r8") = a[4];
	register long r9 __asm__("r9") = a[5];

	if (abi == ABI_I386)
		__asm__ volatile("int $0x80"
				 : "+a"(result)
				 : "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]),
				   "D"(a[4])
				 : "memory", "cc");
	else
		__asm__ volatile("syscall"
				 : "+a"(result)
				 : "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10),
				   "r"(r8), "r"(r9)
				 : "memory", "cc", "rcx", "r11");
	return result;
}

/* Exits with the call's errno. */
_Noreturn static void
child(const struct sock_fprog *filter, enum abi abi, const struct trial *t)
{
	install_marker();
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) != 0)
		abort();
	syscall(SYS_exit_group, (int)-enter_kernel(abi, t));
	for (;;)
		;
}

static const char *
outcome(const struct sock_fprog *filter, enum abi abi, const struct trial *t)
{
	static char other[32];
	int status;
	pid_t pid = fork();

	if (pid == 0)
		child(filter, abi, t);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) == SIGSYS)
			return "killed";
		snprintf(other, sizeof(other), "signal %d", WTERMSIG(status));
		return other;
	}
	switch (WEXITSTATUS(status)) {
	case MARK:
		return "allowed";
	case EACCES:
		return "EACCES";
	case EPERM:
		return "EPERM";
	case ENOSYS:
		return "ENOSYS";
	}
	snprintf(other, sizeof(other), "exit %d", WEXITSTATUS(status));
	return other;
}

static void
try(const struct sock_fprog *filter, enum abi abi, const struct trial *t)
{
	char *name = NULL;

	if (abi == ABI_X86_64 && t->number >= 0 && t->number <= NAMED_MAX)
		name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64,
							(int)t->number);
	printf("%s\t%ld\t%s\t%s\t%s\n", abi_names[abi], t->number,
	       name == NULL ? "-" : name, t->what, outcome(filter, abi, t));
	free(name);
}

/* Whatever the arguments: none looked at, or a set that no rule fits. */
static void
sweep(const struct sock_fprog *filter, enum abi abi)
{
	for (long i = 0; i <= NUMBERS; i++) {
		struct trial t = {i, "zeros", {0}};

		if (i == SYS_exit_group && abi == ABI_X86_64)
			t.args[0] = MARK; /* the marker lets it through */
		if (abi == ABI_X32)
			t.number |= X32;
		try(filter, abi, &t);
	}
}

int
main(void)
{
	static struct sock_filter program[BPF_MAXINSNS];
	struct sock_fprog filter = {.filter = program};
	ssize_t n;
	int fd;

	if (filter_compile(&fd) != ST_OK)
		return 1;
	n = pread(fd, program, sizeof(program), 0);
	if (n <= 0)
		return 1;
	filter.len = (unsigned short)((size_t)n / sizeof(program[0]));
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		fflush(stdout);
		sweep(&filter, abi);
	}
	for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
		try(&filter, ABI_X86_64, &trials[i]);
	for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
		struct trial t = {strange[i], "zeros", {0}};

		try(&filter, ABI_X86_64, &t);
	}
	return 0;
}
