/*
 * Attacks upon memory: to run what was written, to share, to take too much.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/misbehave/base/attacks.h"

#define SHM_KEY 0x45584437 /* looked for in /proc/sysvipc/shm */
#define USER_MODE_ONLY 1
#define PIECES 64
#define PIECE_BYTES (1UL << 30)

/* Returns 42. */
static const uint8_t code[] = {0xb8, 42, 0, 0, 0, 0xc3};

static long
run(void *at)
{
	long (*function)(void);

	memcpy(&function, &at, sizeof(function));
	return function();
}

static void *
page(int prot, int flags, int fd)
{
	return mmap(NULL, 4096, prot, flags, fd, 0);
}

static long
map_exec(void)
{
	void *at = page(PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (at == MAP_FAILED)
		return -1;
	memcpy(at, code, sizeof(code));
	return run(at);
}

static long
protect_exec(void)
{
	void *at =
	    page(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (at == MAP_FAILED)
		return -1;
	memcpy(at, code, sizeof(code));
	if (mprotect(at, 4096, PROT_READ | PROT_EXEC) != 0)
		return -1;
	return run(at);
}

/* Written by a call, and never writable where it is mapped. */
static long
map_memory_file(void)
{
	long fd = syscall(SYS_memfd_create, "x", 0);
	void *at;

	if (fd < 0 || syscall(SYS_write, fd, code, sizeof(code)) < 0)
		return -1;
	at = page(PROT_READ | PROT_EXEC, MAP_PRIVATE, (int)fd);
	return at == MAP_FAILED ? -1 : run(at);
}

/* In pieces that the kernel would give anybody. */
static long
take_memory(void)
{
	for (unsigned i = 0; i < PIECES; i++)
		if (mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			return -1;
	return 0;
}

long
attack_memory(const char *name)
{
	uint64_t ring[16] = {0};

	if (strcmp(name, "map_exec") == 0)
		return map_exec();
	if (strcmp(name, "protect_exec") == 0)
		return protect_exec();
	if (strcmp(name, "map_memory_file") == 0)
		return map_memory_file();
	if (strcmp(name, "take_memory") == 0)
		return take_memory();
	if (strcmp(name, "share_memory") == 0)
		return syscall(SYS_shmget, SHM_KEY, 4096L, IPC_CREAT | 0666);
	if (strcmp(name, "io_uring") == 0)
		return syscall(425, 8L, ring);
	if (strcmp(name, "userfaultfd") == 0)
		return syscall(SYS_userfaultfd, USER_MODE_ONLY);
	return -2;
}
