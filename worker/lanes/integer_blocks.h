/*
 * Blocks of 64 bytes of an array of integers, read by whatever way looks at
 * them and takes their numbers. Each way is a function of its own, into which
 * this is compiled.
 */
#ifndef WORKER_LANES_INTEGER_BLOCKS_H
#define WORKER_LANES_INTEGER_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"
#include "worker/lanes/digits.h"
#include "worker/lanes/integer_block.h"

/* A block, and what is loaded behind its last number. */
#define BLOCK_LOOK_BYTES (INTEGER_BLOCK_BYTES + 2 * DIGITS_WORD)
#define BLOCK_VALUES (INTEGER_BLOCK_BYTES / 2)

static inline bool
integers_starts_number(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || byte == '-';
}

/* The bits of runs of more than eight. */
static inline uint64_t
integer_block_long_runs(uint64_t bits)
{
	uint64_t two = bits & bits >> 1, four = two & two >> 2;

	return four & four >> 4 & bits >> 8;
}

/* Whether all that begins in the block, at a number's start, is plain and fits
 * a word with its minus; what the block cuts is not read. */
static inline __attribute__((always_inline)) bool
integer_block_is_plain(const struct integer_block *b)
{
	uint64_t starts = b->commas << 1 | 1;
	uint64_t behind_minus = b->minuses << 1;
	uint64_t lone_zeros = b->zeros & starts;

	return (b->commas | b->minuses | b->digits) == UINT64_MAX &&
	       ((starts & b->commas) | (b->minuses & ~starts) |
		(behind_minus & ~b->digits) | (behind_minus & b->zeros) |
		(lone_zeros << 1 & b->digits) |
		integer_block_long_runs(~b->commas)) == 0;
}

/*
 * What a way does with a block's numbers, whose commas are given: reads them,
 * or notes them and reads all at the end. Both may spoil values behind, up to
 * the most that a block can have.
 */
typedef void integer_take_fn(const uint8_t *at, uint64_t commas, unsigned n,
			     int64_t *values);
typedef void integer_end_fn(int64_t *values, size_t n);

/* Reads blocks as long as they are plain: how many values, and bytes. */
static inline __attribute__((always_inline)) size_t
integer_blocks_read(struct span bytes, int64_t *values, size_t max,
		    size_t *bytes_out,
		    struct integer_block (*look)(const uint8_t *at),
		    integer_take_fn *take, integer_end_fn *end)
{
	size_t i = 0, count = 0;

	while (max - count >= BLOCK_VALUES &&
	       bytes.len - i >= BLOCK_LOOK_BYTES) {
		const uint8_t *at = bytes.data + i;
		struct integer_block b = look(at);
		unsigned n, used;

		if (!integer_block_is_plain(&b) || b.commas == 0)
			break;
		used = 64 - (unsigned)__builtin_clzll(b.commas);
		if (!integers_starts_number(at[used]))
			break;
		n = (unsigned)__builtin_popcountll(b.commas);
		take(at, b.commas, n, values + count);
		i += used;
		count += n;
	}
	end(values, count);
	*bytes_out = i;
	return count;
}

/* A way to take them that needs nothing special. */
static inline __attribute__((always_inline)) void
integer_blocks_take(const uint8_t *at, uint64_t commas, unsigned n,
		    int64_t *values)
{
	for (unsigned i = 0, start = 0; i < n; i++) {
		unsigned end = (unsigned)__builtin_ctzll(commas);
		unsigned minus = at[start] == '-';
		int64_t value = digits_value(digits_load(at + start + minus),
					     end - start - minus);

		values[i] = minus ? -value : value;
		start = end + 1;
		commas &= commas - 1;
	}
}

/* For a way that reads all when it takes. */
static inline __attribute__((always_inline)) void
integer_blocks_no_end(int64_t *values, size_t n)
{
	(void)values;
	(void)n;
}

#ifdef __x86_64__
/* Ways for processors that have what their names say. */
size_t integer_blocks_sse2(struct span bytes, int64_t *values, size_t max,
			   size_t *bytes_out);
size_t integer_blocks_avx2(struct span bytes, int64_t *values, size_t max,
			   size_t *bytes_out);
size_t integer_blocks_avx512(struct span bytes, int64_t *values, size_t max,
			     size_t *bytes_out);
#endif

#endif
