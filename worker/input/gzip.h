/*
 * RFC 1952: one or more members, each with its own checksum and length, both
 * checked; then nothing but zeros, as tapes and block devices leave them.
 */
#ifndef WORKER_INPUT_GZIP_H
#define WORKER_INPUT_GZIP_H

#include <stddef.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"
#include "worker/arena.h"

struct gzip_decoder;

struct gzip_decoder *gzip_new(struct arena *arena);
void gzip_free(struct gzip_decoder *gzip);

/*
 * Decodes from the front of *stored, which shrinks by what was used, into
 * room. Returns when room is full or stored is used up. On failure *made_out
 * bytes are good all the same, and come before what is wrong.
 */
NODISCARD enum status gzip_step(struct gzip_decoder *gzip, struct span *stored,
				uint8_t *room, size_t room_len,
				size_t *made_out, struct failure *failure);

/* There are no more stored bytes: truncated_container unless that is right. */
NODISCARD enum status gzip_end(const struct gzip_decoder *gzip,
			       struct failure *failure);

#endif
