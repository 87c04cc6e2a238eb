/*
 * A process that may have few descriptors under way in sockets: as nobody, for
 * whom alone the kernel counts them, with few files.
 */
#ifndef SUPPORT_FEW_UNDER_WAY_H
#define SUPPORT_FEW_UNDER_WAY_H

#include <criterion/criterion.h>
#include <sys/resource.h>
#include <unistd.h>

static inline void
few_under_way(void)
{
	const struct rlimit few = {.rlim_cur = 30, .rlim_max = 30};

	if (geteuid() == 0)
		cr_assert_eq(setresuid(65533, 65533, 65533), 0);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
}

#endif
