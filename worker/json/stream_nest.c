/*
 * A lane of elements that nest has left some arrays and entered others by the
 * time it stops. The parser is told of that by text that leads to the same
 * state, without events: closing brackets, and the opening of an element for
 * each array entered; where an element was taken, null stands for it.
 */
#include <string.h>

#include "proto/bug.h"
#include "worker/json/stream_state.h"

static const char close_text[] = "]}";

static void
tell(struct json_stream *stream, const char *text)
{
	yajl_status status =
	    yajl_parse(stream->yajl, (const unsigned char *)text, strlen(text));

	BUG_ON(status != yajl_status_ok);
}

/* The array that was entered `level` arrays ago has so many elements. */
static void
set_count(struct json_stream *stream, uint64_t level)
{
	const struct json_nesting *nesting = stream->lane->nesting;

	stream->path.at->count = nesting->begun(stream->context, level);
}

static void
leave(struct json_stream *stream, uint64_t levels)
{
	for (uint64_t i = 0; i < levels; i++) {
		tell(stream, close_text);
		path_leave(&stream->path);
		path_leave(&stream->path);
	}
}

static void
enter(struct json_stream *stream, uint64_t levels)
{
	const struct json_nesting *nesting = stream->lane->nesting;

	for (uint64_t i = levels; i > 0; i--) {
		tell(stream, nesting->opening);
		path_enter(&stream->path, false);
		path_key(&stream->path, span_str(nesting->key));
		path_value(&stream->path);
		path_enter(&stream->path, true);
		set_count(stream, i - 1);
	}
}

void
stream_nest_follow(struct json_stream *stream, uint8_t last,
		   const struct json_taken *taken)
{
	const yajl_callbacks loud = stream->callbacks;

	stream->callbacks = (yajl_callbacks){0};
	if (taken->left > 0) {
		if (last == ',')
			tell(stream, "null");
		leave(stream, taken->left);
		tell(stream, ",");
	}
	set_count(stream, taken->entered);
	enter(stream, taken->entered);
	if (taken->behind_comma &&
	    (taken->entered > 0 || (taken->left == 0 && last == '[')))
		tell(stream, "null,");
	stream->callbacks = loud;
}
