/*
 * What an input is, by its first decoded bytes. Stops what no extractor could
 * read and names it: nothing at all, UTF-16, well-known formats that are not
 * read yet. Whatever starts like a JSON object, and is none of those, is left
 * to the formats, which decide by their keys.
 */
#ifndef WORKER_INPUT_SNIFF_H
#define WORKER_INPUT_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"

struct sniff {
	/*
	 * Bytes of a UTF-8 byte-order mark, 0 or 3. The parser gets what comes
	 * after them; offsets in errors count them.
	 */
	size_t skip_bytes;
	/*
	 * White space as far as the head goes, and more to come: the parser
	 * must say EMPTY_INPUT if nothing else does come.
	 */
	bool blank;
};

/* whole: the head is all there is. On failure sniff_out is untouched. */
NODISCARD enum status sniff_head(struct span head, bool whole,
				 struct sniff *sniff_out,
				 struct failure *failure);

#endif
