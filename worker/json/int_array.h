/*
 * A second reading of a flat array of numbers that was parsed once already:
 * the second cursor. It reads from an input of its own, from the byte behind
 * the array's bracket. The bytes are hostile again (the file may have changed),
 * so whatever is not a number, a comma, white space or the closing bracket is
 * an error.
 */
#ifndef WORKER_JSON_INT_ARRAY_H
#define WORKER_JSON_INT_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/status.h"
#include "worker/input/input.h"

enum int_array_place {
	INT_ARRAY_BEGIN,
	INT_ARRAY_BEHIND_ELEMENT, /* so a comma must follow */
	INT_ARRAY_BEHIND_COMMA,	  /* and so an element */
};

struct int_array {
	struct input *input; /* borrowed: until the reading ends */
	struct span chunk;   /* borrowed: what is left of the input's chunk */
	enum int_array_place place;
};

/* The input stands at the byte behind the bracket. */
void int_array_init(struct int_array *array, struct input *input);

/*
 * The next elements, as many as *n_out of max; fewer only at the closing
 * bracket. ARTIFACT_CHANGED/changed_while_read when it is not the array that
 * was parsed.
 */
NODISCARD enum status int_array_next(struct int_array *array,
				     int64_t *values_out, size_t max,
				     size_t *n_out);

#endif
