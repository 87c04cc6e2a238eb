/*
 * Any bytes as the head of an input: it passes only if it may be a JSON object
 * or the end is not seen yet; else the failure is one that can be sent.
 */
#include <string.h>

#include "proto/bug.h"
#include "proto/utf8.h"
#include "worker/input/sniff.h"

static bool
is_object(struct span head)
{
	size_t i = 0;

	while (i < head.len && memchr(" \t\r\n", head.data[i], 4) != NULL)
		i++;
	return i < head.len && head.data[i] == '{';
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int whole = 0; whole < 2; whole++) {
		struct sniff sniff = {0};
		struct failure failure = {0};
		enum status status =
		    sniff_head(span_of(data, size), whole, &sniff, &failure);

		if (status == ST_OK) {
			BUG_ON(sniff.skip_bytes > size);
			BUG_ON(sniff.blank && whole);
			BUG_ON(!sniff.blank &&
			       !is_object(span_of(data + sniff.skip_bytes,
						  size - sniff.skip_bytes)));
			continue;
		}
		BUG_ON(failure.status != status);
		BUG_ON(failure.offset < 0 || (uint64_t)failure.offset > size);
		BUG_ON(!utf8_valid(span_str(failure.message)));
	}
	return 0;
}
