/*
 * Attacks upon files: by their names, by what the kernel makes of memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/misbehave/base/attacks.h"

static long
read_file(const char *path)
{
	char byte;
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);

	return fd < 0 ? -1 : syscall(SYS_read, fd, &byte, 1L);
}

static long
list_folder(const char *path)
{
	char entries[1024];
	long fd =
	    syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);

	return fd < 0 ? -1
		      : syscall(SYS_getdents64, fd, entries, sizeof(entries));
}

long
attack_files(const char *name, const char *argument)
{
	struct stat st;

	if (strcmp(name, "read_file") == 0)
		return read_file(argument);
	if (strcmp(name, "list_folder") == 0)
		return list_folder(argument);
	if (strcmp(name, "stat_file") == 0)
		return syscall(SYS_newfstatat, AT_FDCWD, argument, &st, 0);
	if (strcmp(name, "create_file") == 0)
		return syscall(SYS_openat, AT_FDCWD, argument,
			       O_CREAT | O_WRONLY, 0600);
	if (strcmp(name, "make_folder") == 0)
		return syscall(SYS_mkdirat, AT_FDCWD, argument, 0700);
	if (strcmp(name, "remove_file") == 0)
		return syscall(SYS_unlinkat, AT_FDCWD, argument, 0);
	if (strcmp(name, "chmod_file") == 0)
		return syscall(SYS_fchmodat, AT_FDCWD, argument, 0600);
	return -2;
}
