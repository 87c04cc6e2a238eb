/*
 * Writes the JSON and reads it back as any reply is read.
 */
#include "client/own_error.h"

#include "client/strbuf.h"
#include "proto/bug.h"

static void
put_head(struct strbuf *sb, const struct own_error *error)
{
	const char *reason = reason_name(error->reason);

	strbuf_puts(sb, "{\"type\":\"error\",\"id\":\"\",\"job\":null,"
			"\"error\":{\"schema\":\"extractd.error/1\","
			"\"code\":");
	strbuf_json(sb, span_str(status_name(error->status)));
	strbuf_puts(sb, ",\"reason\":");
	if (reason[0] != '\0')
		strbuf_json(sb, span_str(reason));
	else
		strbuf_puts(sb, "null");
	strbuf_puts(sb, ",\"message\":");
	strbuf_json(sb, span_str(error->message));
	strbuf_printf(sb,
		      ",\"offset\":null,\"path\":null,\"limit\":null,"
		      "\"actual\":null,\"max\":null,\"signal\":null,"
		      "\"retry_after_ms\":null,\"retryable\":%s,"
		      "\"remediation\":[",
		      status_retryable(error->status) ? "true" : "false");
}

void
own_error(const struct own_error *error, struct envelope *envelope_out)
{
	struct strbuf sb = {0};
	bool good;

	put_head(&sb, error);
	if (error->action != NULL) {
		strbuf_puts(&sb, "{\"action\":");
		strbuf_json(&sb, span_str(error->action));
		strbuf_puts(&sb, ",\"text\":");
		strbuf_json(&sb, span_str(error->text));
		strbuf_puts(&sb, ",\"command\":null}");
	}
	strbuf_puts(&sb, "],\"artifact\":{\"name\":");
	strbuf_json(&sb, error->name);
	strbuf_puts(&sb, ",\"sha256\":null,\"bytes\":null},"
			 "\"run\":{\"job\":null}}}");
	good = envelope_read(&sb.data, sb.len, envelope_out);
	BUG_ON(!good);
}
