/*
 * proto/syscalls.def as a seccomp program. Whatever has no rule kills the
 * process; so does another architecture, x32 included.
 */
#include "broker/supervisor/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "proto/bug.h"
#include "proto/fd.h"
#include "proto/syscalls.h"
#include "proto/worker_fds.h"

#define RULE_ARGS_MAX 3

/* An int argument: the kernel looks at its low 32 bits only, and so must we,
 * for -1 may come with any upper half. */
#define INT_IS(arg, value)                                               \
	{                                                                \
		(arg), SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)(value) \
	}
#define NO_EXEC(arg)                                    \
	{                                               \
		(arg), SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 \
	}
#define IS_NULL(arg)                     \
	{                                \
		(arg), SCMP_CMP_EQ, 0, 0 \
	}

struct args_rule {
	unsigned len;
	struct scmp_arg_cmp compare[RULE_ARGS_MAX];
};

static const struct args_rule args_rules[] = {
    [SYSCALL_ARGS_ANY] = {0, {{0}}},
    [SYSCALL_ARGS_INPUT_FD] = {1, {INT_IS(0, WORKER_INPUT_FD)}},
    [SYSCALL_ARGS_CHANNEL_SEND] = {3,
				   {INT_IS(0, WORKER_CHANNEL_FD),
				    INT_IS(3, MSG_NOSIGNAL), IS_NULL(4)}},
    [SYSCALL_ARGS_MAP_PRIVATE_MEMORY] =
	{3,
	 {NO_EXEC(2), INT_IS(3, MAP_PRIVATE | MAP_ANONYMOUS), INT_IS(4, -1)}},
    [SYSCALL_ARGS_REMAP_MAY_MOVE] = {1, {INT_IS(3, MREMAP_MAYMOVE)}},
    [SYSCALL_ARGS_PROTECT_NO_EXEC] = {1, {NO_EXEC(2)}},
    [SYSCALL_ARGS_ADVISE_DONTNEED] = {1, {INT_IS(2, MADV_DONTNEED)}},
    [SYSCALL_ARGS_CLOCK_MONOTONIC] = {1, {INT_IS(0, CLOCK_MONOTONIC)}},
};

struct syscall_rule {
	const char *name;
	enum syscall_action action;
	enum syscall_args args;
};

static const struct syscall_rule syscall_rules[] = {
#define SYSCALL(name_, action_, args_, reason) \
	{#name_, SYSCALL_##action_, SYSCALL_ARGS_##args_},
#include "proto/syscalls.def"
#undef SYSCALL
};

static uint32_t
verdict(enum syscall_action action)
{
	switch (action) {
	case SYSCALL_ALLOW:
	case SYSCALL_ALLOW_IF:
		return SCMP_ACT_ALLOW;
	case SYSCALL_EACCES:
		return SCMP_ACT_ERRNO(EACCES);
	case SYSCALL_EPERM:
		return SCMP_ACT_ERRNO(EPERM);
	case SYSCALL_ENOSYS:
		return SCMP_ACT_ERRNO(ENOSYS);
	}
	BUG_ON(action > SYSCALL_ENOSYS);
	return SCMP_ACT_KILL_PROCESS;
}

static bool
add_rule(scmp_filter_ctx filter, const struct syscall_rule *rule)
{
	const struct args_rule *args = &args_rules[rule->args];
	int number = seccomp_syscall_resolve_name(rule->name);

	BUG_ON((rule->args != SYSCALL_ARGS_ANY) !=
	       (rule->action == SYSCALL_ALLOW_IF));
	/* negative: another architecture has it, this one does not */
	if (number < 0)
		return number != __NR_SCMP_ERROR;
	return seccomp_rule_add_array(filter, verdict(rule->action), number,
				      args->len, args->compare) == 0;
}

static bool
add_rules(scmp_filter_ctx filter)
{
	if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH,
			     SCMP_ACT_KILL_PROCESS) != 0)
		return false;
	for (size_t i = 0; i < sizeof(syscall_rules) / sizeof(syscall_rules[0]);
	     i++)
		if (!add_rule(filter, &syscall_rules[i]))
			return false;
	return true;
}

/* -1 on failure. */
static int
export_sealed(scmp_filter_ctx filter)
{
	int fd = memfd_create("worker-filter", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (seccomp_export_bpf(filter, fd) != 0 ||
	    fcntl(fd, F_ADD_SEALS,
		  F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) !=
		0)
		fd_close(&fd);
	return fd;
}

enum status
filter_compile(int *fd_out)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int fd = -1;

	if (filter != NULL && add_rules(filter))
		fd = export_sealed(filter);
	if (filter != NULL)
		seccomp_release(filter);
	if (fd < 0)
		return ST_CAPABILITY_UNAVAILABLE;
	*fd_out = fd;
	return ST_OK;
}
