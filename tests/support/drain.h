/*
 * Reads an input of memory to its end in chunks of a chosen size, and keeps
 * what came out, so that two ways of reading can be compared.
 */
#ifndef TESTS_SUPPORT_DRAIN_H
#define TESTS_SUPPORT_DRAIN_H

#include "proto/bug.h"
#include "tests/support/pack.h"
#include "tests/support/spent.h"
#include "worker/input/input.h"

struct drained {
	enum status status;
	struct failure failure;
	struct packed text; /* what was read, also before a failure */
	struct input_end end;
};

static inline void
drain_source(const struct source *source, const struct limits *limits,
	     struct drained *out)
{
	struct arena arena;
	struct input in;
	struct span chunk;

	*out = (struct drained){.status = ST_OK};
	arena_init(&arena, UINT64_C(1) << 30);
	out->status =
	    input_open_source(&in, &arena, source, limits, true, &out->failure);
	while (out->status == ST_OK) {
		out->status = input_read(&in, &chunk);
		if (out->status != ST_OK || chunk.len == 0)
			break;
		pack_append(&out->text, chunk.data, chunk.len);
	}
	if (out->status == ST_OK)
		out->status = input_finish(&in, &out->end);
	input_close(&in);
	assert(arena.used_bytes == 0);
	arena_fini(&arena);
}

static inline void
drain(struct span stored, size_t chunk_cap, const struct limits *limits,
      struct drained *out)
{
	struct limits normal;
	struct source source;

	limits_default(&normal);
	source_of_memory(&source, stored, chunk_cap);
	drain_source(&source, limits == NULL ? &normal : limits, out);
}

static inline void
drained_free(struct drained *drained)
{
	free(drained->text.data);
	drained->text = (struct packed){0};
}

static inline void
same_failure(const struct drained *a, const struct drained *b)
{
	BUG_ON(a->status != b->status || a->failure.status != a->status);
	BUG_ON(a->failure.reason != b->failure.reason);
	BUG_ON(a->failure.offset != b->failure.offset);
	BUG_ON(a->failure.limit != b->failure.limit);
	BUG_ON(a->failure.actual != b->failure.actual);
	BUG_ON(!span_equal(packed_span(&a->text), packed_span(&b->text)));
}

/*
 * However the bytes come, what comes out is the same, and within the cap. For
 * fuzz targets; dies when it is not so.
 */
static inline void
drain_agrees(struct span stored, const struct limits *limits)
{
	struct drained whole, pieces;

	drain(stored, 0, limits, &whole);
	drain(stored, 1 + stored.len % 31, limits, &pieces);
	BUG_ON(whole.text.len > limits->of[LIMIT_MAX_DECODED_BYTES]);
	if (whole.status != ST_OK) {
		same_failure(&whole, &pieces);
	} else {
		BUG_ON(pieces.status != ST_OK);
		BUG_ON(!span_equal(packed_span(&whole.text),
				   packed_span(&pieces.text)));
		BUG_ON(whole.end.bytes != stored.len);
		BUG_ON(whole.end.decoded_bytes != whole.text.len);
		BUG_ON(memcmp(whole.end.sha256, pieces.end.sha256,
			      DIGEST_BYTES) != 0);
	}
	drained_free(&whole);
	drained_free(&pieces);
}

#endif
