/*
 * Ways of x86-64. Which of them the processor has is integers.c's to know.
 */
#include "worker/lanes/integer_blocks.h"

#ifdef __x86_64__

size_t
integer_blocks_sse2(struct span bytes, int64_t *values, size_t max,
		    size_t *bytes_out)
{
	return integer_blocks_read(bytes, values, max, bytes_out,
				   integer_block_sse2, integer_blocks_take,
				   integer_blocks_no_end);
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

INTEGER_BLOCK_AVX2 size_t
integer_blocks_avx2(struct span bytes, int64_t *values, size_t max,
		    size_t *bytes_out)
{
	return integer_blocks_read(bytes, values, max, bytes_out,
				   integer_block_avx2, take_texts, end_texts);
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

INTEGER_BLOCK_AVX512 size_t
integer_blocks_avx512(struct span bytes, int64_t *values, size_t max,
		      size_t *bytes_out)
{
	return integer_blocks_read(bytes, values, max, bytes_out,
				   integer_block_avx512, take_block,
				   integer_blocks_no_end);
}

#endif
