/*
 * Text before the parser, whole and shown again in pieces: the same bytes pass
 * and the same end is found, what passes is valid UTF-8 and needs no second
 * mending, what waits is short. The first byte is the largest piece.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/bug.h"
#include "proto/utf8.h"
#include "worker/json/mend.h"

/* As the parser's window does it: what waits is shown again with more. */
static size_t
mend_pieces(uint8_t *text, size_t len, size_t piece, enum mend_end *end_out)
{
	size_t done = 0, shown = 0;

	*end_out = MEND_MORE;
	while (shown < len && *end_out == MEND_MORE) {
		shown += piece < len - shown ? piece : len - shown;
		done += mend_text(text + done, shown - done, end_out);
		BUG_ON(done > shown);
		BUG_ON(*end_out == MEND_MORE && shown - done > MEND_HELD_MAX);
	}
	return done;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = size - 1, done;
	enum mend_end end, other;
	uint8_t *a, *b;

	if (size == 0)
		return 0;
	a = malloc(len + 1);
	b = malloc(len + 1);
	BUG_ON(a == NULL || b == NULL);
	memcpy(a, data + 1, len);
	memcpy(b, data + 1, len);
	done = mend_text(a, len, &end);
	BUG_ON(mend_pieces(b, len, 1 + data[0] % 40U, &other) != done);
	BUG_ON(end != other || memcmp(a, b, done) != 0);
	BUG_ON(end == MEND_MORE && len - done > MEND_HELD_MAX);
	BUG_ON(!utf8_valid(span_of(a, done)));
	BUG_ON(memcmp(a + done, data + 1 + done, len - done) != 0);
	memcpy(b, a, len);
	BUG_ON(mend_text(b, len, &other) != done || other != end);
	BUG_ON(memcmp(a, b, done) != 0);
	if (mend_plain(span_of(data + 1, len)))
		BUG_ON(done != len || memcmp(a, data + 1, len) != 0);
	free(a);
	free(b);
	return 0;
}
