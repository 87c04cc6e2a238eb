/*
 * The worker's system-call list (syscalls.def) as enums. The supervisor
 * compiles it into the filter; tests read it to know what may be seen.
 *
 * Arguments that are ints in C are compared in their low 32 bits only, since
 * the kernel ignores the rest and callers leave anything there.
 */
#ifndef PROTO_SYSCALLS_H
#define PROTO_SYSCALLS_H

enum syscall_action {
	SYSCALL_ALLOW,
	SYSCALL_ALLOW_IF, /* if the argument rule holds; else kill */
	SYSCALL_EACCES,	  /* fails with that errno, without being run */
	SYSCALL_EPERM,
	SYSCALL_ENOSYS,
};

enum syscall_args {
	/* nothing is asked of them */
	SYSCALL_ARGS_ANY,
	/* 0: WORKER_INPUT_FD */
	SYSCALL_ARGS_INPUT_FD,
	/* 0: WORKER_CHANNEL_FD, 3: exactly MSG_NOSIGNAL, 4: NULL */
	SYSCALL_ARGS_CHANNEL_SEND,
	/* 2: no PROT_EXEC, 3: exactly MAP_PRIVATE | MAP_ANONYMOUS, 4: -1 */
	SYSCALL_ARGS_MAP_PRIVATE_MEMORY,
	/* 3: exactly MREMAP_MAYMOVE */
	SYSCALL_ARGS_REMAP_MAY_MOVE,
	/* 2: no PROT_EXEC */
	SYSCALL_ARGS_PROTECT_NO_EXEC,
	/* 2: MADV_DONTNEED */
	SYSCALL_ARGS_ADVISE_DONTNEED,
	/* 0: CLOCK_MONOTONIC */
	SYSCALL_ARGS_CLOCK_MONOTONIC,
};

#endif
