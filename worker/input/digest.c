/*
 * SHA-256 by libcrypto's plain functions. Never EVP: its first call looks up
 * providers, which costs a millisecond a process. They are marked deprecated
 * since OpenSSL 3; OPENSSL_API_COMPAT, set by the build, says that we know.
 */
#include "worker/input/digest.h"

#include <assert.h>
#include <stdalign.h>
#include <openssl/sha.h>

#include "proto/bug.h"

static_assert(sizeof(struct digest) >= sizeof(SHA256_CTX), "context fits");
static_assert(alignof(struct digest) >= alignof(SHA256_CTX), "and is aligned");
static_assert(DIGEST_BYTES == SHA256_DIGEST_LENGTH, "same digest");

static SHA256_CTX *
context(struct digest *digest)
{
	return (SHA256_CTX *)(void *)digest->state;
}

void
digest_init(struct digest *digest)
{
	BUG_ON(SHA256_Init(context(digest)) != 1);
}

void
digest_update(struct digest *digest, struct span bytes)
{
	BUG_ON(SHA256_Update(context(digest), bytes.data, bytes.len) != 1);
}

void
digest_final(struct digest *digest, uint8_t sha256_out[DIGEST_BYTES])
{
	BUG_ON(SHA256_Final(sha256_out, context(digest)) != 1);
}
