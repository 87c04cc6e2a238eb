/*
 * Cuts the chunks into windows, mends them and feeds them to yajl, unless a
 * lane takes what they begin with. Most windows are plain and are fed straight
 * from the chunk; the others go through a buffer of our own, which also holds
 * back the start of an escape or a character that a chunk cut in two.
 *
 * yajl reads a token that was cut by the end of a window again from its start
 * with each window, so a long one would cost the square of its length. So a
 * window is never shorter than what such a token already has: small chunks are
 * gathered first, and each byte is read again only a few times.
 */
#include "worker/json/stream.h"

#include <string.h>

#include "proto/bug.h"
#include "proto/limits.h"
#include "worker/json/mend.h"
#include "worker/json/stream_state.h"

/* Stays in the cache between the mending and the parsing. */
#define WINDOW_BYTES ((size_t)64 * 1024)

/* A cut token below this is read again at once, not gathered. */
#define GATHER_BYTES ((size_t)4 * 1024)

/* -- yajl's memory --------------------------------------------------------- */

/* In front of each block of yajl's. It grows its stack by 128 bytes a time,
 * so there is more room than it asks for. */
struct block {
	_Alignas(16) size_t room;
};

static void *
yajl_grow(void *arena, void *data, size_t bytes)
{
	struct block *block = data == NULL ? NULL : (struct block *)data - 1;
	size_t room = bytes;

	if (block != NULL) {
		if (bytes <= block->room)
			return data;
		if (room < 2 * block->room)
			room = 2 * block->room;
	}
	block = arena_realloc(arena, block, sizeof(*block) + room);
	block->room = room;
	return block + 1;
}

static void *
yajl_take(void *arena, size_t bytes)
{
	return yajl_grow(arena, NULL, bytes);
}

static void
yajl_give(void *arena, void *data)
{
	if (data != NULL)
		arena_free(arena, (struct block *)data - 1);
}

struct json_stream *
json_stream_new(struct arena *arena, const struct json_events *events,
		void *context, uint64_t max_depth, uint64_t max_token_bytes,
		uint64_t base_offset, struct failure *failure)
{
	yajl_alloc_funcs memory = {.malloc = yajl_take,
				   .realloc = yajl_grow,
				   .free = yajl_give,
				   .ctx = arena};
	struct json_stream *stream = arena_calloc(arena, 1, sizeof(*stream));

	stream->arena = arena;
	stream->events = events;
	stream->context = context;
	stream->failure = failure;
	stream->max_depth = max_depth;
	stream->max_token_bytes = max_token_bytes;
	stream->window_at = base_offset;
	stream->prev_end = base_offset;
	stream->last_end = base_offset;
	stream->token_at = OFFSET_NONE;
	path_init(&stream->path);
	stream->callbacks = stream_callbacks;
	stream->yajl = yajl_alloc(&stream->callbacks, &memory, stream);
	BUG_ON(stream->yajl == NULL);
	/* mend.c has looked at each byte; yajl's own check is too lenient */
	yajl_config(stream->yajl, yajl_dont_validate_strings, 1);
	return stream;
}

void
json_stream_free(struct json_stream **stream)
{
	struct json_stream *s = *stream;

	*stream = NULL;
	if (s == NULL)
		return;
	yajl_free(s->yajl);
	arena_free(s->arena, s->buffer);
	arena_free(s->arena, s);
}

/* -- windows --------------------------------------------------------------- */

/* A window, not empty, all the parser's. */
static enum status
parse_window(struct json_stream *stream, struct span window)
{
	yajl_status status;

	stream->window = window.data;
	stream->window_len = window.len;
	status = yajl_parse(stream->yajl, window.data, window.len);
	if (status == yajl_status_error)
		return stream_yajl_error(stream);
	if (status == yajl_status_client_canceled)
		return stream->status;
	TRY(stream_window_end(stream));
	path_keep(&stream->path);
	stream->window_at += window.len;
	stream->window_len = 0;
	stream->last = window.data[window.len - 1];
	return ST_OK;
}

/* What a window must have at least; see the top. */
static size_t
window_least(const struct json_stream *stream)
{
	uint64_t cut;

	if (stream->token_at == OFFSET_NONE)
		return 0;
	cut = stream->window_at - stream->token_at;
	return cut >= GATHER_BYTES ? (size_t)cut : 0;
}

/* How many bytes of the chunk go into the next window: up to where a lane may
 * take over, but for windows that must be longer. */
static size_t
window_len(struct json_stream *stream, struct span chunk, size_t least)
{
	size_t most = least > WINDOW_BYTES ? least : WINDOW_BYTES, n;

	if (most > chunk.len)
		most = chunk.len;
	n = stream_lane_stop(stream, span_of(chunk.data, most));
	return n < least ? most : n;
}

static enum status
bad_bytes(struct json_stream *stream, enum mend_end end)
{
	enum reason reason = RE_INVALID_JSON;

	if (end == MEND_BAD_UTF8)
		reason = RE_INVALID_UTF8;
	else if (stream->done)
		reason = RE_TRAILING_DATA;
	return stream_fail_at(stream, reason, stream->window_at);
}

/* Mends and parses what the buffer has, but for bytes that have to wait. */
static enum status
parse_buffer(struct json_stream *stream)
{
	enum mend_end end;
	size_t ready = mend_text(stream->buffer, stream->buffer_len, &end);

	if (ready > 0)
		TRY(parse_window(stream, span_of(stream->buffer, ready)));
	if (end != MEND_MORE)
		return bad_bytes(stream, end);
	stream->buffer_len -= ready;
	memmove(stream->buffer, stream->buffer + ready, stream->buffer_len);
	return ST_OK;
}

/* Takes bytes from the chunk into the buffer. */
static void
fill_buffer(struct json_stream *stream, struct span *chunk, size_t n)
{
	size_t need = stream->buffer_len + n;

	if (stream->buffer_cap < need) {
		stream->buffer_cap = need < WINDOW_BYTES + MEND_HELD_MAX
					 ? WINDOW_BYTES + MEND_HELD_MAX
					 : need;
		stream->buffer = arena_realloc(stream->arena, stream->buffer,
					       stream->buffer_cap);
	}
	memcpy(stream->buffer + stream->buffer_len, chunk->data, n);
	stream->buffer_len += n;
	*chunk = span_of(chunk->data + n, chunk->len - n);
}

/* The next window, straight from the chunk or by the buffer. */
static enum status
feed_window(struct json_stream *stream, struct span *chunk)
{
	size_t least = window_least(stream);
	size_t n = window_len(stream, *chunk, least);
	struct span window = span_of(chunk->data, n);

	if (stream->buffer_len == 0 && n >= least && mend_plain(window)) {
		*chunk = span_of(chunk->data + n, chunk->len - n);
		return parse_window(stream, window);
	}
	fill_buffer(stream, chunk, n);
	return stream->buffer_len >= least ? parse_buffer(stream) : ST_OK;
}

enum status
json_stream_feed(struct json_stream *stream, struct span chunk)
{
	BUG_ON(stream->status != ST_OK);
	while (chunk.len > 0 && stream->status == ST_OK) {
		if (stream->buffer_len == 0)
			stream->status = stream_lane_take(stream, &chunk);
		if (chunk.len > 0 && stream->status == ST_OK)
			stream->status = feed_window(stream, &chunk);
	}
	return stream->status;
}

/* -- the end --------------------------------------------------------------- */

/* A number that is the whole document ends only with the input. */
static enum status
parse_last_number(struct json_stream *stream)
{
	if (stream->path.depth == 0 && stream->token_at != OFFSET_NONE &&
	    yajl_complete_parse(stream->yajl) == yajl_status_client_canceled)
		return stream->status;
	if (!stream->done)
		return stream_fail_at(stream, RE_TRUNCATED_INPUT,
				      stream->window_at);
	return ST_OK;
}

static enum status
finish(struct json_stream *stream)
{
	if (stream->buffer_len > 0) {
		TRY(parse_buffer(stream));
		/* the start of something that will not come: yajl's verdict */
		if (stream->buffer_len > 0)
			TRY(parse_window(stream, span_of(stream->buffer,
							 stream->buffer_len)));
		stream->buffer_len = 0;
	}
	return stream->done ? ST_OK : parse_last_number(stream);
}

enum status
json_stream_end(struct json_stream *stream)
{
	BUG_ON(stream->status != ST_OK);
	stream->status = finish(stream);
	return stream->status;
}

uint64_t
json_stream_offset(const struct json_stream *stream)
{
	return stream_token_start(stream);
}

enum status
json_stream_fail(struct json_stream *stream, enum reason reason)
{
	return stream_fail_at(stream, reason, json_stream_offset(stream));
}
