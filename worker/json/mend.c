/*
 * Plain text is passed over in blocks; what is left is looked at a character
 * or an escape at a time. Each of those either steps on, waits for more bytes,
 * or is bad. Whether a backslash stands in a string does not matter: outside
 * of one it is an error for the parser anyway.
 */
#include "worker/json/mend.h"

#include <string.h>

#include "worker/lanes/cpu.h"
#include "worker/lanes/utf8.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* As many as the compiler turns into a few vector instructions. */
#define BLOCK 64

/* From so many bytes on it is worth asking what the processor has. */
#define LONG 1024

#define STEP_WAIT 0
#define STEP_BAD (-1)

static bool
is_odd(uint8_t byte)
{
	return byte >= 0x80 || byte == '\\' || byte == '\v' || byte == '\f';
}

/* Without branches, so that it becomes vector code. */
static bool
block_plain(const uint8_t *at)
{
	uint8_t odd = 0;

	for (unsigned i = 0; i < BLOCK; i++) {
		odd |= at[i] & 0x80;
		odd |= at[i] == '\\';
		odd |= at[i] == '\v';
		odd |= at[i] == '\f';
	}
	return odd == 0;
}

static size_t
skip_blocks(const uint8_t *text, size_t len, size_t i)
{
	while (len - i >= BLOCK && block_plain(text + i))
		i += BLOCK;
	return i;
}

#ifdef __x86_64__

/* The same. The compiler knows no better than 16 bytes at a time. */
__attribute__((target("avx2"))) static size_t
skip_blocks_avx2(const uint8_t *text, size_t len, size_t i)
{
	const __m256i backslash = _mm256_set1_epi8('\\');
	const __m256i tab = _mm256_set1_epi8('\v');
	const __m256i feed = _mm256_set1_epi8('\f');

	for (; len - i >= BLOCK; i += BLOCK) {
		__m256i odd = _mm256_setzero_si256();

		for (size_t j = i; j < i + BLOCK; j += 32) {
			__m256i bytes =
			    _mm256_loadu_si256((const __m256i *)(text + j));
			__m256i is =
			    _mm256_or_si256(_mm256_cmpeq_epi8(bytes, tab),
					    _mm256_cmpeq_epi8(bytes, feed));

			is = _mm256_or_si256(is, _mm256_cmpeq_epi8(bytes,
								   backslash));
			/* the top bits: of what is, and what is no ASCII */
			odd = _mm256_or_si256(odd, _mm256_or_si256(is, bytes));
		}
		if (_mm256_movemask_epi8(odd) != 0)
			break;
	}
	return i;
}

#endif

/* The place of the first odd byte, from i on; len when there is none. */
static size_t
skip_plain(const uint8_t *text, size_t len, size_t i)
{
#ifdef __x86_64__
	if (len - i >= LONG && cpu_has_avx2())
		i = skip_blocks_avx2(text, len, i);
	else
#endif
		i = skip_blocks(text, len, i);
	while (i < len && !is_odd(text[i]))
		i++;
	return i;
}

bool
mend_plain(struct span text)
{
	return skip_plain(text.data, text.len, 0) == text.len;
}

/* A character beyond ASCII: its length, STEP_WAIT or STEP_BAD. */
static int
character(const uint8_t *at, size_t left)
{
	unsigned behind = utf8_behind(at[0]);

	if (behind == 0)
		return STEP_BAD;
	for (unsigned i = 1; i <= behind; i++) {
		if (i == left)
			return STEP_WAIT;
		if (i == 1 ? !utf8_second_valid(at[0], at[1])
			   : (at[i] & 0xc0) != 0x80)
			return STEP_BAD;
	}
	return (int)behind + 1;
}

static int
hex_value(uint8_t byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	if (byte >= 'A' && byte <= 'F')
		return byte - 'A' + 10;
	return -1;
}

enum escape {
	ESCAPE_NONE, /* not a well-formed \uXXXX */
	ESCAPE_CUT,  /* perhaps one, if more bytes come */
	ESCAPE_OTHER,
	ESCAPE_HIGH, /* D800 to DBFF: the first half of a pair */
	ESCAPE_LOW,  /* DC00 to DFFF: the second */
};

static enum escape
escape_kind(const uint8_t *at, size_t left)
{
	unsigned unit = 0;

	for (size_t i = 0; i < 6; i++) {
		int digit;

		if (i == left)
			return ESCAPE_CUT;
		if (i < 2) {
			if (at[i] != (i == 0 ? '\\' : 'u'))
				return ESCAPE_NONE;
			continue;
		}
		digit = hex_value(at[i]);
		if (digit < 0)
			return ESCAPE_NONE;
		unit = unit << 4 | (unsigned)digit;
	}
	if ((unit & 0xfc00) == 0xd800)
		return ESCAPE_HIGH;
	return (unit & 0xfc00) == 0xdc00 ? ESCAPE_LOW : ESCAPE_OTHER;
}

static int
replace(uint8_t *at)
{
	memcpy(at, "\\ufffd", 6);
	return 6;
}

/* A backslash and what belongs to it: its length, or STEP_WAIT. */
static int
escape(uint8_t *at, size_t left)
{
	switch (escape_kind(at, left)) {
	case ESCAPE_CUT:
		return STEP_WAIT;
	case ESCAPE_OTHER:
		return 6;
	case ESCAPE_LOW:
		return replace(at);
	case ESCAPE_HIGH:
		break;
	case ESCAPE_NONE:
		/* \n and the like; an odd byte is looked at for itself */
		return at[1] == '\\' || !is_odd(at[1]) ? 2 : 1;
	}
	switch (escape_kind(at + 6, left - 6)) {
	case ESCAPE_CUT:
		return STEP_WAIT;
	case ESCAPE_LOW:
		return 12;
	default:
		return replace(at);
	}
}

static int
step(uint8_t *at, size_t left)
{
	if (at[0] == '\\')
		return escape(at, left);
	if (at[0] >= 0x80)
		return character(at, left);
	return is_odd(at[0]) ? STEP_BAD : 1;
}

size_t
mend_text(uint8_t *text, size_t len, enum mend_end *end_out)
{
	size_t i = skip_plain(text, len, 0);

	*end_out = MEND_MORE;
	while (i < len) {
		int stepped = step(text + i, len - i);

		if (stepped == STEP_BAD)
			*end_out =
			    text[i] >= 0x80 ? MEND_BAD_UTF8 : MEND_BAD_SPACE;
		if (stepped <= 0)
			break;
		i += (size_t)stepped;
		/* odd bytes come in runs: a block is not worth a try there */
		if (i < len && !is_odd(text[i]))
			i = skip_plain(text, len, i);
	}
	return i;
}
