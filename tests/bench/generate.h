/*
 * What the parts of bench-generate share: its types, its random numbers, and
 * its output. One program in one translation unit: each part is included once,
 * by generate.c.
 */
#ifndef TESTS_BENCH_GENERATE_H
#define TESTS_BENCH_GENERATE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 449
#define PICKS 8192
#define TOP 20
#define PENDING 16
#define START_US UINT64_C(607790378)
#define NONE UINT32_MAX

enum {
	ROOT,
	PROGRAM,
	IDLE,
	GC,
	VM_FRAMES
};

/* One in so many deltas is negative; 0 for none. */
struct shape {
	const char *name;
	bool is_heap;
	uint32_t frames;
	uint32_t depth_usual;
	uint32_t depth_max;
	uint32_t node_percent;
	uint32_t node_extra; /* bytes of a node beside its callFrame */
	uint32_t negative_every;
	uint32_t idle_of_256;
	uint64_t nodes_most;
};

/* How many there are of something that is an array. */
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum {
	HITS,
	SAMPLES,
	WALL,
	VALUES
};

struct frame {
	char *json; /* owned: the whole "callFrame" member */
	size_t json_len;
	char name[64]; /* as JSON text, escapes and all */
	char url[128];
	int line; /* 0-based, -1 for none */
	int column;
	bool is_used;
	uint64_t self[VALUES];
};

struct tree {
	uint64_t count;
	uint32_t *first; /* owned, all of them; node i has id i + 1 */
	uint32_t *last;
	uint32_t *next;
	uint32_t *hits; /* or bytes */
	uint16_t *frame;
};

struct gen {
	const struct shape *shape;
	uint64_t size;
	uint64_t seed;
	uint64_t nodes;
	uint64_t samples;
	uint64_t lost; /* heap samples that name no node */
	uint64_t end_us;
	uint32_t negative_below; /* a draw of 32 bits */
	struct frame *frames;
	uint16_t picks[PICKS];
	struct tree tree;
	uint64_t rand;
};

static char buf[1 << 20];
static size_t buf_len;
static uint64_t written;

static void
die(const char *what)
{
	fprintf(stderr, "bench-generate: %s\n", what);
	exit(2);
}

static void *
zeroed(uint64_t count, size_t size)
{
	void *p = calloc(count, size);

	if (p == NULL)
		die("out of memory");
	return p;
}

static uint64_t
rand_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint32_t
rand_below(uint64_t *state, uint64_t bound)
{
	return (uint32_t)(((rand_next(state) >> 32) * bound) >> 32);
}

/* -- output ---------------------------------------------------------------- */

static void
flush(void)
{
	if (fwrite(buf, 1, buf_len, stdout) != buf_len)
		die("cannot write");
	written += buf_len;
	buf_len = 0;
}

static void
put(const char *bytes, size_t len)
{
	if (len > sizeof buf - buf_len)
		flush();
	memcpy(buf + buf_len, bytes, len);
	buf_len += len;
}

static void
put_char(char c)
{
	if (buf_len == sizeof buf)
		flush();
	buf[buf_len++] = c;
}

static void
put_text(const char *text)
{
	put(text, strlen(text));
}

static unsigned
digits_of(uint64_t number)
{
	unsigned digits = 1;
	uint64_t bound = 10;

	while (digits < 19 && number >= bound) {
		bound *= 10;
		digits++;
	}
	return digits;
}

/* Every number of up to four digits, as it is written and with its zeros. */
static struct quad {
	char text[4];
	char padded[4];
} quads[10000];

static void
quads_make(void)
{
	char text[8];

	for (unsigned i = 0; i < 10000; i++) {
		snprintf(text, sizeof text, "%04u", i);
		memcpy(quads[i].padded, text, 4);
		memcpy(quads[i].text, text + 4 - digits_of(i), digits_of(i));
	}
}

static void
put_quad(uint32_t number)
{
	memcpy(buf + buf_len, quads[number].text, 4);
	buf_len += 1u + (number > 9) + (number > 99) + (number > 999);
}

static void
put_padded(uint32_t number)
{
	memcpy(buf + buf_len, quads[number].padded, 4);
	buf_len += 4;
}

/* Below 10^16, which holds for all that is written here. */
static void
put_uint(uint64_t number)
{
	uint64_t high = number / 100000000;
	uint32_t low = (uint32_t)(number % 100000000);

	if (sizeof buf - buf_len < 20)
		flush();
	if (number < 10000) {
		put_quad((uint32_t)number);
		return;
	}
	if (high >= 10000)
		put_quad((uint32_t)(high / 10000));
	if (high >= 10000)
		put_padded((uint32_t)(high % 10000));
	else if (high > 0)
		put_quad((uint32_t)high);
	if (high > 0)
		put_padded(low / 10000);
	else
		put_quad(low / 10000);
	put_padded(low % 10000);
}

static void
put_int(int64_t number)
{
	if (number < 0)
		put_char('-');
	put_uint((uint64_t)(number < 0 ? -number : number));
}

#endif
