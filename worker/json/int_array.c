/*
 * Nearly all elements are plain integers that lie in the chunk with the comma
 * behind them, and are read right there. Whatever else comes is gathered in a
 * small buffer and takes the exact way.
 */
#include "worker/json/int_array.h"

#include "worker/json/number.h"
#include "worker/lanes/integers.h"

/* As in the first reading: a longer number is none that was parsed. */
#define TEXT_BYTES_MAX 64

void
int_array_init(struct int_array *array, struct input *input)
{
	*array = (struct int_array){.input = input};
}

static enum status
changed(struct int_array *array)
{
	failure_init(array->input->failure, ST_ARTIFACT_CHANGED,
		     RE_CHANGED_WHILE_READ);
	return ST_ARTIFACT_CHANGED;
}

static void
advance(struct int_array *array, size_t n)
{
	array->chunk = span_of(array->chunk.data + n, array->chunk.len - n);
}

/* Makes sure that there is a byte to look at. */
static enum status
need_byte(struct int_array *array)
{
	if (array->chunk.len > 0)
		return ST_OK;
	TRY(input_read(array->input, &array->chunk));
	return array->chunk.len > 0 ? ST_OK : changed(array);
}

static bool
is_space(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* The next byte that is not white space; it is not used up. */
static enum status
peek(struct int_array *array, uint8_t *byte_out)
{
	for (;;) {
		TRY(need_byte(array));
		if (!is_space(array->chunk.data[0]))
			break;
		advance(array, 1);
	}
	*byte_out = array->chunk.data[0];
	return ST_OK;
}

static bool
is_number_byte(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' ||
	       byte == '.' || byte == 'e' || byte == 'E';
}

static enum status
read_number(struct int_array *array, int64_t *value_out)
{
	uint8_t text[TEXT_BYTES_MAX];
	size_t len = 0;

	for (;;) {
		TRY(need_byte(array));
		if (!is_number_byte(array->chunk.data[0]))
			break;
		if (len == sizeof(text))
			return changed(array);
		text[len++] = array->chunk.data[0];
		advance(array, 1);
	}
	if (len == 0 || number_prefix(span_of(text, len)) != len ||
	    number_to_int64(span_of(text, len), value_out) != NUMBER_OK)
		return changed(array);
	return ST_OK;
}

/* To the start of an element; *end_out: there is none. */
static enum status
find_element(struct int_array *array, bool *end_out)
{
	uint8_t byte;

	TRY(peek(array, &byte));
	*end_out = byte == ']' && array->place != INT_ARRAY_BEHIND_COMMA;
	if (*end_out || array->place != INT_ARRAY_BEHIND_ELEMENT)
		return ST_OK;
	if (byte != ',')
		return changed(array);
	advance(array, 1);
	return peek(array, &byte);
}

enum status
int_array_next(struct int_array *array, int64_t *values_out, size_t max,
	       size_t *n_out)
{
	size_t n = 0, got, used;
	bool end;

	while (n < max) {
		TRY(find_element(array, &end));
		if (end)
			break;
		got =
		    integers_read(array->chunk, values_out + n, max - n, &used);
		advance(array, used);
		n += got;
		array->place = INT_ARRAY_BEHIND_COMMA;
		if (got > 0)
			continue;
		TRY(read_number(array, &values_out[n++]));
		array->place = INT_ARRAY_BEHIND_ELEMENT;
	}
	*n_out = n;
	return ST_OK;
}
