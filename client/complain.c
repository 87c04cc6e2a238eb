/*
 * Turns an error object into a sentence: message, code, reason and place,
 * then each remedy on lines of its own.
 */
#include "client/complain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "client/escape.h"
#include "client/progress_line.h"
#include "client/strbuf.h"

/* In one write, so that two clients on one terminal do not mix lines. */
static void
say(struct strbuf *sb)
{
	progress_line_clear();
	fwrite(sb->data, 1, sb->len, stderr);
	fflush(stderr);
	strbuf_free(sb);
}

void
complain(const char *format, ...)
{
	struct strbuf sb = {0};
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	strbuf_puts(&sb, "extract-client: ");
	escape_put(&sb, span_str(text), ESCAPE_TEXT_CHARS);
	strbuf_puts(&sb, "\n");
	say(&sb);
}

static void
put_member(struct strbuf *sb, const struct value *error, const char *key,
	   const char *before)
{
	const struct value *value = value_get(error, key);

	if (value->type != VALUE_STRING && value->type != VALUE_NUMBER)
		return;
	if (value->text.len == 0)
		return;
	strbuf_puts(sb, before);
	escape_put(sb, value->text, ESCAPE_TEXT_CHARS);
}

static void
put_remedies(struct strbuf *sb, const struct value *list)
{
	for (const struct value *v = list->first; v != NULL; v = v->next) {
		put_member(sb, v, "text", "  try: ");
		if (value_text(value_get(v, "text")).len > 0)
			strbuf_puts(sb, "\n");
		put_member(sb, v, "command", "    $ ");
		if (value_text(value_get(v, "command")).len > 0)
			strbuf_puts(sb, "\n");
	}
}

void
complain_error(struct span name, const struct value *error)
{
	struct strbuf sb = {0};

	strbuf_puts(&sb, "extract-client: ");
	if (name.len > 0) {
		escape_put(&sb, name, ESCAPE_TEXT_CHARS);
		strbuf_puts(&sb, ": ");
	}
	put_member(&sb, error, "message", "");
	put_member(&sb, error, "code", " (");
	put_member(&sb, error, "reason", ", ");
	put_member(&sb, error, "signal", ", signal ");
	put_member(&sb, error, "offset", ", at byte ");
	put_member(&sb, error, "path", ", ");
	strbuf_puts(&sb, ")\n");
	put_remedies(&sb, value_get(error, "remediation"));
	say(&sb);
}
