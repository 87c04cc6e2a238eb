/*
 * Where numbers end is found in 64 bytes at once, so that none waits for the
 * one before it. A block in which something looks different, or that has no
 * room, is read one number at a time, up to what is different.
 */
#include "worker/lanes/integers.h"

#include "worker/lanes/cpu.h"
#include "worker/lanes/integer_blocks.h"

/* A minus, two words of digits, a comma and the next number's first byte. */
#define LOOK_BYTES 24

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
	if (p[0] != ',' || !integers_starts_number(p[1]))
		return 0;
	*value_out = *at == '-' ? -value : value;
	return (size_t)(p - at) + 1;
}

static size_t
blocks_plain(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	return integer_blocks_read(bytes, values, max, bytes_out,
				   integer_block_plain, integer_blocks_take,
				   integer_blocks_no_end);
}

const struct integers_way *
integers_ways(size_t *n_out)
{
	static struct integers_way ways[] = {
#ifdef __x86_64__
	    {"avx512", integer_blocks_avx512},
	    {"avx2", integer_blocks_avx2},
	    {"sse2", integer_blocks_sse2},
#endif
	    {"plain", blocks_plain},
	};
	size_t first = 0;

#ifdef __x86_64__
	first = !cpu_has_avx2() ? 2 : !cpu_has_avx512_vbmi2() ? 1 : 0;
#endif
	*n_out = sizeof(ways) / sizeof(ways[0]) - first;
	return ways + first;
}

/* One at a time, until so many bytes are behind. False: that was all. */
static bool
read_singly(struct span bytes, size_t until, int64_t *values, size_t max,
	    size_t *i, size_t *count)
{
	while (*i < until) {
		size_t n;

		if (*count == max || bytes.len - *i < LOOK_BYTES)
			return false;
		n = read_one(bytes.data + *i, &values[*count]);
		if (n == 0)
			return false;
		*i += n;
		(*count)++;
	}
	return true;
}

size_t
integers_read_by(const struct integers_way *way, struct span bytes,
		 int64_t *values, size_t max, size_t *bytes_out)
{
	size_t i = 0, count = 0, used;

	do {
		struct span left = span_of(bytes.data + i, bytes.len - i);

		count +=
		    way->read_blocks(left, values + count, max - count, &used);
		i += used;
		if (count > 0 && max - count < BLOCK_VALUES)
			break;
	} while (read_singly(bytes, i + INTEGER_BLOCK_BYTES, values, max, &i,
			     &count));
	*bytes_out = i;
	return count;
}

size_t
integers_read(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	size_t ways;

	return integers_read_by(integers_ways(&ways), bytes, values, max,
				bytes_out);
}

size_t
integers_next(struct span bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.data[i] == ',' || bytes.data[i] == ']')
			return i + 1;
	return 0;
}
