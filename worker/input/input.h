/*
 * The artifact as a stream of decoded bytes. Chooses the decoder by magic
 * number, digests and counts the stored bytes, and holds both sides to their
 * caps. Everything above reads through this and never sees a container or a
 * descriptor.
 *
 * Offsets are of the decoded input from its very first byte, byte-order mark
 * included.
 *
 * Order of calls: input_open, then perhaps input_head, input_read until it
 * gives no bytes (or until the caller has had enough), input_finish, and
 * input_close in any case. After a failure only input_close may follow; the
 * failure is told in the struct failure named at the opening.
 */
#ifndef WORKER_INPUT_INPUT_H
#define WORKER_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"
#include "proto/terms.h"
#include "worker/arena.h"
#include "worker/input/digest.h"
#include "worker/input/source.h"

#define INPUT_STORED_BYTES (256 * 1024)	 /* the buffer that is read into */
#define INPUT_DECODED_BYTES (256 * 1024) /* what a decoder fills at a time */
#define INPUT_HEAD_BYTES (64 * 1024)

struct gzip_decoder;
struct zstd_decoder;

struct input {
	/* for progress; read only */
	uint64_t stored_bytes;	/* read so far */
	uint64_t stored_total;	/* the file's size at the opening */
	uint64_t decoded_bytes; /* given out so far, or skipped */
	enum encoding encoding;

	/* the input's own */
	struct source source;
	struct arena *arena;	     /* borrowed */
	const struct limits *limits; /* borrowed */
	struct failure *failure;     /* borrowed */
	struct failure late;	     /* found behind bytes still to give out */
	bool digesting;
	struct digest digest;
	uint8_t *stored;	 /* owned: in the arena */
	struct span stored_left; /* of stored: not decoded yet */
	bool stored_ended;
	uint8_t *decoded;      /* owned: in the arena; NULL for identity */
	uint64_t decoded_made; /* decoded_bytes and what waits */
	bool decoded_ended;
	struct span waiting;	   /* decoded and not given out yet */
	uint8_t *head;		   /* owned: in the arena; often NULL */
	struct gzip_decoder *gzip; /* owned */
	struct zstd_decoder *zstd; /* owned */
};

/* What is known once all was read. */
struct input_end {
	bool has_digest;
	uint8_t sha256[DIGEST_BYTES]; /* of the stored bytes */
	uint64_t bytes;		      /* stored */
	uint64_t decoded_bytes;
	enum encoding encoding;
};

/* The descriptor stays the caller's, and is only read at offsets. arena,
 * limits and failure must outlive the input. */
NODISCARD enum status input_open(struct input *in, struct arena *arena, int fd,
				 const struct limits *limits, bool digest,
				 struct failure *failure);

/* The same of bytes in memory, at most chunk_cap of them at a time on either
 * side of a decoder (0: no cap). For tests. */
NODISCARD enum status input_open_memory(struct input *in, struct arena *arena,
					struct span bytes, size_t chunk_cap,
					const struct limits *limits,
					bool digest, struct failure *failure);

/* The same of any source. For tests that make reading fail. */
NODISCARD enum status input_open_source(struct input *in, struct arena *arena,
					const struct source *source,
					const struct limits *limits,
					bool digest, struct failure *failure);

/*
 * A look at the first INPUT_HEAD_BYTES decoded bytes, or at all when
 * *whole_out. Nothing is used up: input_read starts with the first byte all the
 * same. Only before the first input_read. Borrowed until that.
 */
NODISCARD enum status input_head(struct input *in, struct span *head_out,
				 bool *whole_out);

/* The next decoded bytes; none at the end. Borrowed until the next call. */
NODISCARD enum status input_read(struct input *in, struct span *chunk_out);

/*
 * Reads what is left, so that digest and checksums cover everything, and makes
 * sure that the file is still the one that was opened: else ARTIFACT_CHANGED.
 */
NODISCARD enum status input_finish(struct input *in, struct input_end *end_out);

/* Gives buffers and decoders back. An input that was zeroed or failed to open
 * may be closed too. */
void input_close(struct input *in);

/* False when the file is no longer what it was at the opening: then whatever
 * seemed wrong with it may be due to that. */
bool input_same(const struct input *in);

/*
 * A second, independent reader of the same file from its start, without a
 * digest, with the same arena, limits and failure. What it reads is as hostile
 * as the first time, and may differ.
 */
NODISCARD enum status input_reopen(const struct input *first,
				   struct input *second);

/* Begins again at the first byte, the digest too: what is read from then on is
 * what the digest is of. */
NODISCARD enum status input_restart(struct input *input);

/*
 * Goes forward, so that input_read continues at that decoded offset. At once
 * for a plain file; else by decoding and dropping. ARTIFACT_CHANGED when the
 * input ends before.
 */
NODISCARD enum status input_skip_to(struct input *in, uint64_t decoded_offset);

#endif
