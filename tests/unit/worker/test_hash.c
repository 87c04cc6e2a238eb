/*
 * The hash keeps the tables flat, whatever is put in them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "worker/profile/hash.h"

Test(hash, is_the_same_for_equal_bytes_wherever_they_lie)
{
	const char *text = "xxa function of some length";
	char copy[64];

	strcpy(copy + 5, text + 2);
	for (size_t len = 0; len <= strlen(text + 2); len++)
		cr_assert_eq(hash_bytes(span_of(text + 2, len)),
			     hash_bytes(span_of(copy + 5, len)));
}

Test(hash, tells_strings_of_zeros_apart_by_their_length)
{
	static const uint8_t zeros[64];
	uint64_t seen[65];

	for (size_t len = 0; len <= 64; len++) {
		seen[len] = hash_bytes(span_of(zeros, len));
		for (size_t i = 0; i < len; i++)
			cr_assert_neq(seen[i], seen[len], "%zu %zu", i, len);
	}
}

Test(hash, depends_on_every_byte)
{
	uint8_t text[40] = "forty bytes, of which each one counts!!";
	uint64_t hash = hash_bytes(span_of(text, sizeof(text)));

	for (size_t i = 0; i < sizeof(text); i++) {
		text[i] ^= 1;
		cr_assert_neq(hash_bytes(span_of(text, sizeof(text))), hash);
		text[i] ^= 1;
	}
}

/* 65536 numbers into as many buckets: a random function fills 63 % of them. */
Test(hash, spreads_numbers_that_follow_each_other_or_stride)
{
	const uint64_t strides[] = {1, 16, 4096, UINT64_C(1) << 32};
	static uint8_t bucket[65536];

	for (size_t s = 0; s < sizeof(strides) / sizeof(strides[0]); s++) {
		unsigned used = 0;

		memset(bucket, 0, sizeof(bucket));
		for (uint64_t i = 0; i < 65536; i++) {
			uint8_t *at = &bucket[hash_u64(i * strides[s]) & 65535];

			used += *at == 0;
			*at = 1;
		}
		cr_assert_gt(used, 65536 / 2, "stride %zu: %u", s, used);
	}
}
