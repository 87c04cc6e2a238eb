/*
 * libzstd decodes; its memory comes from the arena. Each frame's header is
 * gathered and looked at before the library gets it, so that the window's cap
 * is exact and does not depend on how the bytes come.
 */
#define ZSTD_STATIC_LINKING_ONLY /* custom memory, frame headers */
#include "worker/input/zstd.h"

#include <assert.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "proto/bug.h"
#include "proto/limits.h"

#define BLOCK_HEADER_BYTES 3
#define WINDOW_LOG_MIN 10
#define WINDOW_LOG_MAX 31

static_assert((UINT64_C(1) << WINDOW_LOG_MAX) == 2 * GIB,
	      "the largest window is the limit's ceiling");

enum place {
	BEFORE_FRAME, /* gathering its header */
	IN_HEADER,    /* giving the header to the library */
	IN_FRAME,
};

struct zstd_decoder {
	struct arena *arena; /* borrowed */
	uint64_t max_window_bytes;
	ZSTD_DCtx *context; /* owned */
	enum place place;
	size_t wanted; /* bytes of the next piece, and of the header behind */
	bool flushing; /* the library may hold decoded bytes */
	uint8_t *body; /* owned: in the arena; NULL until a block is cut */
	size_t body_len;
	struct span cut; /* what the library has not taken of a whole body */
	size_t header_len;
	uint8_t header[ZSTD_FRAMEHEADERSIZE_MAX];
};

static void *
zstd_alloc(void *context, size_t size)
{
	return arena_alloc(context, size);
}

static void
zstd_release(void *context, void *block)
{
	arena_free(context, block);
}

static enum status
corrupt(struct failure *failure, enum reason reason, const char *what)
{
	failure_init(failure, ST_ARTIFACT_CORRUPT, reason);
	failure_say(failure, "zstd: %s", what);
	return ST_ARTIFACT_CORRUPT;
}

static enum status
library_failed(size_t result, struct failure *failure)
{
	enum reason reason = RE_BAD_CONTAINER;

	BUG_ON(ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation);
	if (ZSTD_getErrorCode(result) == ZSTD_error_checksum_wrong)
		reason = RE_BAD_CHECKSUM;
	return corrupt(failure, reason, ZSTD_getErrorName(result));
}

/* The library takes powers of two only; the exact cap is check_header's. */
static int
window_log(uint64_t bytes)
{
	int log = WINDOW_LOG_MIN;

	while (log < WINDOW_LOG_MAX && (UINT64_C(1) << log) < bytes)
		log++;
	return log;
}

struct zstd_decoder *
zstd_new(struct arena *arena, uint64_t max_window_bytes)
{
	struct zstd_decoder *zstd = arena_calloc(arena, 1, sizeof(*zstd));
	ZSTD_customMem memory = {.customAlloc = zstd_alloc,
				 .customFree = zstd_release,
				 .opaque = arena};
	size_t result;

	zstd->arena = arena;
	zstd->max_window_bytes = max_window_bytes;
	zstd->context = ZSTD_createDCtx_advanced(memory);
	BUG_ON(zstd->context == NULL);
	result = ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax,
					window_log(max_window_bytes));
	BUG_ON(ZSTD_isError(result));
	return zstd;
}

void
zstd_free(struct zstd_decoder *zstd)
{
	if (zstd == NULL)
		return;
	ZSTD_freeDCtx(zstd->context);
	arena_free(zstd->arena, zstd->body);
	arena_free(zstd->arena, zstd);
}

static enum status
check_header(struct zstd_decoder *zstd, const ZSTD_frameHeader *header,
	     struct failure *failure)
{
	if (header->frameType == ZSTD_frame &&
	    header->windowSize > zstd->max_window_bytes) {
		failure_of_limit(failure, LIMIT_MAX_WINDOW_BYTES,
				 header->windowSize, zstd->max_window_bytes);
		return ST_LIMIT_EXCEEDED;
	}
	if (header->dictID != 0 && header->frameType == ZSTD_frame)
		return corrupt(failure, RE_BAD_CONTAINER,
			       "it needs a dictionary");
	zstd->place = IN_HEADER;
	return ST_OK;
}

/* Takes one more byte of a frame's header; it ends with its last byte. */
static enum status
gather_header(struct zstd_decoder *zstd, struct span *stored,
	      struct failure *failure)
{
	ZSTD_frameHeader header;
	size_t result;

	BUG_ON(zstd->header_len == sizeof(zstd->header));
	zstd->header[zstd->header_len++] = stored->data[0];
	*stored = span_of(stored->data + 1, stored->len - 1);
	result = ZSTD_getFrameHeader(&header, zstd->header, zstd->header_len);
	if (ZSTD_isError(result))
		return library_failed(result, failure);
	if (result == 0)
		return check_header(zstd, &header, failure);
	return ST_OK;
}

/*
 * How much to give: one piece of the frame (a block's header, its body, the
 * checksum) and no more, nor anything while decoded bytes are held. When the
 * library fails it forgets what the same call had decoded before; so each call
 * may only do one thing.
 */
static size_t
piece(const struct zstd_decoder *zstd)
{
	if (zstd->flushing)
		return 0;
	if (ZSTD_nextInputType(zstd->context) == ZSTDnit_block &&
	    zstd->wanted > BLOCK_HEADER_BYTES)
		return zstd->wanted - BLOCK_HEADER_BYTES;
	return zstd->wanted;
}

/*
 * Whether the next piece is to be gathered first: the body of a block that the
 * stored bytes cut. The library would decode the first part of an uncompressed
 * one and then fail on the second, and how much came out before the failure
 * would depend on where it was cut.
 */
static bool
is_cut_body(const struct zstd_decoder *zstd, size_t want, size_t len)
{
	ZSTD_nextInputType_e next = ZSTD_nextInputType(zstd->context);

	return (next == ZSTDnit_block || next == ZSTDnit_lastBlock) &&
	       want <= ZSTD_BLOCKSIZE_MAX && (zstd->body_len > 0 || want > len);
}

/* One call of the library with bytes of `from`, which shrinks. */
static enum status
call_library(struct zstd_decoder *zstd, struct span *from, size_t give,
	     ZSTD_outBuffer *out, struct failure *failure)
{
	ZSTD_inBuffer in = {.src = from->data, .size = give};
	size_t result = ZSTD_decompressStream(zstd->context, out, &in);

	if (ZSTD_isError(result))
		return library_failed(result, failure);
	*from = span_of(from->data + in.pos, from->len - in.pos);
	zstd->wanted = result;
	zstd->flushing = result != 0 && out->pos == out->size;
	if (result == 0) {
		zstd->place = BEFORE_FRAME;
		zstd->header_len = 0;
	}
	return ST_OK;
}

/* The header, which was gathered, then makes room for the frame's bytes. */
static enum status
give_header(struct zstd_decoder *zstd, ZSTD_outBuffer *out,
	    struct failure *failure)
{
	struct span header = span_of(zstd->header, zstd->header_len);

	zstd->place = IN_FRAME;
	TRY(call_library(zstd, &header, header.len, out, failure));
	BUG_ON(header.len != 0);
	return ST_OK;
}

/* Takes more of a cut body; true once it is whole. */
static bool
gather_body(struct zstd_decoder *zstd, struct span *stored, size_t want)
{
	size_t take = want - zstd->body_len;

	if (zstd->body == NULL)
		zstd->body = arena_alloc(zstd->arena, ZSTD_BLOCKSIZE_MAX);
	take = take < stored->len ? take : stored->len;
	if (take > 0)
		memcpy(zstd->body + zstd->body_len, stored->data, take);
	*stored = span_of(stored->data + take, stored->len - take);
	zstd->body_len += take;
	if (zstd->body_len < want)
		return false;
	zstd->cut = span_of(zstd->body, want);
	zstd->body_len = 0;
	return true;
}

/* *more_out says whether another call may get further. The library may keep a
 * frame's last byte back until all is flushed. */
static enum status
decode_piece(struct zstd_decoder *zstd, struct span *stored,
	     ZSTD_outBuffer *out, bool *more_out, struct failure *failure)
{
	struct span *from = zstd->cut.len > 0 ? &zstd->cut : stored;
	size_t len = from->len, made = out->pos, want = piece(zstd);
	bool flushed = zstd->flushing;

	if (from == stored && is_cut_body(zstd, want, len)) {
		*more_out = gather_body(zstd, stored, want);
		return ST_OK;
	}
	TRY(call_library(zstd, from, want < len ? want : len, out, failure));
	*more_out = flushed || from->len < len || out->pos > made;
	return ST_OK;
}

static enum status
step_once(struct zstd_decoder *zstd, struct span *stored, ZSTD_outBuffer *out,
	  bool *more_out, struct failure *failure)
{
	if (zstd->place == IN_FRAME)
		return decode_piece(zstd, stored, out, more_out, failure);
	if (zstd->place == IN_HEADER)
		return give_header(zstd, out, failure);
	if (stored->len > 0)
		return gather_header(zstd, stored, failure);
	*more_out = false;
	return ST_OK;
}

enum status
zstd_step(struct zstd_decoder *zstd, struct span *stored, uint8_t *room,
	  size_t room_len, size_t *made_out, struct failure *failure)
{
	ZSTD_outBuffer out = {.dst = room, .size = room_len};
	enum status status = ST_OK;
	bool more = true;

	while (status == ST_OK && more && out.pos < out.size)
		status = step_once(zstd, stored, &out, &more, failure);
	*made_out = out.pos;
	return status;
}

enum status
zstd_end(const struct zstd_decoder *zstd, struct failure *failure)
{
	if (zstd->place != BEFORE_FRAME || zstd->header_len > 0)
		return corrupt(failure, RE_TRUNCATED_CONTAINER,
			       "the stream ends in the middle");
	return ST_OK;
}
