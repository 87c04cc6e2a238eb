/*
 * Looks only at the keys of the profile object, of its head, and at the first
 * element of its samples.
 */
#include "worker/formats/v8_layout.h"

#include <stdio.h>

#include "worker/json/stream.h"

#define KEYS_TEXT_BYTES 200

/* What an event returns when the key was found; never leaves this file. */
#define FOUND ST_FORMAT_MISMATCH

enum what {
	NOTHING,
	THE_NODES,
	THE_HEAD,
	THE_SAMPLES,
	THE_RESULT,
	THE_PROFILE,
};

struct search {
	struct json_stream *stream; /* owned */
	enum what what;		    /* whose value comes next */
	enum envelope envelope;
	bool in_result; /* inside result, around profile */
	bool in_head, in_samples;
	bool timed; /* startTime or endTime was there */
	enum envelope timed_envelope;
	unsigned depth;		/* objects open, the head's not counted */
	bool started;		/* there was something but white space */
	const char *not_object; /* what the outermost value is instead */
	struct v8_layout layout;
	char keys[KEYS_TEXT_BYTES]; /* of the outermost object, for people */
	size_t keys_len;
};

static enum status
found(struct search *s, enum format format)
{
	s->layout = (struct v8_layout){format, s->envelope};
	return FOUND;
}

static void
note_key(struct search *s, struct span key)
{
	int n = snprintf(s->keys + s->keys_len, sizeof(s->keys) - s->keys_len,
			 "%s%.*s", s->keys_len == 0 ? "" : ", ",
			 (int)(key.len < 40 ? key.len : 40),
			 (const char *)key.data);

	if (n > 0 && (size_t)n < sizeof(s->keys) - s->keys_len)
		s->keys_len += (size_t)n;
	else
		s->keys[s->keys_len] = '\0';
}

static enum status
key_of_head(struct search *s, struct span key)
{
	if (span_is(key, "selfSize"))
		return found(s, FORMAT_V8_HEAPPROFILE);
	if (span_is(key, "hitCount"))
		return found(s, FORMAT_V8_CPUPROFILE);
	json_stream_skip(s->stream);
	return ST_OK;
}

static enum what
what_of(const struct search *s, struct span key)
{
	if (s->in_result)
		return span_is(key, "profile") ? THE_PROFILE : NOTHING;
	if (span_is(key, "nodes"))
		return THE_NODES;
	if (span_is(key, "head"))
		return THE_HEAD;
	if (span_is(key, "samples"))
		return THE_SAMPLES;
	if (s->envelope == ENVELOPE_NONE && span_is(key, "result"))
		return THE_RESULT;
	if (s->envelope == ENVELOPE_NONE && span_is(key, "profile"))
		return THE_PROFILE;
	return NOTHING;
}

static enum status
on_key(void *context, struct span key)
{
	struct search *s = context;

	if (s->in_head)
		return key_of_head(s, key);
	if (s->depth == 1)
		note_key(s, key);
	if (!s->in_result &&
	    (span_is(key, "timeDeltas") || span_is(key, "timestamps")))
		return found(s, FORMAT_V8_CPUPROFILE);
	/* A hint only: what else is there decides. */
	if (!s->in_result &&
	    (span_is(key, "startTime") || span_is(key, "endTime"))) {
		s->timed = true;
		s->timed_envelope = s->envelope;
	}
	s->what = what_of(s, key);
	if (s->what == NOTHING)
		json_stream_skip(s->stream);
	return ST_OK;
}

static enum status
open_object(struct search *s)
{
	if (s->in_samples)
		return found(s, FORMAT_V8_HEAPPROFILE);
	if (s->what == THE_HEAD) {
		s->in_head = true;
		return ST_OK;
	}
	s->depth++;
	if (s->what == THE_RESULT) {
		s->in_result = true;
	} else if (s->what == THE_PROFILE) {
		s->envelope = s->in_result ? ENVELOPE_RESULT : ENVELOPE_PROFILE;
		s->in_result = false;
	}
	s->what = NOTHING;
	return ST_OK;
}

/* A value that is no object cannot hold a profile, however long it is. */
static enum status
outermost(struct search *s, const char *what)
{
	s->started = true;
	s->not_object = what;
	return FOUND;
}

static enum status
on_start(void *context, enum json_kind kind)
{
	struct search *s = context;

	s->started = true;
	if (kind == JSON_OBJECT)
		return open_object(s);
	if (s->depth == 0)
		return outermost(s, "an array");
	if (s->what == THE_NODES)
		return found(s, FORMAT_V8_CPUPROFILE);
	s->in_samples = s->what == THE_SAMPLES;
	return ST_OK;
}

static enum status
on_end(void *context, enum json_kind kind)
{
	struct search *s = context;

	if (kind == JSON_ARRAY) {
		s->in_samples = false;
		return ST_OK;
	}
	if (s->in_head) {
		s->in_head = false;
		return ST_OK;
	}
	s->depth--;
	s->in_result = s->envelope == ENVELOPE_RESULT && s->depth == 2;
	if (s->depth == 1 || s->in_result)
		s->envelope = ENVELOPE_NONE;
	return ST_OK;
}

static enum status
on_number(void *context, struct span text)
{
	struct search *s = context;

	(void)text;
	if (s->depth == 0)
		return outermost(s, "a number");
	return s->in_samples ? found(s, FORMAT_V8_CPUPROFILE) : ST_OK;
}

static enum status
on_string(void *context, struct span text)
{
	struct search *s = context;

	(void)text;
	return s->depth == 0 ? outermost(s, "a string") : ST_OK;
}

static enum status
on_bool(void *context, bool value)
{
	struct search *s = context;

	(void)value;
	return s->depth == 0 ? outermost(s, "a truth value") : ST_OK;
}

static enum status
on_null(void *context)
{
	struct search *s = context;

	return s->depth == 0 ? outermost(s, "null") : ST_OK;
}

static const struct json_events events = {
    .on_null = on_null,
    .on_bool = on_bool,
    .on_number = on_number,
    .on_string = on_string,
    .on_key = on_key,
    .on_start = on_start,
    .on_end = on_end,
};

static enum status
search_input(struct search *s, const struct extraction *e, struct input *input)
{
	struct span chunk;

	TRY(input_skip_to(input, e->first_offset));
	do {
		extraction_progress(e, PHASE_READING);
		TRY(input_read(input, &chunk));
		TRY(chunk.len == 0 ? json_stream_end(s->stream)
				   : json_stream_feed(s->stream, chunk));
	} while (chunk.len > 0);
	return ST_OK;
}

static enum status
unrecognized(const struct search *s, struct failure *failure)
{
	failure_init(failure, ST_UNSUPPORTED_FORMAT, RE_UNRECOGNIZED_LAYOUT);
	if (s->not_object != NULL)
		failure_say(failure, "the JSON document is %s, not an object",
			    s->not_object);
	else if (s->keys_len == 0)
		failure_say(failure, "a JSON object without keys");
	else
		failure_say(failure,
			    "no known profile has these top-level keys: %s",
			    s->keys);
	return ST_UNSUPPORTED_FORMAT;
}

enum status
v8_layout_find(const struct extraction *e, struct v8_layout *layout_out)
{
	const struct limits *limits = &e->job->limits;
	struct failure *failure = e->failure;
	struct search s = {.layout = {.format = FORMAT_ANY}};
	struct input own = {0};
	enum status status;

	s.stream = json_stream_new(e->arena, &events, &s,
				   limits->of[LIMIT_MAX_JSON_DEPTH],
				   limits->of[LIMIT_MAX_TOKEN_BYTES],
				   e->first_offset, failure);
	status = input_reopen(e->input, &own);
	if (status == ST_OK)
		status = search_input(&s, e, &own);
	input_close(&own);
	json_stream_free(&s.stream);
	if (status == ST_OK && s.timed)
		s.layout =
		    (struct v8_layout){FORMAT_V8_CPUPROFILE, s.timed_envelope};
	if (s.layout.format != FORMAT_ANY) {
		*layout_out = s.layout;
		return ST_OK;
	}
	if (status == ST_OK || status == FOUND)
		return unrecognized(&s, failure);
	if (!s.started && failure->reason == RE_TRUNCATED_INPUT) {
		failure_init(failure, ST_EMPTY_INPUT, RE_NONE);
		return ST_EMPTY_INPUT;
	}
	return status;
}
