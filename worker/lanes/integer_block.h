/*
 * What each of 64 bytes of an array of integers is: a bit a byte, the lowest
 * for the first. One way in plain C, and what x86-64 has for it; all say the
 * same.
 */
#ifndef WORKER_LANES_INTEGER_BLOCK_H
#define WORKER_LANES_INTEGER_BLOCK_H

#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INTEGER_BLOCK_BYTES 64

struct integer_block {
	uint64_t commas, minuses, zeros;
	uint64_t digits; /* zeros too */
};

/* The top bit of each of eight bytes, as eight bits. */
static inline uint64_t
integer_block_tops(uint64_t tops)
{
	return ((tops >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

/* The top bit of each byte of the word that is 0. */
static inline uint64_t
integer_block_null(uint64_t word)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);

	return ~(((word & low) + low) | word | low);
}

static inline struct integer_block
integer_block_plain(const uint8_t *at)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	struct integer_block b = {0};

	for (unsigned i = 0; i < INTEGER_BLOCK_BYTES; i += 8) {
		uint64_t word, value, above;

		memcpy(&word, at + i, sizeof(word));
		value = word ^ '0' * each; /* a digit's is at most 9 */
		above = ((value & 0x7f * each) + 0x76 * each) | value;
		b.digits |= integer_block_tops(~above & 0x80 * each) << i;
		b.zeros |= integer_block_tops(integer_block_null(value)) << i;
		b.commas |=
		    integer_block_tops(integer_block_null(word ^ ',' * each))
		    << i;
		b.minuses |=
		    integer_block_tops(integer_block_null(word ^ '-' * each))
		    << i;
	}
	return b;
}

#ifdef __x86_64__

static inline uint64_t
integer_block_same16(__m128i bytes, char byte)
{
	__m128i same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte));

	return (uint16_t)_mm_movemask_epi8(same);
}

static inline struct integer_block
integer_block_sse2(const uint8_t *at)
{
	struct integer_block b = {0};

	for (unsigned i = 0; i < INTEGER_BLOCK_BYTES; i += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(at + i));
		__m128i value = _mm_xor_si128(bytes, _mm_set1_epi8('0'));
		__m128i digit =
		    _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)),
				   value);

		b.digits |= (uint64_t)(uint16_t)_mm_movemask_epi8(digit) << i;
		b.zeros |= integer_block_same16(value, 0) << i;
		b.commas |= integer_block_same16(bytes, ',') << i;
		b.minuses |= integer_block_same16(bytes, '-') << i;
	}
	return b;
}

#define INTEGER_BLOCK_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

INTEGER_BLOCK_AVX2 static inline uint64_t
integer_block_same32(__m256i bytes, char byte)
{
	__m256i same = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte));

	return (uint32_t)_mm256_movemask_epi8(same);
}

/* Half a block, in the lower bits. */
INTEGER_BLOCK_AVX2 static inline
    __attribute__((always_inline)) struct integer_block
    integer_block_half(const uint8_t *at)
{
	__m256i bytes = _mm256_loadu_si256((const __m256i *)at);
	__m256i value = _mm256_xor_si256(bytes, _mm256_set1_epi8('0'));
	__m256i digit =
	    _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)),
			      value);

	return (struct integer_block){
	    .commas = integer_block_same32(bytes, ','),
	    .minuses = integer_block_same32(bytes, '-'),
	    .zeros = integer_block_same32(value, 0),
	    .digits = (uint32_t)_mm256_movemask_epi8(digit),
	};
}

INTEGER_BLOCK_AVX2 static inline
    __attribute__((always_inline)) struct integer_block
    integer_block_avx2(const uint8_t *at)
{
	struct integer_block low = integer_block_half(at);
	struct integer_block high = integer_block_half(at + 32);

	return (struct integer_block){
	    .commas = low.commas | high.commas << 32,
	    .minuses = low.minuses | high.minuses << 32,
	    .zeros = low.zeros | high.zeros << 32,
	    .digits = low.digits | high.digits << 32,
	};
}

#define INTEGER_BLOCK_AVX512                                             \
	__attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2," \
			      "bmi,bmi2,popcnt,lzcnt")))

INTEGER_BLOCK_AVX512 static inline
    __attribute__((always_inline)) struct integer_block
    integer_block_avx512(const uint8_t *at)
{
	__m512i bytes = _mm512_loadu_si512(at);
	__m512i value = _mm512_xor_si512(bytes, _mm512_set1_epi8('0'));

	return (struct integer_block){
	    .commas = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(',')),
	    .minuses = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-')),
	    .zeros = _mm512_testn_epi8_mask(value, value),
	    .digits = _mm512_cmple_epu8_mask(value, _mm512_set1_epi8(9)),
	};
}

#endif

#endif
