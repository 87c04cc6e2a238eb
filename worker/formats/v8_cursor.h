/*
 * The second reading of an array of numbers of V8's files. The first reading
 * notes where it is and what it was like; the second must find the same again,
 * else the file has changed.
 */
#ifndef WORKER_FORMATS_V8_CURSOR_H
#define WORKER_FORMATS_V8_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/extractor.h"
#include "worker/json/int_array.h"

/* An array of the file, or the rest of one, as the first reading saw it. */
struct v8_array {
	uint64_t offset; /* of its first element, or of the byte before */
	uint64_t len;
	uint64_t sum;  /* of its elements */
	uint64_t sums; /* and of that sum behind each, for their order */
};

/* Some more elements. */
static inline void
v8_array_note(struct v8_array *array, const int64_t *values, size_t n)
{
	uint64_t sum = array->sum, sums = array->sums;

	for (size_t i = 0; i < n; i++) {
		sum += (uint64_t)values[i];
		sums += sum;
	}
	array->sum = sum;
	array->sums = sums;
	array->len += n;
}

struct v8_cursor {
	struct input input; /* owned while open */
	struct int_array array;
	struct v8_array read; /* what was read so far */
	bool open;
};

/* To the first element, by a reader of its own. */
NODISCARD enum status v8_cursor_open(struct v8_cursor *cursor,
				     const struct extraction *extraction,
				     const struct v8_array *array);

/* The next n elements. There must be as many: else ARTIFACT_CHANGED. */
NODISCARD enum status v8_cursor_next(struct v8_cursor *cursor,
				     int64_t *values_out, size_t n);

/* The array ends here and was the one that was seen first: else
 * ARTIFACT_CHANGED. Closes the cursor when it was. */
NODISCARD enum status v8_cursor_end(struct v8_cursor *cursor,
				    const struct v8_array *array);

/* An empty or closed cursor may be closed too. */
void v8_cursor_close(struct v8_cursor *cursor);

#endif
