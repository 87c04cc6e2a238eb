/*
 * One table. The rows of the failure's own reason are used; where it has none,
 * those of its status for any reason.
 */
#include "broker/front/remedy.h"

#include <inttypes.h>
#include <stdio.h>

#define ANY RE_COUNT
#define NAME_MAX_SHOWN 200 /* a longer one is no command to copy */

enum command {
	CMD_NONE,
	CMD_SUBMIT,
	CMD_TRUNCATE,
	CMD_STDIN,
	CMD_ICONV,
};

static const struct remedy {
	enum status status;
	enum reason reason;
	enum command command;
	const char *action;
	const char *text;
} remedies[] = {
    {ST_INVALID_REQUEST, RE_NO_SUCH_METRIC, CMD_SUBMIT, "submit_as",
     "Leave --sort out, or name a metric that the profile has."},
    {ST_UNSUPPORTED_FORMAT, RE_UNRECOGNIZED_LAYOUT, CMD_NONE, "convert",
     "Unpack or convert it to a format that `extract-client formats` "
     "lists."},
    {ST_UNSUPPORTED_FORMAT, RE_UNSUPPORTED_VARIANT, CMD_NONE, "recapture",
     "Record it with a writer that `extract-client formats` lists."},
    {ST_UNSUPPORTED_FORMAT, RE_UNSUPPORTED_ENCODING, CMD_ICONV, "convert",
     "Convert the text to UTF-8."},
    {ST_UNSUPPORTED_FORMAT, ANY, CMD_NONE, "convert",
     "Record or convert it as one of the formats that "
     "`extract-client formats` lists."},
    {ST_FORMAT_MISMATCH, ANY, CMD_SUBMIT, "submit_as",
     "Leave --format out: the format is told by content."},
    {ST_EMPTY_INPUT, ANY, CMD_NONE, "recapture",
     "Capture it again; writers leave an empty file when they are killed "
     "before they finish."},
    {ST_ARTIFACT_PARSE_FAILED, RE_TRUNCATED_INPUT, CMD_NONE, "recapture",
     "Capture or copy it again: the end is missing."},
    {ST_ARTIFACT_PARSE_FAILED, RE_ANOMALY, CMD_SUBMIT, "submit_as",
     "Leave --strict out: anomalies are then counted in coverage."},
    {ST_ARTIFACT_PARSE_FAILED, ANY, CMD_NONE, "recapture",
     "Capture or copy it again: the file is not as its writer made it."},
    {ST_ARTIFACT_CORRUPT, ANY, CMD_NONE, "recapture",
     "Copy or compress it again: the compressed file is damaged."},
    {ST_ARTIFACT_CHANGED, RE_DIGEST_MISMATCH, CMD_SUBMIT, "submit_as",
     "Submit the file that has this digest, or leave --sha256 out."},
    {ST_ARTIFACT_CHANGED, ANY, CMD_SUBMIT, "retry_after",
     "Submit it again when nothing writes to it any more."},
    {ST_INPUT_KIND, RE_NOT_REGULAR, CMD_STDIN, "submit_as",
     "Give a regular file, or its content on standard input."},
    {ST_INPUT_KIND, RE_NOT_READABLE, CMD_SUBMIT, "submit_as",
     "Open the file for reading."},
    {ST_INPUT_KIND, ANY, CMD_SUBMIT, "submit_as",
     "Send the file's descriptor after the ticket."},
    {ST_WORKER_KILLED, ANY, CMD_SUBMIT, "retry_after", "Submit it again."},
    {ST_FRONT_LOST, ANY, CMD_SUBMIT, "retry_after", "Submit it again."},
    {ST_WORKER_START_FAILED, ANY, CMD_SUBMIT, "retry_after",
     "Submit it again; if it stays so, the service's log says why."},
    {ST_BUSY, ANY, CMD_SUBMIT, "retry_after", "Submit it again later."},
    {ST_CANCELLED, RE_CLIENT_GONE, CMD_SUBMIT, "retry_after",
     "Submit it again and keep the connection to the door open."},
    {ST_CANCELLED, RE_TICKET_EXPIRED, CMD_SUBMIT, "retry_after",
     "Submit it again and use the ticket at once."},
    {ST_CANCELLED, RE_SHUTDOWN, CMD_SUBMIT, "retry_after",
     "Submit it again when the service is back."},
    {ST_SPOOL_FULL, ANY, CMD_SUBMIT, "retry_after", "Submit it again later."},
    {ST_RESULT_EXPIRED, ANY, CMD_SUBMIT, "retry_after",
     "Submit it again, and fetch its result sooner."},
};

/* The name in a command: quoted for a shell, or FILE where that cannot be
 * done on one line. */
static void
shell_name(char *out, size_t size, const struct about *about)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._/+:@%-";
	struct span name = about->name;
	bool quote = false, whole = about->has_name && name.len > 0 &&
				    name.len <= NAME_MAX_SHOWN;
	size_t n = 0;

	for (size_t i = 0; whole && i < name.len; i++) {
		uint8_t c = name.data[i];

		whole = c >= 0x20 && c != 0x7f;
		quote = quote || strchr(plain, c) == NULL;
	}
	if (!whole) {
		snprintf(out, size, "FILE");
		return;
	}
	if (name.data[0] == '-' && name.len > 1)
		n += (size_t)snprintf(out, size, "./");
	if (quote)
		out[n++] = '\'';
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] == '\'')
			n += (size_t)snprintf(out + n, size - n, "'\\''");
		else
			out[n++] = (char)name.data[i];
	}
	if (quote)
		out[n++] = '\'';
	out[n] = '\0';
}

/* Twice the limit or enough for what was seen, as people write it. */
static void
round_up(char *out, size_t size, enum limit limit, uint64_t value,
	 uint64_t ceiling)
{
	static const char letters[] = "KMGT";
	uint64_t step = limit_unit(limit) == LIMIT_UNIT_BYTES ? 1024 : 1000;
	uint64_t unit = 1;
	int at = -1;

	while (limit_unit(limit) != LIMIT_UNIT_SECONDS && at < 3 &&
	       value / step >= unit) {
		unit *= step;
		at++;
	}
	value = value / unit + (value % unit != 0);
	if (value > ceiling / unit)
		snprintf(out, size, "%" PRIu64, ceiling);
	else if (at < 0)
		snprintf(out, size, "%" PRIu64, value);
	else
		snprintf(out, size, "%" PRIu64 "%c", value, letters[at]);
}

static void
put_one(struct outbox *o, bool *first, const char *action, const char *text,
	const char *command)
{
	outbox_comma(o, first);
	outbox_raw(o, "{\"action\":");
	outbox_string(o, span_str(action));
	outbox_raw(o, ",\"text\":");
	outbox_string(o, span_str(text));
	outbox_raw(o, ",\"command\":");
	outbox_string_or_null(o, command[0] != '\0', span_str(command));
	outbox_raw(o, "}");
}

static void
put_raise(struct outbox *o, bool *first, const struct failure *f,
	  const struct about *about, const char *name)
{
	const char *limit = limit_name(f->limit);
	uint64_t ceiling = about->ceilings == NULL
			       ? limit_ceiling(f->limit)
			       : about->ceilings->of[f->limit];
	uint64_t want = f->max > UINT64_MAX / 2 ? UINT64_MAX : f->max * 2;
	char text[256], value[32], command[1024] = "";

	if (want < f->actual)
		want = f->actual;
	round_up(value, sizeof(value), f->limit, want, ceiling);
	if (f->max >= ceiling) {
		snprintf(text, sizeof(text),
			 "%s is at the service's ceiling, which its operator "
			 "can raise.",
			 limit);
	} else {
		snprintf(text, sizeof(text),
			 "Raise %s; the service allows up to %" PRIu64 ".",
			 limit, ceiling);
		snprintf(command, sizeof(command),
			 "extract-client submit --limit %s=%s %s", limit, value,
			 name);
	}
	put_one(o, first, "raise_limit", text, command);
}

static void
write_command(char *out, size_t size, enum command command, const char *name)
{
	out[0] = '\0';
	switch (command) {
	case CMD_NONE:
		break;
	case CMD_SUBMIT:
		snprintf(out, size, "extract-client submit %s", name);
		break;
	case CMD_TRUNCATE:
		snprintf(out, size,
			 "extract-client submit --on-limit truncate %s", name);
		break;
	case CMD_STDIN:
		snprintf(out, size, "cat %s | extract-client submit -", name);
		break;
	case CMD_ICONV:
		snprintf(out, size,
			 "iconv -f UTF-16 -t UTF-8 %s | "
			 "extract-client submit -",
			 name);
		break;
	}
}

static void
put_limit_remedies(struct outbox *o, bool *first, const struct failure *f,
		   const struct about *about, const char *name)
{
	char command[1024];

	put_raise(o, first, f, about, name);
	if (f->limit != LIMIT_MAX_SAMPLES)
		return;
	write_command(command, sizeof(command), CMD_TRUNCATE, name);
	put_one(o, first, "submit_as",
		"Count the first max_samples samples only; the result says "
		"so.",
		command);
}

static bool
has_own_rows(const struct failure *f)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
		if (remedies[i].status == f->status &&
		    remedies[i].reason == f->reason)
			return true;
	return false;
}

void
remedy_put(struct outbox *o, const struct failure *f, const struct about *about)
{
	enum reason reason = has_own_rows(f) ? f->reason : ANY;
	char name[4 * NAME_MAX_SHOWN + 8], command[1024];
	bool first = true;

	shell_name(name, sizeof(name), about);
	outbox_raw(o, "[");
	if (f->status == ST_LIMIT_EXCEEDED && f->limit < LIMIT_COUNT)
		put_limit_remedies(o, &first, f, about, name);
	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		const struct remedy *r = &remedies[i];

		if (r->status != f->status || r->reason != reason)
			continue;
		write_command(command, sizeof(command), r->command, name);
		put_one(o, &first, r->action, r->text, command);
	}
	outbox_raw(o, "]");
}
