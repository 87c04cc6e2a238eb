/*
 * SHA-256, as sha256sum prints it. Also for frame ids and profile ids.
 */
#ifndef WORKER_INPUT_DIGEST_H
#define WORKER_INPUT_DIGEST_H

#include <stdint.h>

#include "proto/span.h"

#define DIGEST_BYTES 32

/* Large enough for libcrypto's SHA256_CTX, which only digest.c knows. */
struct digest {
	uint64_t state[14];
};

void digest_init(struct digest *digest);
void digest_update(struct digest *digest, struct span bytes);
void digest_final(struct digest *digest, uint8_t sha256_out[DIGEST_BYTES]);

#endif
