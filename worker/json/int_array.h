/*
 * A second reading of a flat array of numbers that was parsed once already:
 * the second cursor. It reads from an input of its own, from the byte behind
 * the array's bracket. The bytes are hostile again (the file may have changed),
 * so whatever is not a number, a comma, white space or the closing bracket is
 * an error.
 */
#ifndef WORKER_JSON_INT_ARRAY_H
#define WORKER_JSON_INT_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/status.h"
#include "worker/input/input.h"

struct int_array {
	struct input *input; /* borrowed: until the reading ends */
	struct span chunk;   /* borrowed: what is left of the input's chunk */
	bool started;	     /* an element was read, so a comma must follow */
};

/* The input stands at the byte behind the bracket. */
void int_array_init(struct int_array *array, struct input *input);

/*
 * The next element; *end_out is true, and value_out untouched, at the closing
 * bracket. ARTIFACT_CHANGED/changed_while_read when it is not the array that
 * was parsed.
 */
NODISCARD enum status int_array_next(struct int_array *array,
				     int64_t *value_out, bool *end_out);

#endif
