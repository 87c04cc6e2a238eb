#include "worker/lanes/cursor.h"

#include "worker/lanes/utf8.h"

/* What the letter behind a backslash stands for; 0: it is not one of those. */
static uint8_t
escaped(uint8_t letter)
{
	switch (letter) {
	case '"':
	case '\\':
	case '/':
		return letter;
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return 0;
	}
}

/* Over text without quotes, backslashes and bytes that must be escaped. False
 * at what is no UTF-8, and at the end. */
static bool
skip_text(struct cursor *c)
{
	while (c->at < c->end) {
		size_t n = 1;

		if (*c->at == '"' || *c->at == '\\')
			return true;
		if (*c->at < 0x20)
			return false;
		if (*c->at >= 0x80)
			n = utf8_length(c->at, (size_t)(c->end - c->at));
		if (n == 0)
			return false;
		c->at += n;
	}
	return false;
}

static bool
append(struct cursor_text *text, const uint8_t *data, size_t len)
{
	if (len > sizeof(text->buffer) - text->bytes.len)
		return false;
	memcpy(text->buffer + text->bytes.len, data, len);
	text->bytes.len += len;
	return true;
}

/* The rest behind the text in front of a backslash, into the buffer. */
static bool
unescape(struct cursor *c, struct span front, struct cursor_text *text)
{
	text->bytes = span_of(text->buffer, 0);
	if (!append(text, front.data, front.len))
		return false;
	while (*c->at == '\\') {
		const uint8_t *from;
		uint8_t byte = c->end - c->at < 2 ? 0 : escaped(c->at[1]);

		if (byte == 0 || !append(text, &byte, 1))
			return false;
		from = c->at += 2;
		if (!skip_text(c) ||
		    !append(text, from, (size_t)(c->at - from)))
			return false;
	}
	return true;
}

bool
cursor_string(struct cursor *c, size_t max, struct cursor_text *text_out)
{
	const uint8_t *from = c->at + 1;

	if (c->at == c->end || *c->at != '"')
		return false;
	c->at = from;
	if (!skip_text(c))
		return false;
	text_out->bytes = span_of(from, (size_t)(c->at - from));
	if (*c->at == '\\' && !unescape(c, text_out->bytes, text_out))
		return false;
	c->at++;
	return (size_t)(c->at - from) + 1 <= max;
}
