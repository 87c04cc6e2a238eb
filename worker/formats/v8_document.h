/*
 * The outermost part of V8's files: the envelope, then the profile object,
 * whose keys a format knows. Reads the input through a json_stream.
 */
#ifndef WORKER_FORMATS_V8_DOCUMENT_H
#define WORKER_FORMATS_V8_DOCUMENT_H

#include <stdbool.h>

#include "worker/formats/extractor.h"
#include "worker/json/stream.h"

/* What a node takes in V8's files, about. */
#define V8_NODE_BYTES 200

struct v8_document {
	unsigned depth; /* of the envelope's objects that are still to open */
	bool opened;	/* the profile object was */
	bool closed;
	enum envelope envelope;
};

void v8_document_init(struct v8_document *document,
		      const struct extraction *extraction);

/* Before the profile object is open, and after it is closed, events are the
 * document's. A key that does not lead to the profile is skipped; the profile
 * a second time is a duplicate. */
static inline bool
v8_document_outside(const struct v8_document *document)
{
	return !document->opened || document->closed;
}

NODISCARD enum status v8_document_key(struct v8_document *document,
				      struct json_stream *stream,
				      struct span key);
NODISCARD enum status v8_document_start(struct v8_document *document,
					struct json_stream *stream,
					enum json_kind kind);

/* Feeds the stream with the whole input. */
NODISCARD enum status v8_document_read(struct extraction *extraction,
				       struct json_stream *stream);

#endif
