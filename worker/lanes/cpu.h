/*
 * What the processor has, as the C library found out when the program began.
 * The compiler's own way to ask would find out again, which in a virtual
 * machine takes as long as some small profiles.
 */
#ifndef WORKER_LANES_CPU_H
#define WORKER_LANES_CPU_H

#include <stdbool.h>

#ifdef __x86_64__

#include <sys/platform/x86.h>

static inline bool
cpu_has_avx2(void)
{
	return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1) &&
	       CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(POPCNT);
}

static inline bool
cpu_has_avx512_vbmi2(void)
{
	return cpu_has_avx2() && CPU_FEATURE_ACTIVE(LZCNT) &&
	       CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512BW) &&
	       CPU_FEATURE_ACTIVE(AVX512_VBMI) &&
	       CPU_FEATURE_ACTIVE(AVX512_VBMI2);
}

#endif

#endif
