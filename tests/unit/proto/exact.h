/*
 * What every reader of hostile bytes must keep: exactly right or refused.
 */
#ifndef TESTS_PROTO_EXACT_H
#define TESTS_PROTO_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

/* True when a reader takes the bytes. */
typedef bool (*reads_fn)(struct span bytes);

/* Fails the test and says where the bytes differ first. */
void assert_bytes(struct span got, struct span want);

/* The bytes are taken; each shorter prefix of them and each longer run is
 * refused. Each is read from memory of exactly its size. */
void assert_exact(reads_fn reads, struct span bytes);

/* Prefixes shorter than `least` are refused, from there on all are taken. */
void assert_at_least(reads_fn reads, struct span bytes, size_t least);

/* Byte `at` set to `value`: refused. */
void assert_refused(reads_fn reads, struct span bytes, size_t at,
		    uint8_t value);

/* True when fn does not return: it died as BUG_ON makes a process die. */
bool dies(void (*fn)(void));

/* Random numbers that are the same in every run. */
uint64_t dice(void);
uint64_t dice_below(uint64_t bound);

#endif
