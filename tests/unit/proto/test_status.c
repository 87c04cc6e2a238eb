/*
 * The tables of statuses and reasons: complete, unique, and with the numbers
 * that were given out once.
 */
#include <criterion/criterion.h>

#include "proto/status.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

Test(status, numbers_and_names_are_those_once_given_out)
{
	const char *names[ST_COUNT];

	for (unsigned i = 0; i < ST_COUNT; i++)
		names[i] = status_name((enum status)i);
	golden_list("status.txt", NULL, names, 0, ST_COUNT);
}

Test(status, every_number_has_a_name_of_its_own_and_a_text)
{
	for (unsigned i = 0; i < ST_COUNT; i++) {
		const char *name = status_name((enum status)i);

		cr_assert_not_null(name, "number %u is a hole", i);
		cr_assert_str_not_empty(status_text((enum status)i));
		for (unsigned k = 0; k < i; k++)
			cr_assert_str_neq(name, status_name((enum status)k));
	}
}

Test(status, is_found_by_its_name_and_by_its_number)
{
	for (unsigned i = 0; i < ST_COUNT; i++) {
		enum status by_name = ST_COUNT, by_number = ST_COUNT;

		cr_assert(
		    status_from_name(span_str(status_name((enum status)i)),
				     &by_name));
		cr_assert(status_from_wire((uint16_t)i, &by_number));
		cr_assert_eq(by_name, i);
		cr_assert_eq(by_number, i);
	}
}

Test(status, is_not_found_by_a_name_that_none_has)
{
	static const char *const names[] = {"", "ok", "OK ", "BUS", "BUSYY"};
	enum status status = ST_BUSY;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_assert_not(status_from_name(span_str(names[i]), &status));
	cr_assert_eq(status, ST_BUSY, "the output stays untouched");
}

Test(status, is_not_found_by_a_number_beyond_the_table)
{
	enum status status = ST_BUSY;

	for (unsigned i = ST_COUNT; i <= UINT16_MAX; i++)
		cr_assert_not(status_from_wire((uint16_t)i, &status));
	cr_assert_eq(status, ST_BUSY);
}

Test(status, success_is_nobodys_fault_and_only_success)
{
	for (unsigned i = 0; i < ST_COUNT; i++)
		cr_assert_eq(status_fault((enum status)i) == FAULT_NOBODY,
			     i == ST_OK);
}

Test(status, neither_a_bad_input_of_itself_nor_a_bug_is_retried)
{
	cr_assert(status_retryable(ST_BUSY));
	cr_assert(status_retryable(ST_FRONT_LOST));
	cr_assert_not(status_retryable(ST_OK));
	cr_assert_not(status_retryable(ST_ARTIFACT_PARSE_FAILED));
	for (unsigned i = 0; i < ST_COUNT; i++)
		if (status_fault((enum status)i) == FAULT_OURS)
			cr_assert_not(status_retryable((enum status)i));
}

static void
name_beyond_the_table(void)
{
	(void)status_name(ST_COUNT);
}

static void
reason_beyond_the_table(void)
{
	(void)reason_name(RE_COUNT);
}

Test(status, asking_beyond_the_tables_is_our_bug)
{
	cr_assert(dies(name_beyond_the_table));
	cr_assert(dies(reason_beyond_the_table));
}

static enum status
tries(enum status status)
{
	TRY(status);
	return ST_BUSY;
}

Test(status, try_passes_a_failure_up_and_goes_on_after_success)
{
	cr_assert_eq(tries(ST_EMPTY_INPUT), ST_EMPTY_INPUT);
	cr_assert_eq(tries(ST_OK), ST_BUSY);
}

Test(reason, numbers_and_names_are_those_once_given_out)
{
	const char *names[RE_COUNT];

	for (unsigned i = 0; i < RE_COUNT; i++)
		names[i] = reason_name((enum reason)i);
	golden_list("reasons.txt", NULL, names, 0, RE_COUNT);
}

Test(reason, every_one_but_none_has_a_name_of_its_own_and_a_text)
{
	cr_assert_str_empty(reason_name(RE_NONE));
	for (unsigned i = RE_NONE + 1; i < RE_COUNT; i++) {
		const char *name = reason_name((enum reason)i);

		cr_assert_str_not_empty(name);
		cr_assert_str_not_empty(reason_text((enum reason)i));
		for (unsigned k = 0; k < i; k++)
			cr_assert_str_neq(name, reason_name((enum reason)k));
	}
}

Test(reason, is_found_by_its_number_and_by_no_other)
{
	enum reason reason = RE_CYCLE;

	for (unsigned i = RE_COUNT; i <= UINT16_MAX; i++)
		cr_assert_not(reason_from_wire((uint16_t)i, &reason));
	cr_assert_eq(reason, RE_CYCLE);
	for (unsigned i = 0; i < RE_COUNT; i++) {
		cr_assert(reason_from_wire((uint16_t)i, &reason));
		cr_assert_eq(reason, i);
	}
}
