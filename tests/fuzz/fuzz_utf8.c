/*
 * What counts as UTF-8, against a reading of RFC 3629 by value: a character is
 * decoded, must be the shortest form, no surrogate and at most U+10FFFF.
 */
#include <stdint.h>

#include "proto/bug.h"
#include "proto/utf8.h"

static size_t
character(struct span text)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	uint8_t lead = text.data[0];
	size_t len = lead < 0x80    ? 1
		     : lead >= 0xf8 ? 0
		     : lead >= 0xf0 ? 4
		     : lead >= 0xe0 ? 3
		     : lead >= 0xc0 ? 2
				    : 0;
	uint32_t code = len < 2 ? lead : lead & (0x7fU >> len);

	if (len == 0 || len > text.len)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (text.data[i] >> 6 != 2)
			return 0;
		code = code << 6 | (text.data[i] & 0x3fU);
	}
	if (code < smallest[len] || code > 0x10ffff || code >> 11 == 0x1b)
		return 0;
	return len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of(data, size);
	size_t valid = 0, step, cut;

	while (valid < size &&
	       (step = character(span_of(data + valid, size - valid))) > 0)
		valid += step;
	BUG_ON(utf8_valid_prefix(text) != valid);
	BUG_ON(utf8_valid(text) != (valid == size));
	for (size_t max = 0; max <= valid && max < 64; max++) {
		cut = utf8_cut(span_of(data, valid), max);
		BUG_ON(cut > max || !utf8_valid(span_of(data, cut)));
		BUG_ON(cut < valid && cut + 3 < max);
		BUG_ON(cut < max && max < valid &&
		       cut + character(span_of(data + cut, valid - cut)) <=
			   max);
	}
	return 0;
}
