/*
 * What the files behind stream.h share, and nobody else includes.
 *
 * The parser is fed a window at a time: a stretch of the chunk itself, or of
 * our buffer when something in it had to be mended or was held back. Offsets
 * are absolute; the window is where some of them can be looked at.
 */
#ifndef WORKER_JSON_STREAM_STATE_H
#define WORKER_JSON_STREAM_STATE_H

#include <yajl/yajl_parse.h>

#include "worker/json/path.h"
#include "worker/json/stream.h"

/* Larger than any number that means something in 64 bits, however spelled. */
#define NUMBER_BYTES_MAX 64

#define OFFSET_NONE UINT64_MAX

struct json_stream {
	/* what each event touches, close together */
	const struct json_events *events; /* borrowed */
	void *context;			  /* borrowed: the events' */
	yajl_handle yajl;		  /* owned */
	yajl_callbacks callbacks;	  /* yajl's; none while it is led */
	const uint8_t *window;		  /* borrowed: during yajl_parse */
	size_t window_len;
	uint64_t window_at; /* what window[0] counts as */
	uint64_t prev_end;  /* behind the token of the event before */
	uint64_t last_end;  /* behind the token of this event */
	uint64_t max_token_bytes;
	uint64_t max_depth;
	enum status status;    /* once not ST_OK, nothing may be fed */
	uint8_t separator;     /* what must come next: ',' ':' or 0 for none */
	bool done;	       /* the document's value is complete */
	bool skipping;	       /* until the value at skip_depth has ended */
	struct json_path path; /* its depth is the document's */
	uint64_t skip_depth;

	/* a token cut by the end of the last window: yajl keeps its bytes */
	uint64_t token_at; /* OFFSET_NONE: there was none */
	uint8_t token_head[NUMBER_BYTES_MAX];
	size_t token_head_len;

	/* what may read the elements of the array at lane_depth */
	bool lanes;   /* there may be one */
	uint8_t last; /* that the parser has read, or that a lane took */
	const struct json_lane *lane; /* borrowed; NULL: nothing */
	uint64_t lane_depth;
	size_t lane_pause; /* the parser has so many bytes before it is asked */
	size_t lane_shy;   /* and so many the next time that it takes nothing */

	struct arena *arena;	 /* borrowed */
	struct failure *failure; /* borrowed */
	uint8_t *buffer; /* owned: in the arena; NULL until it is needed */
	size_t buffer_cap;
	size_t buffer_len; /* bytes that were not fed yet */
};

/* stream_events.c: what yajl calls. */
extern const yajl_callbacks stream_callbacks;

/* stream_nest.c: leads the parser, which stands behind `last`, to where a lane
 * that nests has stopped. */
void stream_nest_follow(struct json_stream *stream, uint8_t last,
			const struct json_taken *taken);

/* stream_lane.c: who reads what of a window. */

/* How many of the bytes are the parser's, until a lane may go on or begin. */
size_t stream_lane_stop(struct json_stream *stream, struct span text);

/* A lane takes what it can from the front of text, which the parser has not
 * seen, and nobody mended. */
NODISCARD enum status stream_lane_take(struct json_stream *stream,
				       struct span *text);

/* stream_error.c: where tokens start, and what is wrong with them. */

/* The first byte of the event's token. */
uint64_t stream_token_start(const struct json_stream *stream);

/* A window was taken: notes whether it ends inside a token, and checks that
 * token as far as it goes. */
NODISCARD enum status stream_window_end(struct json_stream *stream);

/* yajl found an error in this window. */
NODISCARD enum status stream_yajl_error(struct json_stream *stream);

NODISCARD enum status stream_fail_at(struct json_stream *stream,
				     enum reason reason, uint64_t offset);

/* LIMIT_EXCEEDED by a token that starts there. Says one more than max, since
 * how far it goes may not be known. */
NODISCARD enum status stream_over_limit(struct json_stream *stream,
					enum limit limit, uint64_t max,
					uint64_t offset);

#endif
