/*
 * Landlock with no rule at all: all it handles is denied. The listening
 * sockets were bound by the supervisor, so nothing needs a name any more.
 */
#include "broker/front/confine.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/fd.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

/* linux/landlock.h of the build machine may be older than the kernel. */
#define LANDLOCK_VERSION_FLAG 1U
struct ruleset {
	uint64_t handled_access_fs;
	uint64_t handled_access_net; /* from version 4 */
	uint64_t scoped;	     /* from version 6 */
};

static struct ruleset
ruleset_of(int version)
{
	struct ruleset all = {.handled_access_fs = (1U << 13) - 1};

	if (version >= 2)
		all.handled_access_fs |= 1U << 13; /* refer */
	if (version >= 3)
		all.handled_access_fs |= 1U << 14; /* truncate */
	if (version >= 5)
		all.handled_access_fs |= 1U << 15; /* ioctl on devices */
	if (version >= 4)
		all.handled_access_net = 3; /* bind and connect TCP */
	if (version >= 6)
		all.scoped = 3; /* abstract sockets, signals */
	return all;
}

static size_t
ruleset_size(int version)
{
	if (version >= 6)
		return sizeof(struct ruleset);
	return version >= 4 ? offsetof(struct ruleset, scoped)
			    : offsetof(struct ruleset, handled_access_net);
}

static bool
deny_files(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_VERSION_FLAG);
	struct ruleset all;
	int fd;
	bool done;

	if (version < 1)
		return false;
	all = ruleset_of((int)version);
	fd = (int)syscall(SYS_landlock_create_ruleset, &all,
			  ruleset_size((int)version), 0);
	if (fd < 0)
		return false;
	done = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
	fd_close(&fd);
	return done;
}

bool
confine_self(bool *landlock_out)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	*landlock_out = deny_files();
	return true;
}
