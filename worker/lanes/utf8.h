/*
 * What bytes of UTF-8 may be.
 */
#ifndef WORKER_LANES_UTF8_H
#define WORKER_LANES_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Continuation bytes behind a lead byte; 0 when it is none. */
static inline unsigned
utf8_behind(uint8_t lead)
{
	if (lead >= 0xc2 && lead <= 0xdf)
		return 1;
	if (lead >= 0xe0 && lead <= 0xef)
		return 2;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 3;
	return 0;
}

/* The first byte behind a lead byte: where overlong forms, surrogates and
 * what is beyond U+10FFFF show (the Unicode Standard, table 3-7). */
static inline bool
utf8_second_valid(uint8_t lead, uint8_t byte)
{
	uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	return byte >= low && byte <= high;
}

/* The length of the character of more than one byte at the front; 0: there is
 * none, or not all of it. */
static inline size_t
utf8_length(const uint8_t *at, size_t left)
{
	size_t behind = utf8_behind(at[0]);

	if (behind == 0 || behind >= left || !utf8_second_valid(at[0], at[1]))
		return 0;
	for (size_t i = 2; i <= behind; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return behind + 1;
}

#endif
