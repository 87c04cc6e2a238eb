/*
 * V8's callFrame: functionName, scriptId, url, lineNumber, columnNumber, as an
 * object of its own or flat on the node (old writers). Also the numbers of V8's
 * files, with their errors.
 */
#ifndef WORKER_FORMATS_V8_FRAME_H
#define WORKER_FORMATS_V8_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"
#include "worker/json/stream.h"
#include "worker/profile/profile.h"

enum v8_frame_field {
	V8_FUNCTION_NAME,
	V8_SCRIPT_ID,
	V8_URL,
	V8_LINE,
	V8_COLUMN,
	V8_FRAME_FIELDS
};

/* One frame as far as it was read. All fields may be missing. */
struct v8_frame {
	unsigned seen; /* bits, 1 << V8_x */
	uint32_t function;
	uint32_t url;	      /* a place of the model */
	uint32_t script;      /* a place of the model */
	bool has_url;	      /* and it is not empty */
	bool has_script;      /* and it is not 0 */
	int64_t line, column; /* as written; negative: none */
};

void v8_frame_init(struct v8_frame *frame);

/* The field of that key; V8_FRAME_FIELDS when it is none. */
enum v8_frame_field v8_frame_field(struct span key);

/* DUPLICATE_KEY when the field was seen before in this frame. */
NODISCARD enum status v8_frame_begin_field(struct v8_frame *frame,
					   struct json_stream *stream,
					   enum v8_frame_field field);
NODISCARD enum status v8_frame_string(struct v8_frame *frame,
				      struct json_stream *stream,
				      struct profile *profile,
				      enum v8_frame_field field,
				      struct span text);
NODISCARD enum status v8_frame_number(struct v8_frame *frame,
				      struct json_stream *stream,
				      struct profile *profile,
				      enum v8_frame_field field,
				      struct span text);

/* The frame's number in the model. Flat fields count lines from 1, callFrames
 * from 0. */
NODISCARD enum status v8_frame_intern(const struct v8_frame *frame, bool flat,
				      struct profile *profile,
				      uint32_t *frame_out);

/* An integer; else WRONG_TYPE or NUMBER_OUT_OF_RANGE. */
NODISCARD enum status v8_integer(struct json_stream *stream, struct span text,
				 int64_t *value_out);

/* The same, and NEGATIVE_VALUE below 0. */
NODISCARD enum status v8_count(struct json_stream *stream, struct span text,
			       uint64_t *value_out);

#endif
