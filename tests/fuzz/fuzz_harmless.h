/*
 * What a terminal may be shown: valid UTF-8 without C0, DEL and C1, marks of
 * direction, line separators and byte-order marks. Lines may end.
 */
#ifndef TESTS_FUZZ_HARMLESS_H
#define TESTS_FUZZ_HARMLESS_H

#include "proto/bug.h"
#include "proto/utf8.h"

static inline void
check_harmless(struct span safe)
{
	BUG_ON(!utf8_valid(safe));
	for (size_t i = 0; i < safe.len; i++) {
		struct span rest = span_of(safe.data + i, safe.len - i);

		BUG_ON((rest.data[0] < 0x20 && rest.data[0] != '\n') ||
		       rest.data[0] == 0x7f);
		BUG_ON(span_starts(rest, "\xc2") && rest.data[1] < 0xa0);
		BUG_ON(span_starts(rest, "\xe2\x80") &&
		       (rest.data[2] & 0xf8) == 0xa8 && rest.data[2] != 0xaf);
		BUG_ON(span_starts(rest, "\xe2\x81") &&
		       (rest.data[2] & 0xf0) == 0xa0);
		BUG_ON(span_starts(rest, "\xef\xbb\xbf"));
	}
}

#endif
