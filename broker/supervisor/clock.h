/*
 * Time for deadlines and durations: the monotonic clock in microseconds.
 */
#ifndef SUPERVISOR_CLOCK_H
#define SUPERVISOR_CLOCK_H

#include <stdint.h>
#include <time.h>

#define US_PER_MS UINT64_C(1000)
#define US_PER_SECOND UINT64_C(1000000)

static inline uint64_t
clock_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * US_PER_SECOND + (uint64_t)t.tv_nsec / 1000;
}

#endif
