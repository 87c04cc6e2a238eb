/*
 * A reader of the same file from its start, set to the array's first element.
 */
#include "worker/formats/v8_cursor.h"

/* Between two words of progress on the way to an offset. */
#define SKIP_BYTES (16 * MIB)

static enum status
changed(struct v8_cursor *cursor)
{
	failure_init(cursor->input.failure, ST_ARTIFACT_CHANGED,
		     RE_CHANGED_WHILE_READ);
	return ST_ARTIFACT_CHANGED;
}

enum status
v8_cursor_open(struct v8_cursor *cursor, const struct extraction *extraction,
	       const struct v8_array *array)
{
	*cursor = (struct v8_cursor){0};
	TRY(input_reopen(extraction->input, &cursor->input));
	cursor->open = true;
	/* A compressed input is decoded up to there. */
	while (cursor->input.decoded_bytes + SKIP_BYTES < array->offset) {
		TRY(input_skip_to(&cursor->input,
				  cursor->input.decoded_bytes + SKIP_BYTES));
		extraction_progress(extraction, PHASE_TIMING);
	}
	TRY(input_skip_to(&cursor->input, array->offset));
	int_array_init(&cursor->array, &cursor->input);
	return ST_OK;
}

enum status
v8_cursor_next(struct v8_cursor *cursor, int64_t *values_out, size_t n)
{
	size_t got;

	TRY(int_array_next(&cursor->array, values_out, n, &got));
	if (got < n)
		return changed(cursor);
	v8_array_note(&cursor->read, values_out, n);
	return ST_OK;
}

enum status
v8_cursor_end(struct v8_cursor *cursor, const struct v8_array *array)
{
	int64_t value;
	size_t got;

	TRY(int_array_next(&cursor->array, &value, 1, &got));
	if (got > 0 || cursor->read.len != array->len ||
	    cursor->read.sum != array->sum || cursor->read.sums != array->sums)
		return changed(cursor);
	v8_cursor_close(cursor);
	return ST_OK;
}

void
v8_cursor_close(struct v8_cursor *cursor)
{
	if (cursor->open)
		input_close(&cursor->input);
	cursor->open = false;
}
