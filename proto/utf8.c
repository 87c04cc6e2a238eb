/*
 * A check by lead byte: how many bytes follow, and the range of the first of
 * them, which is where overlong forms and surrogates show.
 */
#include "proto/utf8.h"

#include <stdint.h>

struct lead {
	uint8_t first, last; /* range of the lead byte */
	uint8_t more;	     /* continuation bytes */
	uint8_t low, high;   /* range of the first continuation byte */
};

/* The Unicode Standard, table 3-7. */
static const struct lead leads[] = {
    {0xc2, 0xdf, 1, 0x80, 0xbf}, {0xe0, 0xe0, 2, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x80, 0xbf}, {0xed, 0xed, 2, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x80, 0xbf}, {0xf0, 0xf0, 3, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x80, 0xbf}, {0xf4, 0xf4, 3, 0x80, 0x8f},
};

/* Bytes of the character at the start of text; 0 when it is not valid. */
static size_t
char_length(const uint8_t *at, size_t left)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		const struct lead *lead = &leads[i];

		if (at[0] < lead->first || at[0] > lead->last)
			continue;
		if (left <= lead->more || at[1] < lead->low ||
		    at[1] > lead->high)
			return 0;
		for (size_t k = 2; k <= lead->more; k++)
			if ((at[k] & 0xc0) != 0x80)
				return 0;
		return (size_t)lead->more + 1;
	}
	return 0;
}

size_t
utf8_valid_prefix(struct span text)
{
	size_t i = 0;

	while (i < text.len) {
		size_t len;

		if (text.data[i] < 0x80) {
			i++;
			continue;
		}
		len = char_length(text.data + i, text.len - i);
		if (len == 0)
			break;
		i += len;
	}
	return i;
}

bool
utf8_valid(struct span text)
{
	return utf8_valid_prefix(text) == text.len;
}

size_t
utf8_cut(struct span text, size_t max)
{
	size_t len = text.len;

	if (len <= max)
		return len;
	len = max;
	while (len > 0 && (text.data[len] & 0xc0) == 0x80)
		len--;
	return len;
}
