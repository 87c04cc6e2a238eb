/*
 * The allocator's n-th refusal: malloc, calloc, realloc, mmap and mremap of
 * what is linked here are counted, and one of them fails.
 */
#ifndef TESTS_FAULT_WORKER_HEAP_H
#define TESTS_FAULT_WORKER_HEAP_H

#include <stdint.h>

/* Counts from 1 from here on; that one fails (0: none), and with `after` all
 * that follow it, too. */
void heap_fail(uint64_t at, bool after);

/* None fails any more. The calls since heap_fail. */
uint64_t heap_stop(void);

#endif
