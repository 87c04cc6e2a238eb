/*
 * A number is taken apart into its significant digits and a power of ten, and
 * only then made a value: no floating point, no copy, no allocation, and one
 * pass however long the text or large its exponent. Plain short integers,
 * nearly all there are, take a way of their own.
 */
#include "worker/json/number.h"

#include <stdbool.h>

/* Ten to the 19th less one fits 64 bits without a sign; so do 19 digits. */
#define DIGITS_MAX 19

/* Beyond it an exponent is as good as endless: no text has so many digits. */
#define EXPONENT_MAX INT64_C(1000000000000000)

/* digits * 10^scale; the first digit is not zero, and neither is the last. */
struct decimal {
	bool negative;
	const uint8_t *digits; /* borrowed; a point may be among them */
	int64_t count;	       /* of digits, the point not counted; 0: zero */
	int64_t scale;
};

static bool
is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static size_t
skip_digits(struct span text, size_t i)
{
	while (i < text.len && is_digit(text.data[i]))
		i++;
	return i;
}

static bool
byte_at(struct span text, size_t i, uint8_t byte)
{
	return i < text.len && text.data[i] == byte;
}

/* Behind the fraction that may be at i, else i. */
static size_t
skip_fraction(struct span text, size_t i)
{
	size_t end;

	if (!byte_at(text, i, '.'))
		return i;
	end = skip_digits(text, i + 1);
	return end > i + 1 ? end : i;
}

/* Behind the exponent that may be at i, else i. */
static size_t
skip_exponent(struct span text, size_t i)
{
	size_t first, end;

	if (!byte_at(text, i, 'e') && !byte_at(text, i, 'E'))
		return i;
	first = i + 1;
	if (byte_at(text, first, '+') || byte_at(text, first, '-'))
		first++;
	end = skip_digits(text, first);
	return end > first ? end : i;
}

size_t
number_prefix(struct span text)
{
	size_t first = byte_at(text, 0, '-') ? 1 : 0;
	size_t end;

	if (byte_at(text, first, '0'))
		end = first + 1;
	else
		end = skip_digits(text, first);
	if (end == first)
		return 0;
	return skip_exponent(text, skip_fraction(text, end));
}

/* text is what follows the letter e. */
static int64_t
read_exponent(struct span text)
{
	bool negative = text.len > 0 && text.data[0] == '-';
	int64_t value = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!is_digit(text.data[i]))
			continue;
		value = value * 10 + (text.data[i] - '0');
		if (value > EXPONENT_MAX)
			value = EXPONENT_MAX;
	}
	return negative ? -value : value;
}

/* Takes zeros off both ends. */
static void
trim(struct decimal *d, const uint8_t *end)
{
	while (d->digits < end && (*d->digits == '0' || *d->digits == '.')) {
		d->count -= *d->digits == '0';
		d->digits++;
	}
	while (end > d->digits && (end[-1] == '0' || end[-1] == '.')) {
		d->count -= end[-1] == '0';
		d->scale += end[-1] == '0';
		end--;
	}
}

static struct decimal
take_apart(struct span text)
{
	struct decimal d = {.negative = text.len > 0 && text.data[0] == '-'};
	size_t i = d.negative ? 1 : 0;
	bool fraction = false;

	d.digits = text.data + i;
	for (; i < text.len; i++) {
		uint8_t byte = text.data[i];

		if (byte == '.') {
			fraction = true;
			continue;
		}
		if (!is_digit(byte))
			break;
		d.count++;
		d.scale -= fraction;
	}
	if (i < text.len)
		d.scale +=
		    read_exponent(span_of(text.data + i + 1, text.len - i - 1));
	trim(&d, text.data + i);
	return d;
}

/* The first `count` digits, at most DIGITS_MAX; those that are not there are
 * zeros. */
static uint64_t
magnitude(const struct decimal *d, int64_t count)
{
	const uint8_t *at = d->digits;
	uint64_t value = 0;

	for (int64_t i = 0; i < count; i++) {
		unsigned digit = 0;

		if (i < d->count) {
			if (*at == '.')
				at++;
			digit = *at++ - (unsigned)'0';
		}
		value = value * 10 + digit;
	}
	return value;
}

/* The digit at this place, counted from 0. */
static unsigned
digit_at(const struct decimal *d, int64_t place)
{
	const uint8_t *at = d->digits;

	for (;; at++) {
		if (*at == '.')
			continue;
		if (place-- == 0)
			return *at - (unsigned)'0';
	}
}

static enum number_result
with_sign(bool negative, uint64_t value, int64_t *value_out)
{
	uint64_t max = (uint64_t)INT64_MAX + (negative ? 1 : 0);

	if (value > max)
		return NUMBER_RANGE;
	if (negative)
		*value_out = value == max ? INT64_MIN : -(int64_t)value;
	else
		*value_out = (int64_t)value;
	return NUMBER_OK;
}

/* A whole number of `count` digits. */
static enum number_result
whole(const struct decimal *d, int64_t count, int64_t *value_out)
{
	if (count > DIGITS_MAX)
		return NUMBER_RANGE;
	return with_sign(d->negative, magnitude(d, count), value_out);
}

/* An integer of at most 18 digits and nothing else; else false. */
static bool
try_plain(struct span text, int64_t *value_out)
{
	size_t i = byte_at(text, 0, '-') ? 1 : 0;
	int64_t value = 0;

	if (text.len - i > DIGITS_MAX - 1)
		return false;
	for (size_t k = i; k < text.len; k++) {
		unsigned digit = text.data[k] - (unsigned)'0';

		if (digit > 9)
			return false;
		value = value * 10 + digit;
	}
	*value_out = i == 1 ? -value : value;
	return true;
}

enum number_result
number_to_int64(struct span text, int64_t *value_out)
{
	struct decimal d;

	if (try_plain(text, value_out))
		return NUMBER_OK;
	d = take_apart(text);
	if (d.count == 0)
		return with_sign(false, 0, value_out);
	if (d.scale < 0)
		return NUMBER_FRACTION;
	return whole(&d, d.count + d.scale, value_out);
}

enum number_result
number_seconds_to_us(struct span text, int64_t *value_out)
{
	struct decimal d = take_apart(text);
	int64_t count = d.count + d.scale + 6; /* digits before the point */

	if (d.count == 0 || count < 0)
		return with_sign(false, 0, value_out);
	if (count >= d.count)
		return whole(&d, count, value_out);
	if (count > DIGITS_MAX)
		return NUMBER_RANGE;
	return with_sign(d.negative,
			 magnitude(&d, count) + (digit_at(&d, count) >= 5),
			 value_out);
}
