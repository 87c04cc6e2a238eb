/*
 * RFC 8878: frames and skippable frames, with their checksums checked, and
 * windows held to max_window_bytes.
 */
#ifndef WORKER_INPUT_ZSTD_H
#define WORKER_INPUT_ZSTD_H

#include <stddef.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"
#include "worker/arena.h"

struct zstd_decoder;

struct zstd_decoder *zstd_new(struct arena *arena, uint64_t max_window_bytes);
void zstd_free(struct zstd_decoder *zstd);

/* As gzip_step; also LIMIT_EXCEEDED max_window_bytes. Of the block that fails,
 * none or some bytes come out, as the library likes. */
NODISCARD enum status zstd_step(struct zstd_decoder *zstd, struct span *stored,
				uint8_t *room, size_t room_len,
				size_t *made_out, struct failure *failure);

/* As gzip_end. */
NODISCARD enum status zstd_end(const struct zstd_decoder *zstd,
			       struct failure *failure);

#endif
