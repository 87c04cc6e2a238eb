/*
 * Where a token starts and what is wrong with it: the parts of the stream that
 * run once a window or once a document. yajl says only that there is an error
 * and how far it got in the window; all else is found here, so that no error
 * depends on where the windows were cut.
 *
 * Between two events lie only white space, commas and colons. So a token
 * starts at the first other byte behind the event before it, unless it was cut
 * by the end of a window, and then its start was noted there.
 */
#include <string.h>

#include "proto/bug.h"
#include "proto/limits.h"
#include "worker/json/number.h"
#include "worker/json/stream_state.h"

static bool
is_space(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static size_t
skip_space(const struct json_stream *stream, size_t i)
{
	while (i < stream->window_len && is_space(stream->window[i]))
		i++;
	return i;
}

/* Over the separator that has to come, if it does: true. None has to come
 * behind the document, and a NUL byte is never one. */
static bool
skip_separator(const struct json_stream *stream, size_t *i)
{
	*i = skip_space(stream, *i);
	if (*i == stream->window_len || stream->done ||
	    stream->separator == 0 || stream->window[*i] != stream->separator)
		return false;
	*i = skip_space(stream, *i + 1);
	return true;
}

static size_t
skip_separators(const struct json_stream *stream, size_t i)
{
	for (;;) {
		i = skip_space(stream, i);
		if (i == stream->window_len ||
		    (stream->window[i] != ',' && stream->window[i] != ':'))
			return i;
		i++;
	}
}

/* The place in the window of an offset, or the window's first byte. */
static size_t
place(const struct json_stream *stream, uint64_t offset)
{
	return offset > stream->window_at ? (size_t)(offset - stream->window_at)
					  : 0;
}

uint64_t
stream_token_start(const struct json_stream *stream)
{
	if (stream->token_at != OFFSET_NONE &&
	    stream->prev_end <= stream->token_at)
		return stream->token_at;
	return stream->window_at +
	       skip_separators(stream, place(stream, stream->prev_end));
}

enum status
stream_fail_at(struct json_stream *stream, enum reason reason, uint64_t offset)
{
	failure_init(stream->failure, ST_ARTIFACT_PARSE_FAILED, reason);
	stream->failure->offset = (int64_t)offset;
	path_format(&stream->path, stream->failure->path,
		    sizeof(stream->failure->path));
	return ST_ARTIFACT_PARSE_FAILED;
}

enum status
stream_over_limit(struct json_stream *stream, enum limit limit, uint64_t max,
		  uint64_t offset)
{
	failure_of_limit(stream->failure, limit, max + 1, max);
	stream->failure->offset = (int64_t)offset;
	path_format(&stream->path, stream->failure->path,
		    sizeof(stream->failure->path));
	return ST_LIMIT_EXCEEDED;
}

static bool
starts_number(uint8_t byte)
{
	return byte == '-' || (byte >= '0' && byte <= '9');
}

/* OK unless a token with this first byte may not be so long. */
static enum status
check_length(struct json_stream *stream, uint8_t first, uint64_t start,
	     uint64_t bytes)
{
	uint64_t max = UINT64_MAX;

	if (first == '"')
		max = stream->max_token_bytes;
	else if (starts_number(first))
		max = NUMBER_BYTES_MAX;
	if (bytes <= max)
		return ST_OK;
	return stream_over_limit(stream, LIMIT_MAX_TOKEN_BYTES, max, start);
}

/* Adds what the window has of the token, from place i on. */
static void
keep_head(struct json_stream *stream, size_t i)
{
	size_t room = NUMBER_BYTES_MAX - stream->token_head_len;
	size_t n = stream->window_len - i;

	if (n > room)
		n = room;
	memcpy(stream->token_head + stream->token_head_len, stream->window + i,
	       n);
	stream->token_head_len += n;
}

/* True when a token was cut by the end of an earlier window and no event came
 * since. */
static bool
in_cut_token(const struct json_stream *stream)
{
	return stream->token_at != OFFSET_NONE &&
	       stream->last_end <= stream->token_at;
}

enum status
stream_window_end(struct json_stream *stream)
{
	uint64_t end = stream->window_at + stream->window_len;
	size_t i = 0;

	if (!in_cut_token(stream)) {
		i = place(stream, stream->last_end);
		if (skip_separator(stream, &i))
			stream->separator = 0;
		stream->token_at = OFFSET_NONE;
		stream->token_head_len = 0;
		if (i == stream->window_len)
			return ST_OK;
		stream->token_at = stream->window_at + i;
	}
	keep_head(stream, i);
	if (stream->done)
		return stream_fail_at(stream, RE_TRAILING_DATA,
				      stream->token_at);
	return check_length(stream, stream->token_head[0], stream->token_at,
			    end - stream->token_at);
}

/* The end of a well-formed string in the window, which starts at place i or
 * goes on there. An escape never straddles windows. */
static size_t
string_end(const struct json_stream *stream, size_t i)
{
	while (i < stream->window_len && stream->window[i] != '"')
		i += stream->window[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* So many bytes show that a number is too long: "e+7" may be what makes it. */
#define NUMBER_BYTES_SHOWN (NUMBER_BYTES_MAX + 3)

/* The length of the number that goes on at place i behind its kept head, as
 * far as it matters. */
static size_t
number_length(const struct json_stream *stream, size_t i)
{
	uint8_t text[NUMBER_BYTES_MAX + NUMBER_BYTES_SHOWN];
	size_t len = stream->token_head_len;
	size_t more = stream->window_len - i;

	if (more > NUMBER_BYTES_SHOWN)
		more = NUMBER_BYTES_SHOWN;
	memcpy(text, stream->token_head, len);
	memcpy(text + len, stream->window + i, more);
	return number_prefix(span_of(text, len + more));
}

/* A whole token that may not be here: it starts at `start`, and at place i of
 * the window, or goes on there. */
static enum status
bad_token(struct json_stream *stream, uint8_t first, uint64_t start, size_t i)
{
	uint64_t bytes = 1;

	if (first == '"') {
		bool cut = stream->token_head_len > 0;

		bytes = stream->window_at - start +
			string_end(stream, cut ? i : i + 1);
	} else if (starts_number(first)) {
		bytes = number_length(stream, i);
	}
	TRY(check_length(stream, first, start, bytes));
	return stream_fail_at(stream, RE_INVALID_JSON, start);
}

/* A byte that no token may have there; the token starts at `start`. */
static enum status
bad_byte(struct json_stream *stream, uint8_t first, uint64_t start)
{
	uint64_t offset = start;

	/* yajl stands at the byte, unless no token starts so: then it may
	 * already be behind it */
	if (first == '"' || starts_number(first) || first == 't' ||
	    first == 'f' || first == 'n')
		offset =
		    stream->window_at + yajl_get_bytes_consumed(stream->yajl);
	TRY(check_length(stream, first, start, offset - start));
	return stream_fail_at(stream, RE_INVALID_JSON, offset);
}

static bool
is_lexical(struct json_stream *stream)
{
	unsigned char *text =
	    yajl_get_error(stream->yajl, 0, stream->window, stream->window_len);
	bool lexical = span_starts(span_str((const char *)text), "lexical");

	yajl_free_error(stream->yajl, text);
	return lexical;
}

/* The token at fault is the first one that is not the separator that has to
 * come. */
enum status
stream_yajl_error(struct json_stream *stream)
{
	uint64_t start = stream->token_at;
	size_t i = 0;
	uint8_t first;

	if (!in_cut_token(stream)) {
		stream->token_head_len = 0;
		i = place(stream, stream->last_end);
		(void)skip_separator(stream, &i);
		BUG_ON(i == stream->window_len);
		start = stream->window_at + i;
		first = stream->window[i];
	} else {
		first = stream->token_head[0];
	}
	if (stream->done)
		return stream_fail_at(stream, RE_TRAILING_DATA, start);
	if (is_lexical(stream))
		return bad_byte(stream, first, start);
	return bad_token(stream, first, start, i);
}
