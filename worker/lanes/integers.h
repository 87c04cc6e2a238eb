/*
 * A run of integers as V8 writes arrays of them: digits, perhaps a minus, a
 * comma, and no blanks.
 */
#ifndef WORKER_LANES_INTEGERS_H
#define WORKER_LANES_INTEGERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

/* No value that is read is larger, or smaller than minus this. */
#define INTEGERS_MOST INT64_C(999999999999999)

/*
 * Reads at most max values from the front of bytes, as long as each is a plain
 * integer with a comma and the start of another number behind it. How many;
 * *bytes_out with their commas. Stops at whatever looks different, and may stop
 * with some read.
 */
size_t integers_read(struct span bytes, int64_t *values, size_t max,
		     size_t *bytes_out);

/* A way to read most of them: blocks of bytes, with what the processor has for
 * it. values has room for at least max; some beyond those read are spoiled. */
struct integers_way {
	const char *name;
	size_t (*read_blocks)(struct span bytes, int64_t *values, size_t max,
			      size_t *bytes_out);
};

/* Those that work on this processor, the fastest first; the last works on
 * all. */
const struct integers_way *integers_ways(size_t *n_out);

/* integers_read, by a certain way. */
size_t integers_read_by(const struct integers_way *way, struct span bytes,
			int64_t *values, size_t max, size_t *bytes_out);

/* The place behind the next comma or closing bracket; 0: there is none. */
size_t integers_next(struct span bytes);

#endif
