/*
 * An inspector's reply is {"id":…,"result":{"profile":{…}}}; some tools save
 * {"profile":{…}}.
 */
#include "worker/formats/v8_document.h"

void
v8_document_init(struct v8_document *document,
		 const struct extraction *extraction)
{
	/* One object more than the envelope has: the profile itself. */
	*document = (struct v8_document){
	    .depth = 1 + (unsigned)extraction->envelope,
	    .envelope = extraction->envelope,
	};
}

/* The key that leads inwards, with so many objects still to open. */
static const char *
inward_key(unsigned depth)
{
	return depth == 2 ? "result" : "profile";
}

enum status
v8_document_key(struct v8_document *document, struct json_stream *stream,
		struct span key)
{
	if (document->closed) {
		if (span_is(key, "profile") ||
		    (document->envelope == ENVELOPE_RESULT &&
		     span_is(key, "result")))
			return json_stream_fail(stream, RE_DUPLICATE_KEY);
	} else if (span_is(key, inward_key(document->depth))) {
		return ST_OK;
	}
	json_stream_skip(stream);
	return ST_OK;
}

enum status
v8_document_start(struct v8_document *document, struct json_stream *stream,
		  enum json_kind kind)
{
	if (kind != JSON_OBJECT || document->closed)
		return json_stream_fail(stream, RE_WRONG_TYPE);
	document->depth--;
	document->opened = document->depth == 0;
	return ST_OK;
}

enum status
v8_document_read(struct extraction *extraction, struct json_stream *stream)
{
	struct span chunk;

	for (;;) {
		TRY(extraction_read(extraction, &chunk));
		if (chunk.len == 0)
			return json_stream_end(stream);
		TRY(json_stream_feed(stream, chunk));
	}
}
