/*
 * Most frames come many times, in the same bytes each time. So the object's end
 * is guessed at the first brace, and if those bytes are known, it is: they were
 * read as a whole object before. Others are read.
 */
#include "worker/formats/v8_frame_lane.h"

#include "worker/formats/v8_frame.h"

static bool
read_position(struct cursor *c, struct span *text_out)
{
	const uint8_t *from = c->at;
	uint64_t value;

	if (c->at < c->end && *c->at == '-')
		c->at++;
	if (!cursor_count(c, &value) || (*from == '-' && value == 0))
		return false;
	*text_out = span_of(from, (size_t)(c->at - from));
	return true;
}

static bool
set_string(struct v8_frame *frame, struct json_stream *stream,
	   struct profile *profile, enum v8_frame_field field, struct span text)
{
	return v8_frame_begin_field(frame, stream, field) == ST_OK &&
	       v8_frame_string(frame, stream, profile, field, text) == ST_OK;
}

static bool
set_number(struct v8_frame *frame, struct json_stream *stream,
	   struct profile *profile, enum v8_frame_field field, struct span text)
{
	return v8_frame_begin_field(frame, stream, field) == ST_OK &&
	       v8_frame_number(frame, stream, profile, field, text) == ST_OK;
}

static bool
read_frame(struct cursor *c, struct json_stream *stream, struct profile *p,
	   uint32_t *frame_out)
{
	size_t max = (size_t)p->job->limits.of[LIMIT_MAX_TOKEN_BYTES];
	struct cursor_text function, script, url;
	struct span line, column;
	struct v8_frame frame;

	if (!CURSOR_IS(c, "{\"functionName\":") ||
	    !cursor_string(c, max, &function) ||
	    !CURSOR_IS(c, ",\"scriptId\":") ||
	    !cursor_string(c, max, &script) || !CURSOR_IS(c, ",\"url\":") ||
	    !cursor_string(c, max, &url) || !CURSOR_IS(c, ",\"lineNumber\":") ||
	    !read_position(c, &line) || !CURSOR_IS(c, ",\"columnNumber\":") ||
	    !read_position(c, &column) || !CURSOR_IS(c, "}"))
		return false;
	v8_frame_init(&frame);
	/* a new frame beyond the limit is an error, of the parser's place */
	return p->frames.len < p->job->limits.of[LIMIT_MAX_FRAMES] &&
	       set_string(&frame, stream, p, V8_FUNCTION_NAME,
			  function.bytes) &&
	       set_string(&frame, stream, p, V8_SCRIPT_ID, script.bytes) &&
	       set_string(&frame, stream, p, V8_URL, url.bytes) &&
	       set_number(&frame, stream, p, V8_LINE, line) &&
	       set_number(&frame, stream, p, V8_COLUMN, column) &&
	       v8_frame_intern(&frame, false, p, frame_out) == ST_OK;
}

bool
v8_frame_lane(struct cursor *cursor, struct raw_cache *known,
	      struct json_stream *stream, struct profile *profile,
	      uint32_t *frame_out)
{
	const uint8_t *from = cursor->at;
	const uint8_t *brace = memchr(from, '}', (size_t)(cursor->end - from));

	if (brace == NULL)
		return false;
	if (raw_cache_get(known, span_of(from, (size_t)(brace - from) + 1),
			  frame_out)) {
		cursor->at = brace + 1;
		return true;
	}
	if (!read_frame(cursor, stream, profile, frame_out))
		return false;
	raw_cache_put(known, span_of(from, (size_t)(cursor->at - from)),
		      *frame_out);
	return true;
}
