/*
 * Where the parser stops and a lane goes on. The parser cannot be halted, so it
 * is given just as many bytes as end behind a bracket or a comma, where an
 * element begins; there it does not matter to it who reads elements, as long as
 * one is left for it. A lane that takes nothing is asked again only after more
 * and more bytes, so that files which it does not understand cost little.
 */
#include <string.h>

#include "proto/bug.h"
#include "worker/json/stream_state.h"

/* Arrays that lie deeper begin without a lane; it may come in later. */
#define OUTER_DEPTH 4

#define SHY_LEAST 256
#define SHY_MOST ((size_t)64 * 1024)

void
json_stream_use_lanes(struct json_stream *stream)
{
	stream->lanes = true;
}

void
json_stream_lane(struct json_stream *stream, const struct json_lane *lane)
{
	BUG_ON(stream->separator != 0 || !stream->path.at->array);
	if (!stream->lanes ||
	    stream->path.depth + lane->levels > stream->max_depth)
		return;
	stream->lane = lane;
	stream->lane_depth = stream->path.depth;
	stream->lane_pause = stream->lane_shy = 0;
}

uint64_t
json_stream_here(const struct json_stream *stream)
{
	return stream->window_at;
}

uint64_t
json_stream_room(const struct json_stream *stream)
{
	return stream->max_depth - stream->path.depth;
}

static size_t
behind_bracket(struct span text)
{
	const uint8_t *at = memchr(text.data, '[', text.len);

	return at == NULL ? text.len : (size_t)(at - text.data) + 1;
}

size_t
stream_lane_stop(struct json_stream *stream, struct span text)
{
	size_t pause = stream->lane_pause, n;

	if (stream->lane == NULL)
		return stream->lanes && stream->path.depth < OUTER_DEPTH
			   ? behind_bracket(text)
			   : text.len;
	if (pause >= text.len) {
		stream->lane_pause -= text.len;
		return text.len;
	}
	stream->lane_pause = 0;
	n = stream->lane->next(span_of(text.data + pause, text.len - pause));
	return n == 0 ? text.len : pause + n;
}

/* Whether the parser expects an element of the lane's array, or of one that is
 * nested in it. */
static bool
at_element(const struct json_stream *stream)
{
	const struct json_lane *lane = stream->lane;
	uint8_t last = stream->last;

	if (lane == NULL || stream->skipping ||
	    stream->token_at != OFFSET_NONE || (last != ',' && last != '['))
		return false;
	if (lane->nesting != NULL)
		return stream->path.depth >= stream->lane_depth &&
		       lane->nesting->inside(stream->context);
	return stream->path.depth == stream->lane_depth &&
	       (last == ',' || stream->path.at->count == 0);
}

static void
move_on(struct json_stream *stream, const struct json_taken *taken)
{
	stream->window_at += taken->bytes;
	stream->prev_end = stream->last_end = stream->window_at;
	stream->separator = 0;
	if (stream->lane->nesting != NULL)
		stream_nest_follow(stream, stream->last, taken);
	else
		stream->path.at->count += taken->elements;
}

enum status
stream_lane_take(struct json_stream *stream, struct span *text)
{
	struct json_taken taken = {0};

	if (stream->lane_pause > 0 || !at_element(stream))
		return ST_OK;
	TRY(stream->lane->take(stream->context, *text, &taken));
	BUG_ON(taken.bytes > text->len);
	if (taken.bytes > 0) {
		move_on(stream, &taken);
		stream->last = text->data[taken.bytes - 1];
		stream->lane_shy = 0;
	} else {
		stream->lane_pause = stream->lane_shy;
		stream->lane_shy =
		    stream->lane_shy == 0 ? SHY_LEAST : 2 * stream->lane_shy;
		if (stream->lane_shy > SHY_MOST)
			stream->lane_shy = SHY_MOST;
	}
	*text = span_of(text->data + taken.bytes, text->len - taken.bytes);
	return ST_OK;
}
