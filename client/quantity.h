/*
 * Numbers as people read them.
 */
#ifndef CLIENT_QUANTITY_H
#define CLIENT_QUANTITY_H

#include <stdint.h>

#include "client/strbuf.h"

/* How the values of one column are shown: all in the same unit. */
struct scale {
	const char *unit; /* "ms"; "" for counts */
	double divisor;
	int decimals;
};

/* unit is the metric's: microseconds, bytes, count or anything else; `most`
 * is the largest value to be shown. */
struct scale quantity_scale(struct span unit, uint64_t most);

/* "80.0": without the unit. */
void quantity_put(struct strbuf *sb, const struct scale *scale, uint64_t value);

/* "1.2 MiB", "17 B". */
void quantity_bytes(struct strbuf *sb, uint64_t bytes);

/* "66.7%"; "-" when it is of nothing, or more than all. */
void quantity_share(struct strbuf *sb, uint64_t part, uint64_t whole);

#endif
