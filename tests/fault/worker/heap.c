/*
 * By ld's --wrap, so that only calls from our own objects and from the
 * archives beside them are seen, not those inside the C library.
 */
#include <stdbool.h>

#include "tests/fault/worker/heap.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

static uint64_t calls, fails_at;
static bool active, fails_after;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd,
		  off_t offset);
void *__real_mremap(void *old, size_t len, size_t new_len, int flags);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd,
		  off_t offset);
void *__wrap_mremap(void *old, size_t len, size_t new_len, int flags);

void
heap_fail(uint64_t at, bool after)
{
	calls = 0;
	fails_at = at;
	fails_after = after;
	active = true;
}

uint64_t
heap_stop(void)
{
	active = false;
	return calls;
}

static bool
refused(void)
{
	if (!active)
		return false;
	calls++;
	if (calls != fails_at &&
	    !(fails_after && fails_at > 0 && calls > fails_at))
		return false;
	errno = ENOMEM;
	return true;
}

void *
__wrap_malloc(size_t size)
{
	return refused() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	return refused() ? NULL : __real_calloc(count, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
	return refused() ? NULL : __real_realloc(old, size);
}

void *
__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return refused() ? MAP_FAILED
			 : __real_mmap(at, len, prot, flags, fd, offset);
}

/* The product only ever says how long and MREMAP_MAYMOVE. */
void *
__wrap_mremap(void *old, size_t len, size_t new_len, int flags)
{
	return refused() ? MAP_FAILED : __real_mremap(old, len, new_len, flags);
}
