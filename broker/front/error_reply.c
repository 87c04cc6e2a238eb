/*
 * The message is the worker's own text, else the reason's, else the status's;
 * a limit is said in words.
 */
#include "broker/front/error_reply.h"

#include <inttypes.h>
#include <stdio.h>

#include "broker/front/remedy.h"
#include "broker/front/request.h"

static const char *
unit_word(enum limit limit)
{
	switch (limit_unit(limit)) {
	case LIMIT_UNIT_BYTES:
		return " bytes";
	case LIMIT_UNIT_SECONDS:
		return " seconds";
	default:
		return "";
	}
}

static void
put_message(struct outbox *o, const struct failure *f)
{
	const char *text = f->message;
	char words[160];
	int n;

	if (text[0] == '\0' && f->status == ST_LIMIT_EXCEEDED &&
	    f->limit < LIMIT_COUNT) {
		n = snprintf(words, sizeof(words),
			     "%s: more than %" PRIu64 "%s",
			     limit_name(f->limit), f->max, unit_word(f->limit));
		if (f->actual > f->max)
			snprintf(words + n, sizeof(words) - (size_t)n,
				 " (at least %" PRIu64 ")", f->actual);
		text = words;
	}
	if (text[0] == '\0')
		text = reason_text(f->reason);
	if (text[0] == '\0')
		text = status_text(f->status);
	outbox_string(o, span_str(text));
}

static void
put_limit(struct outbox *o, const struct failure *f)
{
	bool named = f->limit < LIMIT_COUNT;

	outbox_raw(o, ",\"limit\":");
	outbox_string_or_null(o, named,
			      span_str(named ? limit_name(f->limit) : ""));
	outbox_raw(o, ",\"actual\":");
	if (named)
		outbox_u64(o, f->actual);
	else
		outbox_raw(o, "null");
	outbox_raw(o, ",\"max\":");
	if (named)
		outbox_u64(o, f->max);
	else
		outbox_raw(o, "null");
}

static void
put_positive(struct outbox *o, const char *key, int64_t value)
{
	outbox_raw(o, key);
	outbox_maybe(o, (struct maybe){.known = value > 0, .value = value});
}

static void
put_about(struct outbox *o, const struct about *about)
{
	char id[JOB_ID_TEXT_BYTES + 1];

	outbox_raw(o, ",\"artifact\":{\"name\":");
	outbox_string_or_null(o, about->has_name, about->name);
	outbox_raw(o, ",\"sha256\":null,\"bytes\":");
	if (about->has_bytes)
		outbox_u64(o, about->bytes);
	else
		outbox_raw(o, "null");
	job_id_write(about->job, id);
	outbox_raw(o, "},\"run\":{\"job\":");
	outbox_string_or_null(o, about->has_job, span_str(id));
	outbox_raw(o, "}}");
}

void
error_reply(struct outbox *o, const struct failure *f,
	    const struct about *about)
{
	outbox_raw(o, "{\"schema\":\"extractd.error/1\",\"code\":\"");
	outbox_raw(o, status_name(f->status));
	outbox_raw(o, "\",\"reason\":");
	outbox_string_or_null(o, f->reason != RE_NONE,
			      span_str(reason_name(f->reason)));
	outbox_raw(o, ",\"message\":");
	put_message(o, f);
	outbox_raw(o, ",\"offset\":");
	outbox_maybe(o, (struct maybe){.known = f->offset >= 0,
				       .value = f->offset});
	outbox_raw(o, ",\"path\":");
	outbox_string_or_null(o, f->path[0] != '\0', span_str(f->path));
	put_limit(o, f);
	put_positive(o, ",\"signal\":", f->signal);
	put_positive(o, ",\"retry_after_ms\":", about->retry_after_ms);
	outbox_raw(o, ",\"retryable\":");
	outbox_bool(o, status_retryable(f->status));
	outbox_raw(o, ",\"remediation\":");
	remedy_put(o, f, about);
	put_about(o, about);
}
