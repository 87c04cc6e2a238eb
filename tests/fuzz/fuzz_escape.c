/*
 * Any bytes as a name on a terminal: what is shown is valid UTF-8 without a
 * control, a mark of direction or a pile of combining marks, stays as it is
 * when it is escaped again, and keeps to its width. The first two bytes are
 * the width and the characters.
 */
#include <stdint.h>
#include <stdlib.h>

#include "client/escape.h"
#include "client/wrap.h"
#include "proto/bug.h"
#include "tests/fuzz/fuzz_harmless.h"

static void
check_fit(struct span safe, size_t width)
{
	struct strbuf head = {0}, tail = {0}, lines = {0};
	size_t used = escape_fit(&head, safe, width);

	BUG_ON(used > width || escape_width(strbuf_span(&head)) != used);
	check_harmless(strbuf_span(&head));
	used = escape_fit_tail(&tail, safe, width);
	BUG_ON(used > width || escape_width(strbuf_span(&tail)) != used);
	check_harmless(strbuf_span(&tail));
	wrap_put(&lines, safe, width / 4, 2 + width);
	BUG_ON(!utf8_valid(strbuf_span(&lines)));
	strbuf_free(&head);
	strbuf_free(&tail);
	strbuf_free(&lines);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf all = {0}, again = {0}, cut = {0};

	if (size < 2)
		return 0;
	escape_put(&all, span_of(data + 2, size - 2), SIZE_MAX);
	check_harmless(strbuf_span(&all));
	escape_put(&again, strbuf_span(&all), SIZE_MAX);
	BUG_ON(!span_equal(strbuf_span(&all), strbuf_span(&again)));
	escape_put(&cut, span_of(data + 2, size - 2), data[1]);
	check_harmless(strbuf_span(&cut));
	check_fit(strbuf_span(&all), data[0]);
	strbuf_free(&all);
	strbuf_free(&again);
	strbuf_free(&cut);
	return 0;
}
