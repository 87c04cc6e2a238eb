/*
 * Where numbers end is found in 64 bytes at once, so that none waits for the
 * one before it. A block in which something looks different, or that has no
 * room, is read one number at a time, up to what is different.
 */
#include "worker/lanes/integers.h"

#include "worker/lanes/cpu.h"
#include "worker/lanes/digits.h"
#include "worker/lanes/integer_block.h"

/* A minus, two words of digits, a comma and the next number's first byte. */
#define LOOK_BYTES 24

/* A block, and what is loaded behind its last number. */
#define BLOCK_LOOK_BYTES (INTEGER_BLOCK_BYTES + 2 * DIGITS_WORD)
#define BLOCK_VALUES (INTEGER_BLOCK_BYTES / 2)

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

/* The bits of runs of more than eight. */
static inline uint64_t
long_runs(uint64_t bits)
{
	uint64_t two = bits & bits >> 1, four = two & two >> 2;

	return four & four >> 4 & bits >> 8;
}

/* Whether all that begins in the block, at a number's start, is plain and fits
 * a word with its minus; what the block cuts is not read. */
static inline __attribute__((always_inline)) bool
is_plain(const struct integer_block *b)
{
	uint64_t starts = b->commas << 1 | 1;
	uint64_t behind_minus = b->minuses << 1;
	uint64_t lone_zeros = b->zeros & starts;

	return (b->commas | b->minuses | b->digits) == UINT64_MAX &&
	       ((starts & b->commas) | (b->minuses & ~starts) |
		(behind_minus & ~b->digits) | (behind_minus & b->zeros) |
		(lone_zeros << 1 & b->digits) | long_runs(~b->commas)) == 0;
}

/*
 * What a way does with a block's numbers, whose commas are given: reads them,
 * or notes them and reads all at the end. Both may spoil values behind, up to
 * the most that a block can have.
 */
typedef void take_fn(const uint8_t *at, uint64_t commas, unsigned n,
		     int64_t *values);
typedef void end_fn(int64_t *values, size_t n);

/* Reads blocks as long as they are plain: how many values, and bytes. */
static inline __attribute__((always_inline)) size_t
read_blocks(struct span bytes, int64_t *values, size_t max, size_t *bytes_out,
	    struct integer_block (*look)(const uint8_t *at), take_fn *take,
	    end_fn *end)
{
	size_t i = 0, count = 0;

	while (max - count >= BLOCK_VALUES &&
	       bytes.len - i >= BLOCK_LOOK_BYTES) {
		const uint8_t *at = bytes.data + i;
		struct integer_block b = look(at);
		unsigned n, used;

		if (!is_plain(&b) || b.commas == 0)
			break;
		used = 64 - (unsigned)__builtin_clzll(b.commas);
		if (!starts_number(at[used]))
			break;
		n = (unsigned)__builtin_popcountll(b.commas);
		take(at, b.commas, n, values + count);
		i += used;
		count += n;
	}
	end(values, count);
	*bytes_out = i;
	return count;
}

static inline __attribute__((always_inline)) void
take_values(const uint8_t *at, uint64_t commas, unsigned n, int64_t *values)
{
	for (unsigned i = 0, start = 0; i < n; i++) {
		unsigned end = (unsigned)__builtin_ctzll(commas);
		unsigned minus = at[start] == '-';
		int64_t value = digits_value(digits_load(at + start + minus),
					     end - start - minus);

		values[i] = minus ? -value : value;
		start = end + 1;
		commas &= commas - 1;
	}
}

static inline __attribute__((always_inline)) void
end_values(int64_t *values, size_t n)
{
	(void)values;
	(void)n;
}

static size_t
blocks_plain(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	return read_blocks(bytes, values, max, bytes_out, integer_block_plain,
			   take_values, end_values);
}

#ifdef __x86_64__

static size_t
blocks_sse2(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	return read_blocks(bytes, values, max, bytes_out, integer_block_sse2,
			   take_values, end_values);
}

/* Puts the next number's text in place of its value, at the end of eight bytes
 * with zeros before. */
INTEGER_BLOCK_AVX2 static inline __attribute__((always_inline)) void
take_text(const uint8_t *at, uint64_t *commas, uint64_t *start, int64_t *value)
{
	uint64_t end = _tzcnt_u64(*commas), word;

	memcpy(&word, at + *start, sizeof(word));
	*value = (int64_t)(word << (8 * (*start - end) & 63));
	*start = end + 1;
	*commas = _blsr_u64(*commas);
}

/* In fours: a mispredicted end costs more than a few values. */
INTEGER_BLOCK_AVX2 static inline __attribute__((always_inline)) void
take_texts(const uint8_t *at, uint64_t commas, unsigned n, int64_t *values)
{
	uint64_t start = 0;

	for (const int64_t *end = values + n; values < end; values += 4) {
		take_text(at, &commas, &start, &values[0]);
		take_text(at, &commas, &start, &values[1]);
		take_text(at, &commas, &start, &values[2]);
		take_text(at, &commas, &start, &values[3]);
	}
}

/* Four texts to their values. What is below '0', a minus too, counts as 0. */
INTEGER_BLOCK_AVX2 static inline __attribute__((always_inline)) __m256i
read_texts(__m256i texts)
{
	__m256i minus = _mm256_cmpeq_epi8(texts, _mm256_set1_epi8('-'));
	__m256i plus = _mm256_cmpeq_epi64(minus, _mm256_setzero_si256());
	__m256i sign = _mm256_xor_si256(plus, _mm256_set1_epi8(-1));
	__m256i ones = _mm256_subs_epu8(texts, _mm256_set1_epi8('0'));
	__m256i twos = _mm256_maddubs_epi16(ones, _mm256_set1_epi16(0x010a));
	__m256i fours = _mm256_madd_epi16(twos, _mm256_set1_epi32(0x10064));
	__m256i high = _mm256_mul_epu32(fours, _mm256_set1_epi64x(10000));
	__m256i value = _mm256_add_epi64(high, _mm256_srli_epi64(fours, 32));

	return _mm256_sub_epi64(_mm256_xor_si256(value, sign), sign);
}

INTEGER_BLOCK_AVX2 static inline __attribute__((always_inline)) void
end_texts(int64_t *values, size_t n)
{
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		__m256i *at = (__m256i *)(values + i);

		_mm256_storeu_si256(at, read_texts(_mm256_loadu_si256(at)));
	}
	for (; i < n; i++) {
		__m256i value = read_texts(_mm256_set1_epi64x(values[i]));

		values[i] = _mm256_extract_epi64(value, 0);
	}
}

INTEGER_BLOCK_AVX2 static size_t
blocks_avx2(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	return read_blocks(bytes, values, max, bytes_out, integer_block_avx2,
			   take_texts, end_texts);
}

/* Eight numbers of a block, of which the ends and the starts are given: the
 * bytes before each end in a word, zeros for those that are not its own. */
INTEGER_BLOCK_AVX512 static inline __attribute__((always_inline)) __m512i
gather_texts(__m512i block, __m512i ends, __m512i starts, __m512i which)
{
	const __m512i back = _mm512_set1_epi64(
	    (int64_t)UINT64_C(0xfffefdfcfbfaf9f8)); /* by 8, by 7 … by 1 */
	__m512i from = _mm512_permutexvar_epi8(which, starts);
	__m512i at =
	    _mm512_add_epi8(_mm512_permutexvar_epi8(which, ends), back);

	return _mm512_maskz_permutexvar_epi8(_mm512_cmpge_epi8_mask(at, from),
					     at, block);
}

/* As read_texts, of eight. */
INTEGER_BLOCK_AVX512 static inline __attribute__((always_inline)) __m512i
read_eight(__m512i texts)
{
	__m512i minus = _mm512_movm_epi8(
	    _mm512_cmpeq_epi8_mask(texts, _mm512_set1_epi8('-')));
	__m512i ones = _mm512_subs_epu8(texts, _mm512_set1_epi8('0'));
	__m512i twos = _mm512_maddubs_epi16(ones, _mm512_set1_epi16(0x010a));
	__m512i fours = _mm512_madd_epi16(twos, _mm512_set1_epi32(0x10064));
	__m512i high = _mm512_mul_epu32(fours, _mm512_set1_epi64(10000));
	__m512i value = _mm512_add_epi64(high, _mm512_srli_epi64(fours, 32));

	return _mm512_mask_sub_epi64(value,
				     _mm512_test_epi64_mask(minus, minus),
				     _mm512_setzero_si512(), value);
}

INTEGER_BLOCK_AVX512 static inline __attribute__((always_inline)) void
take_block(const uint8_t *at, uint64_t commas, unsigned n, int64_t *values)
{
	const __m512i places =
	    _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130,
			     0x2f2e2d2c2b2a2928, 0x2726252423222120,
			     0x1f1e1d1c1b1a1918, 0x1716151413121110,
			     0x0f0e0d0c0b0a0908, 0x0706050403020100);
	__m512i which = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606,
					 0x0505050505050505, 0x0404040404040404,
					 0x0303030303030303, 0x0202020202020202,
					 0x0101010101010101, 0);
	__m512i block = _mm512_loadu_si512(at);
	__m512i ends = _mm512_maskz_compress_epi8(commas, places);
	__m512i starts = _mm512_maskz_compress_epi8(commas << 1 | 1, places);

	for (unsigned i = 0; i < n; i += 8) {
		__m512i texts = gather_texts(block, ends, starts, which);

		_mm512_storeu_si512(values + i, read_eight(texts));
		which = _mm512_add_epi8(which, _mm512_set1_epi8(8));
	}
}

INTEGER_BLOCK_AVX512 static size_t
blocks_avx512(struct span bytes, int64_t *values, size_t max, size_t *bytes_out)
{
	return read_blocks(bytes, values, max, bytes_out, integer_block_avx512,
			   take_block, end_values);
}

#endif

const struct integers_way *
integers_ways(size_t *n_out)
{
	static struct integers_way ways[] = {
#ifdef __x86_64__
	    {"avx512", blocks_avx512},
	    {"avx2", blocks_avx2},
	    {"sse2", blocks_sse2},
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
