/*
 * Reading an input in chunks whose size changes from one to the next.
 */
#ifndef TESTS_FUZZ_RAGGED_H
#define TESTS_FUZZ_RAGGED_H

#include "tests/support/drain.h"

#define RAGGED_BYTES 300 /* the largest chunk; an input is opened with it */

/* Buffers are as large as the chunks are at the opening. */
static inline void
ragged_open(struct input *in)
{
	in->source.chunk_cap = RAGGED_BYTES;
}

/* Appends what is read to text, until the end or so many bytes. */
static inline enum status
ragged_read(struct input *in, uint64_t *state, size_t bytes,
	    struct packed *text)
{
	enum status status;
	struct span chunk;

	do {
		*state = *state * UINT64_C(6364136223846793005) +
			 UINT64_C(1442695040888963407);
		in->source.chunk_cap =
		    1 + (size_t)(*state >> 33) %
			    (*state >> 62 == 0 ? RAGGED_BYTES : 7);
		status = input_read(in, &chunk);
		if (status == ST_OK)
			pack_append(text, chunk.data, chunk.len);
	} while (status == ST_OK && chunk.len > 0 && text->len < bytes);
	return status;
}

/* Opens stored bytes, as drain_source does, has `play` read them, and closes.
 */
static inline void
ragged_drain(struct span stored, const struct limits *limits, uint8_t pick,
	     enum status (*play)(struct input *, uint8_t, struct packed *),
	     struct drained *out)
{
	struct arena arena;
	struct source source;
	struct input in;

	*out = (struct drained){.status = ST_OK};
	arena_init(&arena, UINT64_C(1) << 30);
	source_of_memory(&source, stored, RAGGED_BYTES);
	out->status = input_open_source(&in, &arena, &source, limits, true,
					&out->failure);
	if (out->status == ST_OK)
		out->status = play(&in, pick, &out->text);
	if (out->status == ST_OK)
		out->status = input_finish(&in, &out->end);
	input_close(&in);
	BUG_ON(arena.used_bytes != 0);
	arena_fini(&arena);
}

/* The same end; of a failure at the head no text is seen. */
static inline void
ragged_agrees(const struct drained *plain, const struct drained *again,
	      struct span stored)
{
	struct digest digest;
	uint8_t sha256[DIGEST_BYTES];
	size_t len = again->text.len;

	BUG_ON(plain->status != again->status || len > plain->text.len);
	BUG_ON(!span_equal(packed_span(&again->text),
			   span_of(plain->text.data, len)));
	if (plain->status != ST_OK) {
		BUG_ON(plain->failure.reason != again->failure.reason);
		BUG_ON(plain->failure.offset != again->failure.offset);
		BUG_ON(plain->failure.limit != again->failure.limit);
		return;
	}
	digest_init(&digest);
	digest_update(&digest, stored);
	digest_final(&digest, sha256);
	BUG_ON(len != plain->text.len || again->end.bytes != stored.len);
	BUG_ON(again->end.decoded_bytes != len);
	BUG_ON(memcmp(again->end.sha256, sha256, DIGEST_BYTES) != 0);
}

#endif
