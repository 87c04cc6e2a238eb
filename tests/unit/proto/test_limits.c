/*
 * The table of limits, and their values as people write them.
 */
#include <criterion/criterion.h>

#include "proto/limits.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

Test(limits, numbers_and_names_are_those_once_given_out)
{
	const char *names[LIMIT_COUNT];

	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		names[i] = limit_name((enum limit)i);
	golden_list("limits.txt", NULL, names, 0, LIMIT_COUNT);
}

Test(limits, lie_in_order_floor_default_ceiling)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		enum limit limit = (enum limit)i;

		cr_assert_leq(limit_floor(limit), limit_default(limit), "%s",
			      limit_name(limit));
		cr_assert_leq(limit_default(limit), limit_ceiling(limit), "%s",
			      limit_name(limit));
		cr_assert_lt(limit_ceiling(limit), INT64_MAX,
			     "%s is shown as a JSON number", limit_name(limit));
	}
}

Test(limits, have_the_documented_defaults)
{
	cr_assert_eq(limit_default(LIMIT_MAX_INPUT_BYTES), 64 * GIB);
	cr_assert_eq(limit_default(LIMIT_MAX_DECODED_BYTES), 256 * GIB);
	cr_assert_eq(limit_default(LIMIT_MAX_NODES), 20000000);
	cr_assert_eq(limit_default(LIMIT_MAX_SAMPLES), 2000000000);
	cr_assert_eq(limit_default(LIMIT_MAX_FRAMES), 1000000);
	cr_assert_eq(limit_default(LIMIT_MAX_DEPTH), 200000);
	cr_assert_eq(limit_default(LIMIT_MAX_TOKEN_BYTES), MIB);
	cr_assert_eq(limit_default(LIMIT_MAX_WINDOW_BYTES), 128 * MIB);
	cr_assert_eq(limit_default(LIMIT_MAX_ROWS), 1000);
	cr_assert_eq(limit_ceiling(LIMIT_MAX_ROWS), 100000);
	cr_assert_eq(limit_default(LIMIT_MAX_RESULT_BYTES), 16 * MIB);
	cr_assert_eq(limit_ceiling(LIMIT_MAX_RESULT_BYTES), 128 * MIB);
	cr_assert_eq(limit_default(LIMIT_MAX_STRING_BYTES), 4 * KIB);
	cr_assert_eq(limit_default(LIMIT_MEMORY_BYTES), GIB);
	cr_assert_eq(limit_default(LIMIT_CPU_SECONDS), 3600);
	cr_assert_eq(limit_default(LIMIT_WALL_SECONDS), 7200);
	cr_assert_eq(limit_default(LIMIT_STALL_SECONDS), 60);
}

Test(limits, a_document_may_nest_as_deep_as_the_deepest_tree_needs)
{
	cr_assert_eq(limit_default(LIMIT_MAX_JSON_DEPTH),
		     2 * limit_default(LIMIT_MAX_DEPTH) + 64);
	cr_assert_eq(limit_ceiling(LIMIT_MAX_JSON_DEPTH),
		     2 * limit_ceiling(LIMIT_MAX_DEPTH) + 64);
}

Test(limits, all_defaults_are_filled_in)
{
	struct limits limits = {0};

	limits_default(&limits);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		cr_assert_eq(limits.of[i], limit_default((enum limit)i));
}

Test(limits, each_says_why_it_is_there_and_what_it_counts)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		const char *unit = limit_unit_name((enum limit)i);

		cr_assert_str_not_empty(limit_why((enum limit)i));
		cr_assert(strcmp(unit, "bytes") == 0 ||
			  strcmp(unit, "count") == 0 ||
			  strcmp(unit, "seconds") == 0);
		cr_assert_eq(limit_is_time((enum limit)i),
			     strcmp(unit, "seconds") == 0);
	}
	cr_assert_not(limit_is_time(LIMIT_NONE));
}

Test(limits, are_found_by_their_public_name_only)
{
	enum limit limit = LIMIT_MAX_ROWS;

	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		cr_assert(limit_from_name(span_str(limit_name((enum limit)i)),
					  &limit));
		cr_assert_eq(limit, i);
	}
	limit = LIMIT_MAX_ROWS;
	cr_assert_not(limit_from_name(span_str(""), &limit));
	cr_assert_not(limit_from_name(span_str("MAX_NODES"), &limit));
	cr_assert_not(limit_from_name(span_str("max_node"), &limit));
	cr_assert_not(limit_from_name(span_str("max_nodess"), &limit));
	cr_assert_eq(limit, LIMIT_MAX_ROWS, "the output stays untouched");
}

struct spelling {
	enum limit limit;
	const char *text;
	uint64_t value;
};

Test(limit_parse, reads_digits_and_one_letter_of_the_units_own_size)
{
	static const struct spelling good[] = {
	    {LIMIT_MAX_NODES, "0", 0},
	    {LIMIT_MAX_NODES, "7200", 7200},
	    {LIMIT_MAX_NODES, "007", 7},
	    {LIMIT_MAX_NODES, "40M", 40000000},
	    {LIMIT_MAX_NODES, "40m", 40000000},
	    {LIMIT_MAX_NODES, "1K", 1000},
	    {LIMIT_MAX_NODES, "0T", 0},
	    {LIMIT_WALL_SECONDS, "2k", 2000},
	    {LIMIT_MEMORY_BYTES, "1K", 1024},
	    {LIMIT_MEMORY_BYTES, "1k", 1024},
	    {LIMIT_MEMORY_BYTES, "3M", 3 * MIB},
	    {LIMIT_MEMORY_BYTES, "5G", 5 * GIB},
	    {LIMIT_MEMORY_BYTES, "2t", 2 * TIB},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint64_t value = 99;

		cr_assert(limit_parse(good[i].limit, span_str(good[i].text),
				      &value),
			  "%s", good[i].text);
		cr_assert_eq(value, good[i].value, "%s", good[i].text);
	}
}

Test(limit_parse, refuses_every_other_spelling)
{
	static const char *const bad[] = {"",	    "K",    "-1",  "+1",
					  " 1",	    "1 ",   "1.5", "1e3",
					  "0x10",   "1KB",  "1KK", "1P",
					  "1_0",    "1,",   "G1",  "1\n",
					  "12\xc3", "\xb2", "1Ki", "inf",
					  "1\x4f",  "1\xcb"};
	uint64_t value = 99;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(limit_parse(LIMIT_MEMORY_BYTES, span_str(bad[i]),
					  &value),
			      "%s", bad[i]);
	cr_assert_not(
	    limit_parse(LIMIT_MEMORY_BYTES, span_of("1\0", 2), &value));
	cr_assert_not(
	    limit_parse(LIMIT_MEMORY_BYTES, span_of(NULL, 0), &value));
	cr_assert_eq(value, 99, "the output stays untouched");
}

Test(limit_parse, reads_up_to_64_bits_and_refuses_more)
{
	static const struct spelling edges[] = {
	    {LIMIT_MEMORY_BYTES, "18446744073709551615", UINT64_MAX},
	    {LIMIT_MEMORY_BYTES, "18014398509481983K", UINT64_MAX - 1023},
	    {LIMIT_MEMORY_BYTES, "16777215T", 16777215 * TIB},
	    {LIMIT_MAX_NODES, "18446744073709551K", 18446744073709551000U},
	    {LIMIT_MAX_NODES, "18446744T", 18446744000000000000U},
	};
	static const char *const bytes[] = {"18446744073709551616",
					    "18446744073709551620",
					    "99999999999999999999",
					    "184467440737095516150",
					    "18014398509481984K",
					    "16777216T"};
	static const char *const counts[] = {"18446744073709552K", "18446745T"};
	uint64_t value = 0;

	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		cr_assert(limit_parse(edges[i].limit, span_str(edges[i].text),
				      &value));
		cr_assert_eq(value, edges[i].value, "%s", edges[i].text);
	}
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		cr_assert_not(limit_parse(LIMIT_MEMORY_BYTES,
					  span_str(bytes[i]), &value),
			      "%s", bytes[i]);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		cr_assert_not(limit_parse(LIMIT_MAX_NODES, span_str(counts[i]),
					  &value),
			      "%s", counts[i]);
}

Test(status_exit_code, is_the_documented_one)
{
	static const struct {
		enum status status;
		int code;
	} rows[] = {
	    {ST_OK, 0},
	    {ST_INVALID_REQUEST, 2},
	    {ST_CAPABILITY_UNAVAILABLE, 3},
	    {ST_PROCESS_FAILED, 4},
	    {ST_ARTIFACT_PARSE_FAILED, 5},
	    {ST_UNSUPPORTED_FORMAT, 5},
	    {ST_ARTIFACT_CHANGED, 5},
	    {ST_COMPARISON_INVALID, 6},
	    {ST_BUSY, 7},
	    {ST_FRONT_LOST, 7},
	    {ST_CANCELLED, 8},
	    {ST_UNAUTHORIZED, 9},
	    {ST_WORKER_CRASHED, 70},
	    {ST_INTERNAL_ERROR, 70},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(status_exit_code(rows[i].status, LIMIT_NONE),
			     rows[i].code, "%s", status_name(rows[i].status));
}

Test(status_exit_code, of_a_limit_on_time_is_that_of_a_time_out)
{
	cr_assert_eq(status_exit_code(ST_LIMIT_EXCEEDED, LIMIT_WALL_SECONDS),
		     8);
	cr_assert_eq(status_exit_code(ST_LIMIT_EXCEEDED, LIMIT_CPU_SECONDS), 8);
	cr_assert_eq(status_exit_code(ST_LIMIT_EXCEEDED, LIMIT_STALL_SECONDS),
		     8);
	cr_assert_eq(status_exit_code(ST_LIMIT_EXCEEDED, LIMIT_MEMORY_BYTES),
		     5);
	cr_assert_eq(status_exit_code(ST_BUSY, LIMIT_WALL_SECONDS), 7);
}

static void
limit_beyond_the_table(void)
{
	(void)limit_default(LIMIT_NONE);
}

Test(limits, asking_for_no_limit_is_our_bug)
{
	cr_assert(dies(limit_beyond_the_table));
}
