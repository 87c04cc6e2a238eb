/*
 * JSON as a stream of events: yajl behind one module.
 *
 * yajl decides what is well-formed. Around it this module has its own
 * allocator, caps on depth and token length, UTF-8 checking, mending of
 * unpaired surrogate escapes, byte offsets and paths for errors, and skipping
 * of whole values that nobody wants. Bytes come in chunks of any size; the
 * events and errors do not depend on how they were cut, only when they come
 * does: bytes that may still change the meaning of others wait, and so does
 * what follows a long token that was cut, until it is worth reading on.
 *
 * Errors of the document, the first one by its place, and their offsets:
 *   invalid_json    a token that may not stand there: its first byte; a byte
 *                   that does not belong in its token: that byte
 *   trailing_data   the first byte behind the document that is no white space
 *   invalid_utf8    the first byte of what is not a character
 *   truncated_input the length of the input
 *   LIMIT_EXCEEDED  max_json_depth or max_token_bytes (numbers: always 64):
 *                   the first byte of the token
 * The path of those is that of the last key or value before. White space is
 * what JSON says; the parser alone would let \v and \f pass.
 */
#ifndef WORKER_JSON_STREAM_H
#define WORKER_JSON_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"
#include "worker/arena.h"

enum json_kind {
	JSON_OBJECT,
	JSON_ARRAY,
};

/*
 * What a format does with the document. Each returns ST_OK to go on; anything
 * else ends the parse and is what json_stream_feed returns (use
 * json_stream_fail to fill in the failure). Spans are valid during the call.
 * Strings and keys are unescaped, valid UTF-8, and may hold NUL. Numbers are
 * their text.
 */
struct json_events {
	enum status (*on_null)(void *context);
	enum status (*on_bool)(void *context, bool value);
	enum status (*on_number)(void *context, struct span text);
	enum status (*on_string)(void *context, struct span text);
	enum status (*on_key)(void *context, struct span key);
	enum status (*on_start)(void *context, enum json_kind kind);
	enum status (*on_end)(void *context, enum json_kind kind);
};

struct json_stream;

/*
 * base_offset is what the first byte fed counts as (after a byte-order mark).
 * failure is filled in when a call does not return ST_OK. Everything is
 * allocated from the arena; json_stream_free gives it back.
 */
struct json_stream *json_stream_new(struct arena *arena,
				    const struct json_events *events,
				    void *context, uint64_t max_depth,
				    uint64_t max_token_bytes,
				    uint64_t base_offset,
				    struct failure *failure);
void json_stream_free(struct json_stream **stream);

NODISCARD enum status json_stream_feed(struct json_stream *stream,
				       struct span chunk);

/* No more bytes: truncated_input unless the document is complete. */
NODISCARD enum status json_stream_end(struct json_stream *stream);

/* From on_key only: the value that follows is consumed without events. */
void json_stream_skip(struct json_stream *stream);

/* What a lane took: whole elements, or beginnings of those that nest. */
struct json_taken {
	size_t bytes;
	uint64_t elements; /* of a lane that does not nest */
	/* of one that does: by how many arrays it went out, and then in; and
	 * whether the last byte is a comma, not a bracket */
	uint64_t left, entered;
	bool behind_comma;
};

/* Elements that end with an array of such elements. */
struct json_nesting {
	const char *key;     /* of that array */
	const char *opening; /* an element with nothing before its array */
	/* The parser is in such an array, and in none of anything else. */
	bool (*inside)(const void *context);
	/* Elements begun in the array that is so many further out than the
	 * innermost. */
	uint64_t (*begun)(const void *context, uint64_t further_out);
};

/*
 * A lane reads the elements of one array straight from the bytes, where they
 * look exactly as expected, and leaves all else, and the last element always,
 * to the parser: so that it decides about nothing. What it takes must have been
 * taken by the parser, and by the format, in the same way.
 */
struct json_lane {
	unsigned levels; /* that an element nests at most, its array aside */
	/* Takes elements from the front of bytes, which nobody has looked at
	 * (they may be no UTF-8, or an unpaired surrogate's escape), each with
	 * the comma behind it, and only where an element must follow that
	 * comma; one that nests may also be taken up to the bracket behind
	 * which its first element begins. Nothing is a good answer. */
	enum status (*take)(void *context, struct span bytes,
			    struct json_taken *taken_out);
	/* So many bytes on, the next element may begin; 0: not in these. A
	 * guess by the looks of them: the stream knows whether it is one. */
	size_t (*next)(struct span bytes);
	const struct json_nesting *nesting; /* NULL: elements do not nest */
};

/* Before the first byte: lanes may be used. Else json_stream_lane does
 * nothing. */
void json_stream_use_lanes(struct json_stream *stream);

/* From on_start of an array: until its end the lane may take its elements.
 * Borrowed until then; what it takes comes without events. */
void json_stream_lane(struct json_stream *stream, const struct json_lane *lane);

/* For a lane: the offset of the first of its bytes. */
uint64_t json_stream_here(const struct json_stream *stream);

/* For a lane that nests: how many levels more there may be. */
uint64_t json_stream_room(const struct json_stream *stream);

/* From an event: the offset of the first byte of its token in the decoded
 * input (of the quote, the bracket, the digit). */
uint64_t json_stream_offset(const struct json_stream *stream);

/* From an event: fills in the failure, ARTIFACT_PARSE_FAILED with this reason,
 * the token's offset and the path, and returns its status. More can be said
 * with failure_say afterwards. */
NODISCARD enum status json_stream_fail(struct json_stream *stream,
				       enum reason reason);

#endif
