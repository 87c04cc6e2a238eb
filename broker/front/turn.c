/*
 * FNV-1a from a secret start, then mixed with another secret. What a collision
 * would cost is one turn.
 */
#include "broker/front/turn.h"

#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint64_t
turn_of(const struct peer *peer, const uint64_t seed[2])
{
	uint64_t hash = seed[0];

	for (unsigned i = 0; i < peer->id_len; i++)
		hash = (hash ^ peer->id[i]) * FNV_PRIME;
	return mix(hash ^ seed[1]);
}
