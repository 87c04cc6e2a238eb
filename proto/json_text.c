/*
 * One walk over the text with two uses: counting and writing.
 */
#include "proto/json_text.h"

/* The letter of a short escape; 0 when the byte has none. */
static uint8_t
short_escape(uint8_t byte)
{
	switch (byte) {
	case '"':
	case '\\':
		return byte;
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '\b':
		return 'b';
	case '\f':
		return 'f';
	default:
		return 0;
	}
}

/* C1 controls are two bytes, C2 80 … C2 9F; 0 when there is none here. */
static uint8_t
c1_control(struct span text, size_t i)
{
	if (text.data[i] == 0xc2 && i + 1 < text.len &&
	    text.data[i + 1] >= 0x80 && text.data[i + 1] <= 0x9f)
		return text.data[i + 1];
	return 0;
}

static size_t
write_unicode(uint8_t *out, uint8_t code)
{
	static const char hex[] = "0123456789abcdef";

	if (out != NULL) {
		memcpy(out, "\\u00", 4);
		out[4] = (uint8_t)hex[code >> 4];
		out[5] = (uint8_t)hex[code & 15];
	}
	return 6;
}

/* Counts when out is NULL. */
static size_t
walk(uint8_t *out, struct span text)
{
	size_t n = 0;

#define AT (out == NULL ? NULL : out + n)
	if (out != NULL)
		out[n] = '"';
	n++;
	for (size_t i = 0; i < text.len; i++) {
		uint8_t byte = text.data[i];
		uint8_t letter = short_escape(byte);

		if (letter != 0) {
			if (out != NULL) {
				out[n] = '\\';
				out[n + 1] = letter;
			}
			n += 2;
		} else if (byte < 0x20 || byte == 0x7f) {
			n += write_unicode(AT, byte);
		} else if (c1_control(text, i) != 0) {
			n += write_unicode(AT, text.data[++i]);
		} else {
			if (out != NULL)
				out[n] = byte;
			n++;
		}
	}
	if (out != NULL)
		out[n] = '"';
#undef AT
	return n + 1;
}

size_t
json_text_size(struct span text)
{
	return walk(NULL, text);
}

size_t
json_text_write(uint8_t *out, struct span text)
{
	return walk(out, text);
}
