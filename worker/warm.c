/*
 * First uses that make system calls (malloc's seed, the vDSO) or page faults.
 */
#include "worker/warm.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/failure.h"
#include "worker/input/digest.h"

#define STACK_BYTES (128 * 1024) /* more than any path of ours needs */

/* The stack grows by faults; under a spent address space such a fault would be
 * a crash instead of the limit's error. */
static void
touch_stack(void)
{
	volatile char room[STACK_BYTES];

	for (size_t i = 0; i < sizeof(room); i += 4096)
		room[i] = 0;
	(void)room[0];
}

static void
use_libraries(void)
{
	uint8_t sha256[DIGEST_BYTES];
	struct digest digest;
	struct timespec now;
	struct failure failure;

	digest_init(&digest);
	digest_update(&digest, span_str("warm"));
	digest_final(&digest, sha256);
	clock_gettime(CLOCK_MONOTONIC, &now);
	failure_init(&failure, ST_INTERNAL_ERROR, RE_NONE);
	failure_say(&failure, "%s %d", strerrordesc_np(5), sha256[0]);
}

void
warm_up(void)
{
	/* Large blocks are always mappings, which go back when freed and grow
	 * without copying; by itself glibc would move the threshold up. */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	free(malloc(1));
	touch_stack();
	use_libraries();
}
