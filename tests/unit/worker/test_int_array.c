/*
 * The second cursor, over inputs in memory that come in chunks of every size.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "worker/json/int_array.h"

#define CHUNKS_MAX 31
#define VALUES_MAX 4096

struct reading {
	enum status status;
	enum reason reason;
	size_t len;
	int64_t values[2 * VALUES_MAX + 1];
};

/* How many elements are asked for at a time. */
static const size_t at_once[] = {1, 2, 100, VALUES_MAX + 1};
#define WAYS (sizeof(at_once) / sizeof(at_once[0]))

/* Reads the array whose bracket is the first byte of text. */
static void
read_array(struct span text, size_t chunk, size_t max, struct reading *got)
{
	struct arena arena;
	struct failure failure = {0};
	struct limits limits;
	struct input input = {0};
	struct int_array array;
	size_t n;

	*got = (struct reading){0};
	arena_init(&arena, 64 * MIB);
	limits_default(&limits);
	cr_assert_eq(input_open_memory(&input, &arena, text, chunk, &limits,
				       false, &failure),
		     ST_OK);
	cr_assert_eq(input_skip_to(&input, 1), ST_OK);
	int_array_init(&array, &input);
	do {
		got->status =
		    int_array_next(&array, got->values + got->len, max, &n);
		if (got->status == ST_OK)
			got->len += n;
		cr_assert_leq(got->len, (size_t)VALUES_MAX);
	} while (got->status == ST_OK && n == max);
	if (got->status != ST_OK) {
		cr_assert_eq(failure.status, got->status);
		got->reason = failure.reason;
	}
	input_close(&input);
	arena_fini(&arena);
}

static void
expect_values(const char *text, const int64_t *values, size_t len)
{
	static struct reading got;

	for (size_t i = 0; i < WAYS * (CHUNKS_MAX + 1); i++) {
		size_t chunk = i / WAYS;

		read_array(span_str(text), chunk, at_once[i % WAYS], &got);
		cr_assert_eq(got.status, ST_OK, "%s by %zu", text, chunk);
		cr_assert_eq(got.len, len, "%s by %zu", text, chunk);
		for (size_t j = 0; j < len; j++)
			cr_assert_eq(got.values[j], values[j],
				     "%s by %zu: %" PRId64, text, chunk,
				     got.values[j]);
	}
}

/* Changed, after so many good values. */
static void
expect_changed(const char *text, size_t len)
{
	static struct reading got;

	for (size_t i = 0; i < WAYS * (CHUNKS_MAX + 1); i++) {
		size_t chunk = i / WAYS, max = at_once[i % WAYS];

		read_array(span_str(text), chunk, max, &got);
		cr_assert_eq(got.status, ST_ARTIFACT_CHANGED, "%s by %zu", text,
			     chunk);
		cr_assert_eq(got.reason, RE_CHANGED_WHILE_READ);
		cr_assert_eq(got.len, len / max * max, "%s by %zu: %zu", text,
			     chunk, got.len);
	}
}

Test(int_array, reads_plain_integers)
{
	static const int64_t values[] = {1,
					 -2,
					 0,
					 300,
					 INT64_C(999999999999999999),
					 -INT64_C(999999999999999999),
					 INT64_MAX,
					 INT64_MIN,
					 7};

	expect_values("[1,-2,0,300,999999999999999999,-999999999999999999,"
		      "9223372036854775807,-9223372036854775808,7]}",
		      values, 9);
}

Test(int_array, reads_other_spellings_and_white_space)
{
	static const int64_t values[] = {0, 100, 3, -25, 12, 5};

	expect_values("[ -0 ,\n1e2,\t30E-1 , -2.5e+1,12.000\r, 0.5e1 ] ",
		      values, 6);
}

Test(int_array, reads_an_empty_array)
{
	expect_values("[]", NULL, 0);
	expect_values("[ \n ],[1]", NULL, 0);
}

Test(int_array, stops_at_whatever_is_not_such_an_array)
{
	static const struct {
		const char *text;
		size_t len;
	} cases[] = {
	    {"[", 0},
	    {"[1", 0},
	    {"[1,", 1},
	    {"[1,]", 1},
	    {"[,1]", 0},
	    {"[1,,2]", 1},
	    {"[1 2]", 1},
	    {"[1:2]", 1},
	    {"[1}", 1},
	    {"[x]", 0},
	    {"[null]", 0},
	    {"[\"1\"]", 0},
	    {"[[1]]", 0},
	    {"[1,{}]", 1},
	    {"[01]", 0},
	    {"[-]", 0},
	    {"[--1]", 0},
	    {"[+1]", 0},
	    {"[1.]", 0},
	    {"[.5]", 0},
	    {"[1e]", 0},
	    {"[1.5]", 0},
	    {"[1e-1]", 0},
	    {"[1e19]", 0},
	    {"[1-1]", 0},
	    {"[00]", 0},
	    {"[-01]", 0},
	    {"[1\v]", 1},
	    {"[9223372036854775808]", 0},
	    {"[5,-9223372036854775809,6]", 1},
	    {"[1,2", 1},
	    {"[0123456789012345678901234567890]", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_changed(cases[i].text, cases[i].len);
}

Test(int_array, takes_no_number_beyond_64_bytes)
{
	char text[128];

	/* 1.000…: 64 bytes are the most that the first reading takes */
	memset(text, '0', sizeof(text));
	memcpy(text, "[1.", 3);
	strcpy(text + 65, "]");
	expect_values(text, &(int64_t){1}, 1);
	memset(text + 65, '0', 1);
	strcpy(text + 66, "]");
	expect_changed(text, 0);
}

Test(int_array, reads_many_values_in_order)
{
	static struct reading got;
	static int64_t values[VALUES_MAX];
	char *text = malloc(VALUES_MAX * 24);
	size_t len = 1;
	uint64_t random = 3;

	text[0] = '[';
	for (size_t i = 0; i < VALUES_MAX; i++) {
		random = random * UINT64_C(6364136223846793005) + 1;
		values[i] = (int64_t)random >> (random >> 58);
		len += (size_t)sprintf(text + len, "%s%" PRId64,
				       i == 0 ? "" : ",", values[i]);
	}
	text[len++] = ']';
	for (size_t i = 0; i < WAYS * (CHUNKS_MAX + 1); i++) {
		read_array(span_of(text, len), i / WAYS, at_once[i % WAYS],
			   &got);
		cr_assert_eq(got.status, ST_OK);
		cr_assert_eq(got.len, (size_t)VALUES_MAX);
		cr_assert(memcmp(got.values, values, sizeof(values)) == 0);
	}
	free(text);
}
