/*
 * Boxed in as the real worker, it then fails in each way that a C program can;
 * the artifact's name says which. What the C library tries at that must not
 * look like a breach of policy.
 */
#include <assert.h>
#include <stdio.h>
#include <time.h>

#include "tests/misbehave/standin.h"
#include "worker/sandbox.h"

#define BY_PARENT (1u << SANDBOX_OWN_UID | 1u << SANDBOX_ROOM)
#define MEMORY_BYTES (64 * MIB)
#define CPU_SECONDS 1

/* What the compiler must not see through. */
static volatile size_t far = 4096;
static void *volatile kept;

/* Far enough for the canary, not so far as to leave the stack; not inlined,
 * since the canary is looked at when a function returns. */
__attribute__((noinline)) static void
smash_stack(void)
{
	char small[16];
	volatile char *at = small;

	for (size_t i = 0; i < far / 32; i++)
		at[i] = 'x';
}

static unsigned long overflow_stack(unsigned long depth);
static unsigned long (*volatile once_more)(unsigned long) = overflow_stack;

static unsigned long
overflow_stack(unsigned long depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	return once_more(depth + 1) + (unsigned long)room[0];
}

/* Byte by byte: stores to what is freed next could be left out. */
static void
corrupt_heap(void)
{
	char *volatile block = malloc(100);
	volatile char *at = block - 16;

	for (size_t i = 0; i < far; i++)
		at[i] = 'A';
	free(block);
	kept = malloc(100000);
}

static void
free_twice(void)
{
	void *volatile block = malloc(2000);
	void *volatile behind = malloc(2000);

	free(block);
	free(block);
	kept = behind;
}

/* Until there is none; then as the real worker it says so. */
static void
exhaust_memory(void)
{
	struct failure failure;
	struct writer w;

	for (size_t bytes = MIB; bytes >= 16;) {
		void *block = malloc(bytes);

		if (block == NULL)
			bytes /= 2;
		else
			memset(block, 1, bytes);
		kept = block;
	}
	failure_of_limit(&failure, LIMIT_MEMORY_BYTES, MEMORY_BYTES + 1,
			 MEMORY_BYTES);
	standin_begin(&w, MSG_FAILED);
	failure_write(&w, &failure);
	standin_send(&w);
	_exit(WORKER_EXIT_DONE);
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, 64);
}

/* Large enough that qsort asks how much memory there is. */
static void
sort(void)
{
	char *block = calloc(4096, 64);

	qsort(block, 4096, 64, compare);
	kept = block;
}

/* Whatever may look for a file, a terminal or a zone. */
static void
use_library(void)
{
	time_t now = 1;
	struct tm tm;

	sort();
	printf("%s\n", localtime_r(&now, &tm) == NULL ? "no" : "yes");
	fflush(stdout);
	fprintf(stderr, "%s\n", strerror(ENOMEM));
	kept = getenv("HOME");
	exit(1);
}

static void
commit(const char *sin)
{
	volatile int zero = 0;

	if (strcmp(sin, "abort") == 0)
		abort();
	if (strcmp(sin, "assert") == 0)
		assert(zero == 1);
	if (strcmp(sin, "stack_smash") == 0)
		smash_stack();
	if (strcmp(sin, "stack_overflow") == 0)
		far = overflow_stack(0);
	if (strcmp(sin, "heap_corruption") == 0)
		corrupt_heap();
	if (strcmp(sin, "double_free") == 0)
		free_twice();
	if (strcmp(sin, "no_memory") == 0)
		exhaust_memory();
	if (strcmp(sin, "wild_read") == 0)
		zero = *(volatile int *)(far - 4000);
	if (strcmp(sin, "division") == 0)
		far = far / (size_t)zero;
	if (strcmp(sin, "trap") == 0)
		__builtin_trap();
	if (strcmp(sin, "library") == 0)
		use_library();
	while (strcmp(sin, "spin") == 0)
		far++;
}

int
main(int argc, char **argv)
{
	uint32_t layers = 0;
	const char *sin;

	if (argc != 3 ||
	    sandbox_enter((pid_t)strtol(argv[1], NULL, 10), &layers) != NULL)
		return WORKER_EXIT_SETUP;
	standin_say_ready(layers |
			  ((uint32_t)strtoul(argv[2], NULL, 10) & BY_PARENT));
	sin = standin_receive_job();
	if (!sandbox_narrow(MEMORY_BYTES, CPU_SECONDS) ||
	    !sandbox_filter_install(WORKER_FILTER_FD))
		return WORKER_EXIT_SETUP;
	commit(sin);
	_exit(WORKER_EXIT_DONE);
}
