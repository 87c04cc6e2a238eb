#include "worker/lanes/cursor.h"

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

/* From the first backslash on, into the buffer. */
static bool
unescape(struct cursor *c, const uint8_t *from, const uint8_t *backslash,
	 struct cursor_text *text)
{
	const uint8_t *at = backslash;
	size_t len = (size_t)(at - from);

	if (len >= sizeof(text->buffer))
		return false;
	memcpy(text->buffer, from, len);
	for (; at < c->end && *at != '"'; at++) {
		uint8_t byte = *at;

		if (byte == '\\')
			byte = ++at < c->end ? escaped(*at) : 0;
		else if (byte < 0x20)
			return false;
		if (byte == 0 || len == sizeof(text->buffer))
			return false;
		text->buffer[len++] = byte;
	}
	text->bytes = span_of(text->buffer, len);
	c->at = at;
	return at < c->end;
}

bool
cursor_string(struct cursor *c, size_t max, struct cursor_text *text_out)
{
	const uint8_t *from = c->at + 1;
	const uint8_t *at = from;

	if (c->at == c->end || *c->at != '"')
		return false;
	while (at < c->end && *at != '"' && *at != '\\' && *at >= 0x20)
		at++;
	if (at == c->end || *at < 0x20)
		return false;
	text_out->bytes = span_of(from, (size_t)(at - from));
	c->at = at;
	if (*at == '\\' && !unescape(c, from, at, text_out))
		return false;
	c->at++;
	return (size_t)(c->at - from) + 1 <= max;
}
