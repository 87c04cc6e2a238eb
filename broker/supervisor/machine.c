/*
 * Reads the kernel's words about processors and memory, once, at start.
 */
#include "broker/supervisor/machine.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CGROUP_ROOT "/sys/fs/cgroup"

static unsigned
count_cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
	return 1;
}

/* The number in memory.max of one group; UINT64_MAX for "max" or none. */
static uint64_t
memory_max(const char *group)
{
	char path[512], text[32];
	uint64_t max = UINT64_MAX;
	FILE *f;

	snprintf(path, sizeof(path), CGROUP_ROOT "%s/memory.max", group);
	f = fopen(path, "re");
	if (f == NULL)
		return UINT64_MAX;
	if (fgets(text, sizeof(text), f) != NULL && isdigit(text[0]))
		max = strtoull(text, NULL, 10);
	fclose(f);
	return max;
}

/* Our group of the unified hierarchy, as "/a/b"; false when there is none. */
static bool
own_group(char *out, size_t size)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[400];
	bool found = false;

	if (f == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "0::", 3) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(out, size, "%s", line + 3);
		found = true;
	}
	fclose(f);
	return found;
}

/* The least memory.max from our own group up to the root's. */
static uint64_t
cgroup_memory(void)
{
	char group[400];
	uint64_t least = UINT64_MAX;
	char *slash;

	if (!own_group(group, sizeof(group)))
		return least;
	do {
		uint64_t max = memory_max(group);

		if (max < least)
			least = max;
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
	return least;
}

/* What we may give to a child; UINT64_MAX: as much as we like. We take all of
 * it ourselves. */
static uint64_t
allowance(int resource)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
		return UINT64_MAX;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit((__rlimit_resource_t)resource, &limit);
	return limit.rlim_max == RLIM_INFINITY ? UINT64_MAX : limit.rlim_max;
}

void
machine_look(struct machine *machine_out)
{
	uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
	uint64_t memory = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t group = cgroup_memory();

	*machine_out = (struct machine){
	    .cores = count_cores(),
	    .memory_bytes = group < memory ? group : memory,
	    .process_bytes = allowance(RLIMIT_AS),
	    .process_cpu_seconds = allowance(RLIMIT_CPU),
	    .root = geteuid() == 0,
	    .user_runtime_dir = getenv("XDG_RUNTIME_DIR"),
	};
}
