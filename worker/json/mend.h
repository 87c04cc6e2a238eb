/*
 * What the parser must not see. It joins unpaired surrogate escapes (\ud83d
 * without its other half) into garbage, takes bytes that are not UTF-8, and
 * takes vertical tab and form feed for white space. So each stretch of text
 * passes through here first, in strings and out of them alike: escapes are
 * mended in place, and at bad bytes the text ends.
 */
#ifndef WORKER_JSON_MEND_H
#define WORKER_JSON_MEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

/* Bytes that may have to wait for more: \ud83d\ude0 */
#define MEND_HELD_MAX 11

enum mend_end {
	MEND_MORE,	/* the rest, if any, waits for the bytes behind it */
	MEND_BAD_UTF8,	/* the rest does not start with a character */
	MEND_BAD_SPACE, /* the rest starts with \v or \f */
};

/*
 * Replaces unpaired surrogate escapes by \ufffd, which is as long, and returns
 * how many leading bytes may go to the parser; *end_out says what the rest is.
 * Those that wait are at most MEND_HELD_MAX and must be shown again, with more
 * behind them. The text must not start inside an escape or a character, and
 * what is returned never ends in one of those that are well-formed.
 */
size_t mend_text(uint8_t *text, size_t len, enum mend_end *end_out);

/* True when all of the text may go to the parser as it is: ASCII without
 * backslash, \v and \f. Most text is so. */
bool mend_plain(struct span text);

#endif
