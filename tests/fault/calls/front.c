/*
 * Stands in extractd-front's place and becomes the real one, with the counted
 * calls loaded into it: extractd starts its programs with an empty
 * environment. All lies beside it: calls.so, front.plan, real/extractd-front.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOM 64 /* for what is added to the folder's name */

int
main(int argc, char **argv)
{
	char folder[PATH_MAX], program[PATH_MAX + ROOM];
	char preload[PATH_MAX + ROOM], plan[PATH_MAX + ROOM];
	char name[] = "FAULT_PROGRAM=extractd-front";
	char *environment[] = {preload, plan, name, NULL};
	ssize_t len = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	(void)argc;
	if (len < 0)
		return 99;
	folder[len] = '\0';
	*strrchr(folder, '/') = '\0';
	snprintf(program, sizeof(program), "%s/real/extractd-front", folder);
	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s/calls.so", folder);
	snprintf(plan, sizeof(plan), "FAULT_PLAN=%s/front.plan", folder);
	execve(program, argv, environment);
	return 98;
}
