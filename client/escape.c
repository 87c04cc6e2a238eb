/*
 * Decides by code point: controls, what Unicode calls format characters, and
 * what a terminal draws as nothing are escaped; so is what the C library
 * knows no width of. Combining marks are kept, but not in piles.
 */
#include "client/escape.h"

#include <locale.h>
#include <stdbool.h>
#include <wchar.h>

#include "proto/utf8.h"

#define COMBINING_MAX 2 /* in a row; scripts that need more are rare */
#define ELLIPSIS "\xe2\x80\xa6"

struct range {
	uint32_t first, last;
};

/* Sorted. C0, DEL and C1 first. */
static const struct range hidden[] = {
    {0x0000, 0x001f},	{0x007f, 0x009f},   {0x00ad, 0x00ad}, /* soft hyphen */
    {0x034f, 0x034f}, /* grapheme joiner */
    {0x061c, 0x061c}, /* Arabic letter mark */
    {0x115f, 0x1160}, /* Hangul fillers */
    {0x17b4, 0x17b5}, /* Khmer inherent vowels */
    {0x180b, 0x180f}, /* Mongolian selectors */
    {0x200b, 0x200f}, /* zero-width space … right-to-left mark */
    {0x2028, 0x202e}, /* line and paragraph separator, embeddings */
    {0x2060, 0x206f}, /* word joiner, isolates, deprecated controls */
    {0x2800, 0x2800}, /* Braille blank */
    {0x3164, 0x3164}, /* Hangul filler */
    {0xd800, 0xdfff}, /* surrogates */
    {0xfe00, 0xfe0f}, /* variation selectors */
    {0xfeff, 0xfeff}, /* byte-order mark */
    {0xffa0, 0xffa0}, /* half-width filler */
    {0xfff0, 0xfffb}, /* interlinear annotations */
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool
is_hidden(uint32_t code)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (code <= hidden[i].last)
			return code >= hidden[i].first;
	return false;
}

/* wcwidth, which knows Unicode only in such a locale. */
static int
columns(uint32_t code)
{
	static bool ready;

	if (!ready) {
		(void)setlocale(LC_CTYPE, "C.UTF-8");
		ready = true;
	}
	if (code < 0x80)
		return 1;
	return wcwidth((wchar_t)code);
}

/* Takes the first character off valid text. */
static uint32_t
next_char(struct span *text, struct span *bytes_out)
{
	uint8_t lead = text->data[0];
	size_t len = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	uint32_t code = len == 1 ? lead : lead & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | (text->data[i] & 0x3f);
	*bytes_out = span_of(text->data, len);
	*text = span_of(text->data + len, text->len - len);
	return code;
}

/* The same for any bytes: one that is not valid counts as U+FFFD. */
static uint32_t
next_any(struct span *text, struct span *bytes_out)
{
	size_t look = text->len < 4 ? text->len : 4;

	if (utf8_valid_prefix(span_of(text->data, look)) > 0)
		return next_char(text, bytes_out);
	*bytes_out = span_str("\xef\xbf\xbd");
	*text = span_of(text->data + 1, text->len - 1);
	return 0xfffd;
}

void
escape_put(struct strbuf *sb, struct span text, size_t max_chars)
{
	unsigned combining = 0;

	for (size_t n = 0; text.len > 0; n++) {
		struct span bytes;
		uint32_t code;
		int width;

		if (n == max_chars) {
			strbuf_puts(sb, ELLIPSIS);
			return;
		}
		code = next_any(&text, &bytes);
		width = is_hidden(code) ? -1 : columns(code);
		combining = width == 0 ? combining + 1 : 0;
		if (width < 0 || combining > COMBINING_MAX)
			strbuf_printf(sb, "\\u{%x}", code);
		else
			strbuf_put(sb, bytes);
	}
}

static size_t
char_width(uint32_t code)
{
	int width = columns(code);

	return width > 0 ? (size_t)width : 0;
}

size_t
escape_width(struct span safe)
{
	size_t width = 0;

	while (safe.len > 0) {
		struct span bytes;

		width += char_width(next_char(&safe, &bytes));
	}
	return width;
}

size_t
escape_fit(struct strbuf *sb, struct span safe, size_t width)
{
	size_t whole = escape_width(safe), used = 0;

	if (whole <= width) {
		strbuf_put(sb, safe);
		return whole;
	}
	if (width == 0)
		return 0;
	while (safe.len > 0) {
		struct span bytes;
		size_t w = char_width(next_char(&safe, &bytes));

		if (used + w > width - 1)
			break;
		strbuf_put(sb, bytes);
		used += w;
	}
	strbuf_puts(sb, ELLIPSIS);
	return used + 1;
}

size_t
escape_fit_tail(struct strbuf *sb, struct span safe, size_t width)
{
	size_t left = escape_width(safe);
	bool cut = false;

	if (left <= width) {
		strbuf_put(sb, safe);
		return left;
	}
	if (width == 0)
		return 0;
	/* and marks that belong to a character which is cut */
	while (safe.len > 0) {
		struct span rest = safe, bytes;
		size_t w = char_width(next_char(&rest, &bytes));

		if (left <= width - 1 && (w > 0 || !cut))
			break;
		left -= w;
		safe = rest;
		cut = true;
	}
	strbuf_puts(sb, ELLIPSIS);
	strbuf_put(sb, safe);
	return left + 1;
}

void
escape_lines(FILE *file, struct span text, const char *prefix)
{
	while (text.len > 0) {
		const uint8_t *end = memchr(text.data, '\n', text.len);
		size_t len = end != NULL ? (size_t)(end - text.data) : text.len;
		struct strbuf line = {0};

		escape_put(&line, span_of(text.data, len), ESCAPE_TEXT_CHARS);
		fprintf(file, "%s%.*s\n", prefix, (int)line.len,
			(const char *)line.data);
		strbuf_free(&line);
		len += end != NULL;
		text = span_of(text.data + len, text.len - len);
	}
}
