/*
 * Compressed samples for tests of what reads them. The caller frees data.
 */
#ifndef TESTS_SUPPORT_PACK_H
#define TESTS_SUPPORT_PACK_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "proto/span.h"

struct packed {
	uint8_t *data; /* owned */
	size_t len;
};

static inline struct span
packed_span(const struct packed *packed)
{
	return span_of(packed->data, packed->len);
}

/* Adds bytes behind what is there. */
static inline void
pack_append(struct packed *packed, const void *bytes, size_t len)
{
	packed->data = realloc(packed->data, packed->len + len + 1);
	assert(packed->data != NULL);
	if (len > 0)
		memcpy(packed->data + packed->len, bytes, len);
	packed->len += len;
}

/* Adds one gzip member. */
static inline void
pack_gzip(struct packed *packed, struct span text)
{
	z_stream z = {0};
	size_t room = text.len + text.len / 100 + 200;
	uint8_t *out = malloc(room);

	assert(out != NULL);
	assert(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
			    Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_in = (z_const Bytef *)(uintptr_t)text.data;
	z.avail_in = (unsigned)text.len;
	z.next_out = out;
	z.avail_out = (unsigned)room;
	assert(deflate(&z, Z_FINISH) == Z_STREAM_END);
	pack_append(packed, out, room - z.avail_out);
	deflateEnd(&z);
	free(out);
}

/* Adds one zstd frame with a checksum. window_log 0: as the library likes;
 * else the frame has a window of that size and does not tell its length. */
static inline void
pack_zstd(struct packed *packed, struct span text, int window_log)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(text.len) + 100;
	uint8_t *out = malloc(room);
	ZSTD_inBuffer in = {.src = text.data, .size = text.len};
	ZSTD_outBuffer made = {.dst = out, .size = room};
	size_t left;

	assert(out != NULL && context != NULL);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (window_log != 0) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
		ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
		left = ZSTD_compressStream2(context, &made, &in, ZSTD_e_flush);
		assert(left == 0);
	}
	left = ZSTD_compressStream2(context, &made, &in, ZSTD_e_end);
	assert(left == 0);
	pack_append(packed, out, made.pos);
	ZSTD_freeCCtx(context);
	free(out);
}

/* Text that neither compresses to nothing nor repeats at once. */
static inline struct packed
sample_text(size_t len)
{
	struct packed text = {.data = malloc(len + 1), .len = len};
	uint32_t state = 1;

	assert(text.data != NULL);
	for (size_t i = 0; i < len; i++) {
		state = state * 1664525 + 1013904223;
		text.data[i] = (uint8_t)("{\"id\":0123456789,"[state >> 28]);
	}
	return text;
}

#endif
