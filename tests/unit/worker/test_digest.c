/*
 * SHA-256 as sha256sum prints it.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "worker/input/digest.h"

static void
hex_of(struct span bytes, size_t step, char out[65])
{
	uint8_t sha256[DIGEST_BYTES];
	struct digest digest;

	digest_init(&digest);
	for (size_t at = 0; at < bytes.len; at += step) {
		size_t left = bytes.len - at;

		digest_update(&digest, span_of(bytes.data + at,
					       left < step ? left : step));
	}
	digest_final(&digest, sha256);
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		sprintf(out + 2 * i, "%02x", sha256[i]);
}

Test(digest, of_nothing)
{
	char hex[65];

	hex_of(span_str(""), 1, hex);
	cr_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb924"
			      "27ae41e4649b934ca495991b7852b855");
}

Test(digest, of_abc_as_in_fips_180)
{
	char hex[65];

	hex_of(span_str("abc"), 3, hex);
	cr_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223"
			      "b00361a396177a9cb410ff61f20015ad");
}

Test(digest, of_a_million_a_in_any_pieces)
{
	static uint8_t bytes[1000000];
	const size_t steps[] = {1000000, 1, 63, 64, 65, 4096};
	char hex[65];

	memset(bytes, 'a', sizeof(bytes));
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		hex_of(span_of(bytes, sizeof(bytes)), steps[i], hex);
		cr_assert_str_eq(hex, "cdc76e5c9914fb9281a1c7e284d73e67"
				      "f1809a48a497200e046d39ccc7112cd0");
	}
}
