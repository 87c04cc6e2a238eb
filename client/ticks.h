/*
 * Time that does not jump.
 */
#ifndef CLIENT_TICKS_H
#define CLIENT_TICKS_H

#include <stdint.h>
#include <time.h>

/* Milliseconds of the monotonic clock; never 0. */
static inline uint64_t
ticks_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 +
	       1;
}

#endif
