/*
 * Attacks upon other processes, and ways to become or make another one.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/misbehave/base/attacks.h"

static char *const nothing[] = {NULL};

static long
fork_one(void)
{
	long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0L);

	if (pid == 0)
		syscall(SYS_exit_group, 0);
	return pid;
}

/* Our own program once more, with one argument where workers have two. It
 * then has nothing to tell: it exits with 77, as below. */
static long
exec_self(void)
{
	static const char *const argv[] = {"attack", "exec_was_done", NULL};

	return syscall(SYS_execve, "/proc/self/exe", argv, nothing);
}

/* A program of a few bytes that exits with 77. */
static long
exec_memory(void)
{
	static const uint8_t code[] = {0xb8, 60, 0, 0, 0,    0xbf,
				       77,   0,	 0, 0, 0x0f, 5};
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr p;
		uint8_t code[sizeof(code)];
	} file = {.e = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64,
				    ELFDATA2LSB, 1},
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_version = 1,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1},
		  .p = {.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_vaddr = 0x400000,
			.p_filesz = sizeof(file),
			.p_memsz = sizeof(file),
			.p_align = 4096}};
	long fd = syscall(SYS_memfd_create, "x", 0);

	file.e.e_entry = 0x400000 + offsetof(__typeof__(file), code);
	memcpy(file.code, code, sizeof(code));
	if (fd < 0 || syscall(SYS_write, fd, &file, sizeof(file)) < 0)
		return -1;
	return syscall(SYS_execveat, fd, "", nothing, nothing, AT_EMPTY_PATH);
}

static long
read_memory(pid_t pid)
{
	char byte;
	struct iovec here = {.iov_base = &byte, .iov_len = 1};
	/* the worst that comes back is EFAULT: then it was let in, too */
	struct iovec there = {.iov_base = (void *)4096, .iov_len = 1};
	long n = syscall(SYS_process_vm_readv, pid, &here, 1L, &there, 1L, 0L);

	return n < 0 && errno == EFAULT ? 0 : n;
}

static long
upon(const char *name, pid_t pid)
{
	if (strcmp(name, "kill_sibling") == 0)
		return syscall(SYS_kill, pid, SIGKILL);
	if (strcmp(name, "trace_sibling") == 0)
		return syscall(SYS_ptrace, PTRACE_SEIZE, pid, NULL, NULL);
	if (strcmp(name, "read_sibling") == 0)
		return read_memory(pid);
	return -2;
}

long
attack_processes(const char *name, const char *argument, pid_t parent)
{
	if (strcmp(name, "fork") == 0)
		return fork_one();
	if (strcmp(name, "exec") == 0)
		return exec_self();
	if (strcmp(name, "exec_memory") == 0)
		return exec_memory();
	if (strcmp(name, "signal_parent") == 0)
		return syscall(SYS_kill, parent, 0); /* may it? */
	if (strcmp(name, "undump") == 0)
		return syscall(SYS_prctl, PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
	if (strcmp(name, "new_namespaces") == 0)
		return syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS);
	return upon(name, (pid_t)strtol(argument, NULL, 10));
}
