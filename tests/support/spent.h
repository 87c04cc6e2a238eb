/*
 * Lets a test see an arena spent: instead of ending the process it jumps back
 * to where the test stands. For code that runs in one arena at a time.
 */
#ifndef TESTS_SUPPORT_SPENT_H
#define TESTS_SUPPORT_SPENT_H

#include <setjmp.h>
#include <stdint.h>

#include "worker/arena.h"

struct spent {
	jmp_buf back;
	uint64_t actual, max;
};

static inline void
spent_jump(struct arena *arena, uint64_t actual, uint64_t max)
{
	struct spent *spent = arena->context;

	spent->actual = actual;
	spent->max = max;
	longjmp(spent->back, 1);
}

static inline void
spent_watch(struct spent *spent, struct arena *arena)
{
	arena->context = spent;
	arena->on_exhausted = spent_jump;
}

/* if (SPENT(&spent)) { what to do when it is spent } else { try } */
#define SPENT(spent) (setjmp((spent)->back) != 0)

#endif
