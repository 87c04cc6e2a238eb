/*
 * Pumps stored bytes through a decoder. A decoder may fail behind good bytes;
 * those are given out first and the failure with the next call, so that what a
 * caller sees does not depend on how many bytes come at a time.
 */
#include "worker/input/input.h"

#include "proto/bug.h"
#include "worker/input/gzip.h"
#include "worker/input/zstd.h"

static const struct span nothing = {.data = (const uint8_t *)"", .len = 0};

static size_t
capped(const struct input *in, size_t bytes)
{
	size_t cap = in->source.chunk_cap;

	return cap > 0 && cap < bytes ? cap : bytes;
}

static enum status
over_limit(struct input *in, enum limit limit, uint64_t actual)
{
	failure_of_limit(in->failure, limit, actual, in->limits->of[limit]);
	return ST_LIMIT_EXCEEDED;
}

static enum status
changed(struct input *in)
{
	failure_init(in->failure, ST_ARTIFACT_CHANGED, RE_CHANGED_WHILE_READ);
	return ST_ARTIFACT_CHANGED;
}

/* A small file needs no large buffer; one byte more than it has shows its end
 * at the first reading. */
static size_t
stored_room(const struct input *in)
{
	uint64_t size = in->source.size;

	return capped(in, size < INPUT_STORED_BYTES ? (size_t)size + 1
						    : INPUT_STORED_BYTES);
}

/* The next stored bytes, digested and counted. */
static enum status
refill(struct input *in)
{
	size_t len = stored_room(in), got = 0;

	TRY(source_fill(&in->source, in->stored, len, in->stored_bytes, &got,
			in->failure));
	in->stored_left = span_of(in->stored, got);
	in->stored_bytes += got;
	in->stored_ended = got < len;
	if (in->digesting)
		digest_update(&in->digest, in->stored_left);
	return ST_OK;
}

static enum status
decode_step(struct input *in, size_t room, size_t *made_out)
{
	if (in->encoding == ENCODING_GZIP)
		return gzip_step(in->gzip, &in->stored_left, in->decoded, room,
				 made_out, &in->late);
	return zstd_step(in->zstd, &in->stored_left, in->decoded, room,
			 made_out, &in->late);
}

static enum status
decode_end(struct input *in)
{
	if (in->encoding == ENCODING_GZIP)
		return gzip_end(in->gzip, &in->late);
	return zstd_end(in->zstd, &in->late);
}

static enum status
tell_late(struct input *in)
{
	*in->failure = in->late;
	if (in->late.status == ST_ARTIFACT_CORRUPT)
		in->failure->offset = (int64_t)in->decoded_made;
	return in->late.status;
}

/* One more than the cap may be made, so that it is seen to be exceeded. */
static size_t
decoded_room(const struct input *in)
{
	uint64_t left =
	    in->limits->of[LIMIT_MAX_DECODED_BYTES] + 1 - in->decoded_made;
	size_t room = capped(in, INPUT_DECODED_BYTES);

	return left < room ? (size_t)left : room;
}

/* Decoded bytes, or none at the end. */
static enum status
decode(struct input *in, struct span *made_out)
{
	size_t made = 0;

	while (made == 0 && !in->decoded_ended) {
		enum status status;

		if (in->stored_left.len == 0 && !in->stored_ended)
			TRY(refill(in));
		status = decode_step(in, decoded_room(in), &made);
		if (status == ST_OK && made == 0 && in->stored_ended) {
			in->decoded_ended = true;
			status = decode_end(in);
		}
		if (status != ST_OK && made == 0)
			return tell_late(in);
	}
	*made_out = span_of(in->decoded, made);
	return ST_OK;
}

/* Stored bytes as they are, or none at the end. */
static enum status
pass_through(struct input *in, struct span *made_out)
{
	if (in->stored_left.len == 0 && !in->stored_ended)
		TRY(refill(in));
	*made_out = in->stored_left;
	in->stored_left = nothing;
	return ST_OK;
}

/* The next decoded bytes, held to their cap, wherever they will go. */
static enum status
make(struct input *in, struct span *made_out)
{
	uint64_t max = in->limits->of[LIMIT_MAX_DECODED_BYTES];
	uint64_t left = max - in->decoded_made;
	struct span made = nothing;

	if (in->late.status != ST_OK)
		return tell_late(in);
	if (in->encoding == ENCODING_IDENTITY)
		TRY(pass_through(in, &made));
	else
		TRY(decode(in, &made));
	if (made.len > left) {
		failure_of_limit(&in->late, LIMIT_MAX_DECODED_BYTES, max + 1,
				 max);
		made.len = (size_t)left;
		if (made.len == 0)
			return tell_late(in);
	}
	in->decoded_made += made.len;
	*made_out = made;
	return ST_OK;
}

static bool
is_zstd(const uint8_t magic[4])
{
	uint32_t number = (uint32_t)magic[0] | (uint32_t)magic[1] << 8 |
			  (uint32_t)magic[2] << 16 | (uint32_t)magic[3] << 24;

	/* a frame, or a skippable frame, which may come first */
	return number == 0xfd2fb528 || (number & 0xfffffff0) == 0x184d2a50;
}

/* By content, never by name. */
static enum status
choose_decoder(struct input *in)
{
	uint8_t magic[4] = {0};
	size_t got = 0;

	TRY(source_fill(&in->source, magic, sizeof(magic), 0, &got,
			in->failure));
	if (magic[0] == 0x1f && magic[1] == 0x8b) {
		in->encoding = ENCODING_GZIP;
		in->gzip = gzip_new(in->arena);
	} else if (is_zstd(magic)) {
		in->encoding = ENCODING_ZSTD;
		in->zstd =
		    zstd_new(in->arena, in->limits->of[LIMIT_MAX_WINDOW_BYTES]);
	} else {
		in->encoding = ENCODING_IDENTITY;
		return ST_OK;
	}
	in->decoded = arena_alloc(in->arena, INPUT_DECODED_BYTES);
	return ST_OK;
}

enum status
input_open_source(struct input *in, struct arena *arena,
		  const struct source *source, const struct limits *limits,
		  bool digest, struct failure *failure)
{
	*in = (struct input){.stored_total = source->size,
			     .source = *source,
			     .arena = arena,
			     .limits = limits,
			     .failure = failure,
			     .digesting = digest,
			     .waiting = nothing};
	/* A file of a terabyte of holes must not be read to find out. */
	if (source->size > limits->of[LIMIT_MAX_INPUT_BYTES])
		return over_limit(in, LIMIT_MAX_INPUT_BYTES, source->size);
	if (digest)
		digest_init(&in->digest);
	in->stored = arena_alloc(arena, stored_room(in));
	return choose_decoder(in);
}

enum status
input_open(struct input *in, struct arena *arena, int fd,
	   const struct limits *limits, bool digest, struct failure *failure)
{
	struct source source;

	*in = (struct input){0};
	TRY(source_of_file(&source, fd, failure));
	return input_open_source(in, arena, &source, limits, digest, failure);
}

enum status
input_open_memory(struct input *in, struct arena *arena, struct span bytes,
		  size_t chunk_cap, const struct limits *limits, bool digest,
		  struct failure *failure)
{
	struct source source;

	source_of_memory(&source, bytes, chunk_cap);
	return input_open_source(in, arena, &source, limits, digest, failure);
}

/* Gathers the head from chunks that are shorter than it; *made is the first.
 * Such a chunk is at most what a decoder makes at a time. */
static enum status
gather_head(struct input *in, struct span *made, bool *whole_out)
{
	const size_t room = INPUT_HEAD_BYTES + INPUT_DECODED_BYTES;
	size_t len = 0;

	in->head = arena_alloc(in->arena, room);
	while (made->len > 0) {
		BUG_ON(made->len > room - len);
		memcpy(in->head + len, made->data, made->len);
		len += made->len;
		if (len >= INPUT_HEAD_BYTES)
			break;
		TRY(make(in, made));
	}
	*whole_out = made->len == 0;
	*made = span_of(in->head, len);
	return ST_OK;
}

enum status
input_head(struct input *in, struct span *head_out, bool *whole_out)
{
	struct span made = nothing;
	bool whole = false;

	BUG_ON(in->decoded_made != 0);
	TRY(make(in, &made));
	/* Nearly always the first chunk is long enough, or is all there is. */
	if (made.len == 0 ||
	    (made.len <= INPUT_HEAD_BYTES &&
	     in->encoding == ENCODING_IDENTITY && in->stored_ended))
		whole = true;
	else if (made.len < INPUT_HEAD_BYTES)
		TRY(gather_head(in, &made, &whole));
	in->waiting = made;
	if (made.len > INPUT_HEAD_BYTES) {
		made.len = INPUT_HEAD_BYTES;
		whole = false;
	}
	*head_out = made;
	*whole_out = whole;
	return ST_OK;
}

enum status
input_read(struct input *in, struct span *chunk_out)
{
	if (in->waiting.len == 0)
		TRY(make(in, &in->waiting));
	*chunk_out = span_of(in->waiting.data, capped(in, in->waiting.len));
	in->waiting = span_of(in->waiting.data + chunk_out->len,
			      in->waiting.len - chunk_out->len);
	in->decoded_bytes += chunk_out->len;
	return ST_OK;
}

bool
input_same(const struct input *in)
{
	return in->source.same == NULL || in->source.same(&in->source);
}

enum status
input_finish(struct input *in, struct input_end *end_out)
{
	struct input_end end = {.has_digest = in->digesting};
	struct span chunk = nothing;

	do {
		TRY(input_read(in, &chunk));
	} while (chunk.len > 0);
	if (in->stored_bytes != in->stored_total || !input_same(in))
		return changed(in);
	if (in->digesting)
		digest_final(&in->digest, end.sha256);
	end.bytes = in->stored_bytes;
	end.decoded_bytes = in->decoded_bytes;
	end.encoding = in->encoding;
	*end_out = end;
	return ST_OK;
}

void
input_close(struct input *in)
{
	gzip_free(in->gzip);
	zstd_free(in->zstd);
	if (in->arena != NULL) {
		arena_free(in->arena, in->head);
		arena_free(in->arena, in->decoded);
		arena_free(in->arena, in->stored);
	}
	*in = (struct input){0};
}

enum status
input_reopen(const struct input *first, struct input *second)
{
	return input_open_source(second, first->arena, &first->source,
				 first->limits, false, first->failure);
}

enum status
input_restart(struct input *in)
{
	struct arena *arena = in->arena;
	const struct limits *limits = in->limits;
	struct failure *failure = in->failure;
	struct source source = in->source;
	bool digest = in->digesting;

	input_close(in);
	return input_open_source(in, arena, &source, limits, digest, failure);
}

/* Nothing is between us and the offset. */
static enum status
seek_to(struct input *in, uint64_t offset)
{
	if (offset > in->source.size)
		return changed(in);
	in->waiting = in->stored_left = nothing;
	in->stored_bytes = in->decoded_bytes = in->decoded_made = offset;
	in->stored_ended = false;
	return ST_OK;
}

enum status
input_skip_to(struct input *in, uint64_t decoded_offset)
{
	BUG_ON(decoded_offset < in->decoded_bytes || in->digesting);
	if (in->encoding == ENCODING_IDENTITY)
		return seek_to(in, decoded_offset);
	while (in->decoded_bytes < decoded_offset) {
		uint64_t left = decoded_offset - in->decoded_bytes;
		size_t drop;

		if (in->waiting.len == 0)
			TRY(make(in, &in->waiting));
		if (in->waiting.len == 0)
			return changed(in);
		drop = in->waiting.len < left ? in->waiting.len : (size_t)left;
		in->waiting =
		    span_of(in->waiting.data + drop, in->waiting.len - drop);
		in->decoded_bytes += drop;
	}
	return ST_OK;
}
