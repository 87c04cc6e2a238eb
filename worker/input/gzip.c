/*
 * zlib inflates one member at a time; what is between and behind members is
 * ours. zlib's memory comes from the arena, so it never sees a NULL.
 */
#include "worker/input/gzip.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "proto/bug.h"

enum place {
	IN_MEMBER,
	AFTER_MEMBER,
	IN_PADDING, /* zeros, and nothing else any more */
};

struct gzip_decoder {
	struct arena *arena; /* borrowed */
	enum place place;
	z_stream z; /* owned */
};

static void *
zlib_alloc(void *context, unsigned items, unsigned size)
{
	return arena_calloc(context, items, size);
}

static void
zlib_free(void *context, void *block)
{
	arena_free(context, block);
}

static enum status
corrupt(struct failure *failure, enum reason reason, const char *what)
{
	failure_init(failure, ST_ARTIFACT_CORRUPT, reason);
	failure_say(failure, "gzip: %s", what);
	return ST_ARTIFACT_CORRUPT;
}

struct gzip_decoder *
gzip_new(struct arena *arena)
{
	struct gzip_decoder *gzip = arena_calloc(arena, 1, sizeof(*gzip));

	gzip->arena = arena;
	gzip->z.zalloc = zlib_alloc;
	gzip->z.zfree = zlib_free;
	gzip->z.opaque = arena;
	/* 15: the largest window, 32 KiB; 16: a gzip header and no other */
	BUG_ON(inflateInit2(&gzip->z, 15 + 16) != Z_OK);
	return gzip;
}

void
gzip_free(struct gzip_decoder *gzip)
{
	if (gzip == NULL)
		return;
	inflateEnd(&gzip->z);
	arena_free(gzip->arena, gzip);
}

/* What stands behind a member: another one, or padding to the end. */
static enum status
after_member(struct gzip_decoder *gzip, struct span *stored,
	     struct failure *failure)
{
	size_t zeros = 0;

	if (gzip->place == AFTER_MEMBER && stored->data[0] == 0x1f) {
		gzip->place = IN_MEMBER;
		BUG_ON(inflateReset(&gzip->z) != Z_OK);
		return ST_OK;
	}
	gzip->place = IN_PADDING;
	while (zeros < stored->len && stored->data[zeros] == 0)
		zeros++;
	if (zeros < stored->len)
		return corrupt(failure, RE_BAD_CONTAINER,
			       "there is something else behind its end");
	*stored = span_of(stored->data + zeros, 0);
	return ST_OK;
}

static enum status
inflate_failed(const struct gzip_decoder *gzip, struct failure *failure)
{
	const char *text = gzip->z.msg == NULL ? "invalid data" : gzip->z.msg;
	bool checksum = strcmp(text, "incorrect data check") == 0 ||
			strcmp(text, "incorrect length check") == 0 ||
			strcmp(text, "header crc mismatch") == 0;

	return corrupt(failure, checksum ? RE_BAD_CHECKSUM : RE_BAD_CONTAINER,
		       text);
}

static unsigned
as_unsigned(size_t len)
{
	return len > UINT_MAX ? UINT_MAX : (unsigned)len;
}

/* One call of inflate; false when it needs more stored bytes or more room. */
static enum status
inflate_some(struct gzip_decoder *gzip, struct span *stored, uint8_t *room,
	     size_t room_len, size_t *made, bool *more_out,
	     struct failure *failure)
{
	z_stream *z = &gzip->z;
	size_t left = room_len - *made;
	unsigned in = as_unsigned(stored->len), out = as_unsigned(left);
	int result;

	z->next_in = (z_const Bytef *)(uintptr_t)stored->data;
	z->avail_in = in;
	z->next_out = room + *made;
	z->avail_out = out;
	result = inflate(z, Z_NO_FLUSH);
	*stored = span_of(stored->data + (in - z->avail_in),
			  stored->len - (in - z->avail_in));
	*made += out - z->avail_out;
	BUG_ON(result == Z_MEM_ERROR || result == Z_STREAM_ERROR);
	if (result == Z_STREAM_END)
		gzip->place = AFTER_MEMBER;
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return inflate_failed(gzip, failure);
	*more_out = result != Z_BUF_ERROR;
	return ST_OK;
}

enum status
gzip_step(struct gzip_decoder *gzip, struct span *stored, uint8_t *room,
	  size_t room_len, size_t *made_out, struct failure *failure)
{
	bool more = true;

	*made_out = 0;
	while (more && *made_out < room_len) {
		if (gzip->place == IN_MEMBER) {
			TRY(inflate_some(gzip, stored, room, room_len, made_out,
					 &more, failure));
		} else if (stored->len > 0) {
			TRY(after_member(gzip, stored, failure));
		} else {
			more = false;
		}
	}
	return ST_OK;
}

enum status
gzip_end(const struct gzip_decoder *gzip, struct failure *failure)
{
	if (gzip->place == IN_MEMBER)
		return corrupt(failure, RE_TRUNCATED_CONTAINER,
			       "the stream ends in the middle");
	return ST_OK;
}
