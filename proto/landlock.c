/*
 * The rights are numbered here, since the headers of a distribution know fewer
 * than the kernel that runs. Kept open descriptors are not touched: the
 * channels, sockets and the artifact stay usable.
 */
#include "proto/landlock.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* include/uapi/linux/landlock.h */
#define CREATE_RULESET_VERSION 1u

struct ruleset {
	uint64_t files;	 /* from ABI 1 */
	uint64_t net;	 /* from ABI 4 */
	uint64_t scoped; /* from ABI 6 */
};

/* Bits below `bits` of a field are known from that ABI on. */
struct step {
	int abi;
	unsigned files, net, scoped;
};

static const struct step steps[] = {
    {.abi = 1, .files = 13, .net = 0, .scoped = 0},
    {.abi = 2, .files = 14, .net = 0, .scoped = 0}, /* refer */
    {.abi = 3, .files = 15, .net = 0, .scoped = 0}, /* truncate */
    {.abi = 4, .files = 15, .net = 2, .scoped = 0}, /* TCP */
    {.abi = 5, .files = 16, .net = 2, .scoped = 0}, /* device ioctl */
    {.abi = 6, .files = 16, .net = 2, .scoped = 2}, /* sockets, signals */
};

static uint64_t
low_bits(unsigned bits)
{
	return (UINT64_C(1) << bits) - 1;
}

bool
landlock_deny_all(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   CREATE_RULESET_VERSION);
	struct ruleset all = {0};
	bool done;
	long fd;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i].abi > abi)
			break;
		all = (struct ruleset){.files = low_bits(steps[i].files),
				       .net = low_bits(steps[i].net),
				       .scoped = low_bits(steps[i].scoped)};
	}
	if (all.files == 0)
		return false;
	/* Fields that an older kernel does not have are zero, as it demands. */
	fd = syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	if (fd < 0)
		return false;
	done = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
	close((int)fd);
	return done;
}
