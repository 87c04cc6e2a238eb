/*
 * Multiply and fold: two 64-bit words times a secret, high half xor low half.
 */
#include "worker/profile/hash.h"

#include <string.h>
#include <sys/auxv.h>

static uint64_t
fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t
load(const uint8_t *at, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, at, len);
	return word;
}

static const uint64_t *
secret(void)
{
	static uint64_t words[2]; /* 0: not read yet */

	if (words[0] == 0) {
		const void *random = (const void *)getauxval(AT_RANDOM);

		if (random != NULL)
			memcpy(words, random, sizeof(words));
		/* An even multiplier would lose bits. */
		words[0] |= 1;
		words[1] |= 1;
	}
	return words;
}

uint64_t
hash_bytes(struct span bytes)
{
	const uint64_t *key = secret();
	uint64_t hash = fold(key[0] ^ bytes.len, key[1]);
	size_t i = 0;

	for (; bytes.len - i >= 8; i += 8)
		hash = fold(hash ^ load(bytes.data + i, 8), key[0]);
	if (i < bytes.len)
		hash = fold(hash ^ load(bytes.data + i, bytes.len - i), key[0]);
	return fold(hash ^ key[1], key[0]);
}

uint64_t
hash_u64(uint64_t value)
{
	const uint64_t *key = secret();

	/* Twice: after one fold ids that are a stride apart fill as little as a
	 * sixtieth of a table, under one key in fourteen. */
	return fold(fold(value ^ key[1], key[0]) ^ key[1], key[0]);
}
