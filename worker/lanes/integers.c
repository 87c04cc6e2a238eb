#include "worker/lanes/integers.h"

#include <stdbool.h>

#include "worker/lanes/digits.h"

/* A minus, two words of digits, a comma and the next number's first byte. */
#define LOOK_BYTES 24

static bool
starts_number(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || byte == '-';
}

/* Reads one value; the bytes of it with its comma, 0 when it is not plain. */
static size_t
read_one(const uint8_t *at, int64_t *value_out)
{
	const uint8_t *p = at + (*at == '-');
	uint64_t word = digits_load(p);
	unsigned n = digits_count(word), more;
	int64_t value;

	if (n == 0 || (*p == '0' && (n > 1 || p > at)))
		return 0;
	value = digits_value(word, n);
	p += n;
	if (n == DIGITS_WORD) {
		word = digits_load(p);
		more = digits_count(word);
		if (more == DIGITS_WORD)
			return 0;
		if (more > 0)
			value = value * digits_power[more] +
				digits_value(word, more);
		p += more;
	}
	if (p[0] != ',' || !starts_number(p[1]))
		return 0;
	*value_out = *at == '-' ? -value : value;
	return (size_t)(p - at) + 1;
}

size_t
integers_read(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	size_t i = 0, count = 0;

	while (count < max && bytes.len - i >= LOOK_BYTES) {
		size_t n = read_one(bytes.data + i, &values[count]);

		if (n == 0)
			break;
		i += n;
		count++;
	}
	*bytes_out = i;
	return count;
}

size_t
integers_next(struct span bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.data[i] == ',' || bytes.data[i] == ']')
			return i + 1;
	return 0;
}
