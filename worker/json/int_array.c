/*
 * Nearly all elements are short integers that lie in the chunk with the comma
 * behind them, and are read right there. Whatever else comes is gathered in a
 * small buffer and takes the exact way.
 */
#include "worker/json/int_array.h"

#include "worker/json/number.h"

/* As in the first reading: a longer number is none that was parsed. */
#define TEXT_BYTES_MAX 64

/* Digits that fit an int64_t whatever they are. */
#define PLAIN_DIGITS 18

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

/* A plain integer with the byte behind it, all in the chunk; else false and
 * nothing is used up. */
static bool
try_plain(struct int_array *array, int64_t *value_out)
{
	const uint8_t *at = array->chunk.data;
	size_t i = at[0] == '-' ? 1 : 0;
	size_t first = i;
	int64_t value = 0;

	if (array->chunk.len <= PLAIN_DIGITS + 2)
		return false;
	for (; i < first + PLAIN_DIGITS; i++) {
		unsigned digit = at[i] - (unsigned)'0';

		if (digit > 9)
			break;
		value = value * 10 + digit;
	}
	if (is_number_byte(at[i]) || i == first ||
	    (at[first] == '0' && i > first + 1))
		return false;
	advance(array, i);
	*value_out = first == 1 ? -value : value;
	return true;
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

enum status
int_array_next(struct int_array *array, int64_t *value_out, bool *end_out)
{
	uint8_t byte;

	*end_out = false;
	TRY(peek(array, &byte));
	if (byte == ']') {
		*end_out = true;
		return ST_OK;
	}
	if (array->started) {
		if (byte != ',')
			return changed(array);
		advance(array, 1);
		TRY(peek(array, &byte));
	}
	array->started = true;
	if (try_plain(array, value_out))
		return ST_OK;
	return read_number(array, value_out);
}
