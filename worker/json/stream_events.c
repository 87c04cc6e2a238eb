/*
 * yajl's callbacks: they note where the token ended, hold it to its caps, keep
 * the path, leave out what is skipped, and pass the rest on. This is the hot
 * path of everything that no lane takes.
 */
#include "proto/bug.h"
#include "proto/limits.h"
#include "worker/json/stream_state.h"

/* What a callback returns: yajl goes on while it is true. */
static int
go_on(struct json_stream *stream, enum status status)
{
	if (status == ST_OK)
		return 1;
	stream->status = status;
	return 0;
}

/* True when the bytes lie in the window, where they came from. */
static bool
in_window(const struct json_stream *stream, const void *data)
{
	return (uintptr_t)data - (uintptr_t)stream->window < stream->window_len;
}

static void
note(struct json_stream *stream, uint64_t end, uint8_t separator)
{
	stream->prev_end = stream->last_end;
	stream->last_end = end;
	stream->separator = separator;
}

/* Where yajl stands: behind the token. */
static uint64_t
consumed(const struct json_stream *stream)
{
	return stream->window_at + yajl_get_bytes_consumed(stream->yajl);
}

/* The same for text that yajl may have handed out straight from the window,
 * which spares the call; `more` bytes of the token follow the text. */
static uint64_t
text_end(const struct json_stream *stream, struct span text, size_t more)
{
	if (!in_window(stream, text.data))
		return consumed(stream);
	return stream->window_at + (size_t)(text.data - stream->window) +
	       text.len + more;
}

/* A scalar, or the end of a container, is complete: true when nobody wants to
 * know. */
static bool
complete(struct json_stream *stream)
{
	if (stream->path.depth == 0)
		stream->done = true;
	if (!stream->skipping)
		return false;
	if (stream->path.depth == stream->skip_depth)
		stream->skipping = false;
	return true;
}

static __attribute__((noinline)) enum status
check_long_string(struct json_stream *stream)
{
	uint64_t max = stream->max_token_bytes;
	uint64_t start = stream_token_start(stream);

	if (stream->last_end - start <= max)
		return ST_OK;
	return stream_over_limit(stream, LIMIT_MAX_TOKEN_BYTES, max, start);
}

/* What lies between two events is nearly always the token alone, so there is
 * seldom more to do. */
static enum status
check_string(struct json_stream *stream)
{
	if (stream->last_end - stream->prev_end <= stream->max_token_bytes)
		return ST_OK;
	return check_long_string(stream);
}

static int
on_null(void *context)
{
	struct json_stream *stream = context;

	note(stream, consumed(stream), ',');
	path_value(&stream->path);
	if (complete(stream))
		return 1;
	return go_on(stream, stream->events->on_null(stream->context));
}

static int
on_boolean(void *context, int value)
{
	struct json_stream *stream = context;

	note(stream, consumed(stream), ',');
	path_value(&stream->path);
	if (complete(stream))
		return 1;
	return go_on(stream,
		     stream->events->on_bool(stream->context, value != 0));
}

static int
on_number(void *context, const char *data, size_t len)
{
	struct json_stream *stream = context;
	struct span text = span_of(data, len);

	note(stream, text_end(stream, text, 0), ',');
	if (len > NUMBER_BYTES_MAX)
		return go_on(stream,
			     stream_over_limit(stream, LIMIT_MAX_TOKEN_BYTES,
					       NUMBER_BYTES_MAX,
					       stream_token_start(stream)));
	path_value(&stream->path);
	if (complete(stream))
		return 1;
	return go_on(stream, stream->events->on_number(stream->context, text));
}

static int
on_string(void *context, const unsigned char *data, size_t len)
{
	struct json_stream *stream = context;
	struct span text = span_of(data, len);
	enum status status;

	note(stream, text_end(stream, text, 1), ',');
	status = check_string(stream);
	if (status != ST_OK)
		return go_on(stream, status);
	path_value(&stream->path);
	if (complete(stream))
		return 1;
	return go_on(stream, stream->events->on_string(stream->context, text));
}

static int
on_key(void *context, const unsigned char *data, size_t len)
{
	struct json_stream *stream = context;
	struct span key = span_of(data, len);
	enum status status;

	note(stream, text_end(stream, key, 1), ':');
	status = check_string(stream);
	if (status != ST_OK)
		return go_on(stream, status);
	path_key(&stream->path, key);
	if (!in_window(stream, data))
		path_keep(&stream->path);
	if (stream->skipping)
		return 1;
	return go_on(stream, stream->events->on_key(stream->context, key));
}

static int
on_start(struct json_stream *stream, enum json_kind kind)
{
	note(stream, consumed(stream), 0);
	if (stream->path.depth == stream->max_depth)
		return go_on(stream,
			     stream_over_limit(stream, LIMIT_MAX_JSON_DEPTH,
					       stream->max_depth,
					       stream_token_start(stream)));
	path_value(&stream->path);
	path_enter(&stream->path, kind == JSON_ARRAY);
	if (stream->skipping)
		return 1;
	return go_on(stream, stream->events->on_start(stream->context, kind));
}

static int
on_end(struct json_stream *stream, enum json_kind kind)
{
	note(stream, consumed(stream), ',');
	path_leave(&stream->path);
	if (complete(stream))
		return 1;
	return go_on(stream, stream->events->on_end(stream->context, kind));
}

static int
on_start_map(void *context)
{
	return on_start(context, JSON_OBJECT);
}

static int
on_end_map(void *context)
{
	return on_end(context, JSON_OBJECT);
}

static int
on_start_array(void *context)
{
	return on_start(context, JSON_ARRAY);
}

static int
on_end_array(void *context)
{
	struct json_stream *stream = context;

	if (stream->path.depth == stream->lane_depth)
		stream->lane = NULL;
	return on_end(context, JSON_ARRAY);
}

const yajl_callbacks stream_callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_map_key = on_key,
    .yajl_start_map = on_start_map,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end_array,
};

void
json_stream_skip(struct json_stream *stream)
{
	BUG_ON(stream->separator != ':' || stream->skipping);
	stream->skipping = true;
	stream->skip_depth = stream->path.depth;
}
