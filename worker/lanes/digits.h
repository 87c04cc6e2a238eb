/*
 * Eight digits at a time: where they end is found in all eight bytes at once,
 * and their value by three multiplications, however many there are.
 */
#ifndef WORKER_LANES_DIGITS_H
#define WORKER_LANES_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_WORD 8

static const int64_t digits_power[DIGITS_WORD + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* Eight bytes as the digits that they would be; no digit is above 9. */
static inline uint64_t
digits_load(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word ^ UINT64_C(0x3030303030303030);
}

/* How many digits there are at the front of the word. */
static inline unsigned
digits_count(uint64_t word)
{
	uint64_t others = ((word + UINT64_C(0x7676767676767676)) | word) &
			  UINT64_C(0x8080808080808080);

	return others == 0 ? DIGITS_WORD
			   : (unsigned)__builtin_ctzll(others) / 8;
}

/* The value of the first n digits of the word, n from 1 to 8; of any other n
 * some value. */
static inline int64_t
digits_value(uint64_t word, unsigned n)
{
	word <<= (64 - 8 * n) & 63;
	word = ((word * 2561) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	word = ((word * 6553601) >> 16) & UINT64_C(0x0000ffff0000ffff);
	return (int64_t)((word * UINT64_C(42949672960001)) >> 32);
}

#endif
