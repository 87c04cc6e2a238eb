/*
 * A document's events as text, one a line with the offset of its token and its
 * path, and at the end how the parse ended: so that two ways of cutting the
 * same bytes can be compared, and a test can say what it expects. Values of
 * keys named "skip" are skipped.
 */
#ifndef TESTS_SUPPORT_JSON_LOG_H
#define TESTS_SUPPORT_JSON_LOG_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/bug.h"
#include "proto/utf8.h"
#include "worker/json/stream.h"

struct json_log {
	FILE *out;
	struct json_stream *stream;
	struct failure failure;
};

/* How the bytes are cut: in pieces of `size`, whole when 0, or of random sizes
 * up to that when `random` is not 0. */
struct json_cuts {
	size_t size;
	uint64_t random;
};

static enum status
json_log_line(struct json_log *log, const char *what, struct span text)
{
	struct failure at;

	BUG_ON(!utf8_valid(text));
	BUG_ON(json_stream_fail(log->stream, RE_WRONG_TYPE) == ST_OK);
	at = log->failure;
	fprintf(log->out, "%s ", what);
	fwrite(text.data, 1, text.len, log->out);
	fprintf(log->out, " %" PRId64 " %s\n", at.offset, at.path);
	return ST_OK;
}

static enum status
json_log_null(void *log)
{
	return json_log_line(log, "null", span_str(""));
}

static enum status
json_log_bool(void *log, bool value)
{
	return json_log_line(log, value ? "true" : "false", span_str(""));
}

static enum status
json_log_number(void *log, struct span text)
{
	return json_log_line(log, "number", text);
}

static enum status
json_log_string(void *log, struct span text)
{
	return json_log_line(log, "string", text);
}

static enum status
json_log_key(void *context, struct span key)
{
	struct json_log *log = context;

	if (span_is(key, "skip"))
		json_stream_skip(log->stream);
	return json_log_line(log, "key", key);
}

static enum status
json_log_start(void *log, enum json_kind kind)
{
	return json_log_line(log, kind == JSON_ARRAY ? "[" : "{", span_str(""));
}

static enum status
json_log_end(void *log, enum json_kind kind)
{
	return json_log_line(log, kind == JSON_ARRAY ? "]" : "}", span_str(""));
}

static const struct json_events json_log_events = {
    json_log_null, json_log_bool,  json_log_number, json_log_string,
    json_log_key,  json_log_start, json_log_end};

static size_t
json_log_cut(struct json_cuts *cuts, size_t left)
{
	size_t size = cuts->size;

	if (cuts->random != 0) {
		cuts->random = cuts->random * UINT64_C(6364136223846793005) +
			       UINT64_C(1442695040888963407);
		size = 1 + (size_t)(cuts->random >> 33) % size;
	}
	return size == 0 || size > left ? left : size;
}

/* Each piece in memory of its own that is gone afterwards, so that a sanitizer
 * sees who reads too far or too late. */
static enum status
json_log_feed(struct json_log *log, struct span text, struct json_cuts cuts)
{
	enum status status = ST_OK;

	for (size_t i = 0; i < text.len && status == ST_OK;) {
		size_t n = json_log_cut(&cuts, text.len - i);
		uint8_t *piece = malloc(n);

		BUG_ON(piece == NULL);
		memcpy(piece, text.data + i, n);
		status = json_stream_feed(log->stream, span_of(piece, n));
		memset(piece, 0xdd, n);
		free(piece);
		i += n;
	}
	return status == ST_OK ? json_stream_end(log->stream) : status;
}

/* The log, to be freed. high_out, if not NULL: bytes of arena used. */
static inline char *
json_log_run(struct span text, struct json_cuts cuts, uint64_t max_depth,
	     uint64_t max_token_bytes, uint64_t *high_out)
{
	struct json_log log = {0};
	struct arena arena;
	char *out = NULL;
	size_t out_len;
	enum status status;

	arena_init(&arena, UINT64_C(1) << 30);
	log.out = open_memstream(&out, &out_len);
	BUG_ON(log.out == NULL);
	log.stream = json_stream_new(&arena, &json_log_events, &log, max_depth,
				     max_token_bytes, 0, &log.failure);
	status = json_log_feed(&log, text, cuts);
	if (status == ST_OK)
		fprintf(log.out, "OK\n");
	else
		fprintf(log.out, "%s %s %" PRId64 " %s %" PRIu64 "\n",
			status_name(status), reason_name(log.failure.reason),
			log.failure.offset, log.failure.path,
			log.failure.limit == LIMIT_NONE ? 0 : log.failure.max);
	fclose(log.out);
	json_stream_free(&log.stream);
	BUG_ON(arena.used_bytes != 0);
	if (high_out != NULL)
		*high_out = arena.high_bytes;
	arena_fini(&arena);
	return out;
}

#endif
