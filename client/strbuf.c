/*
 * A growing array of bytes; running out of memory ends the program (grab.h),
 * so that no caller has to look after each piece.
 */
#include "client/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/grab.h"
#include "proto/bug.h"
#include "proto/json_text.h"
#include "proto/utf8.h"

/* Room for `more` bytes; returns where they go. */
static uint8_t *
make_room(struct strbuf *sb, size_t more)
{
	if (sb->cap - sb->len < more) {
		size_t cap = sb->cap < 256 ? 256 : sb->cap;

		BUG_ON(more > SIZE_MAX / 4 || cap > SIZE_MAX / 4);
		while (cap - sb->len < more)
			cap *= 2;
		sb->data = grab_more(sb->data, cap, 1);
		sb->cap = cap;
	}
	return sb->data + sb->len;
}

void
strbuf_free(struct strbuf *sb)
{
	free(sb->data);
	*sb = (struct strbuf){0};
}

void
strbuf_put(struct strbuf *sb, struct span text)
{
	if (text.len == 0)
		return;
	memcpy(make_room(sb, text.len), text.data, text.len);
	sb->len += text.len;
}

void
strbuf_puts(struct strbuf *sb, const char *text)
{
	strbuf_put(sb, span_str(text));
}

void
strbuf_pad(struct strbuf *sb, size_t spaces)
{
	memset(make_room(sb, spaces), ' ', spaces);
	sb->len += spaces;
}

void
strbuf_printf(struct strbuf *sb, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	BUG_ON(len < 0);
	va_start(args, format);
	vsnprintf((char *)make_room(sb, (size_t)len + 1), (size_t)len + 1,
		  format, args);
	va_end(args);
	sb->len += (size_t)len;
}

static void
put_literal(struct strbuf *sb, struct span valid)
{
	json_text_write(make_room(sb, json_text_size(valid)), valid);
	sb->len += json_text_size(valid);
}

void
strbuf_json(struct strbuf *sb, struct span text)
{
	struct strbuf mended = {0};

	while (utf8_valid_prefix(text) < text.len) {
		size_t good = utf8_valid_prefix(text);

		strbuf_put(&mended, span_of(text.data, good));
		strbuf_puts(&mended, "\xef\xbf\xbd");
		text = span_of(text.data + good + 1, text.len - good - 1);
	}
	strbuf_put(&mended, text);
	put_literal(sb, strbuf_span(&mended));
	strbuf_free(&mended);
}

struct span
strbuf_span(const struct strbuf *sb)
{
	return span_of(sb->data, sb->len);
}
