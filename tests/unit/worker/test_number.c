/*
 * Numbers against the 128-bit arithmetic of this file, and at every edge of 64
 * bits in many spellings.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

#include "worker/json/number.h"

#define UNTOUCHED 4711

static void
expect_result(const char *text, enum number_result want, int64_t value)
{
	int64_t got = UNTOUCHED;
	enum number_result result = number_to_int64(span_str(text), &got);

	cr_assert_eq(result, want, "%s: %d", text, result);
	cr_assert_eq(got, want == NUMBER_OK ? value : UNTOUCHED, "%s: %" PRId64,
		     text, got);
}

static void
expect_int(const char *text, int64_t value)
{
	expect_result(text, NUMBER_OK, value);
}

Test(number, reads_every_spelling_of_an_integer)
{
	expect_int("0", 0);
	expect_int("-0", 0);
	expect_int("0.0", 0);
	expect_int("-0.00e5", 0);
	expect_int("7", 7);
	expect_int("-7", -7);
	expect_int("1.0", 1);
	expect_int("30E-1", 3);
	expect_int("1e2", 100);
	expect_int("1E+2", 100);
	expect_int("4e0", 4);
	expect_int("0.5e1", 5);
	expect_int("0.0025e4", 25);
	expect_int("100.00", 100);
	expect_int("12.50e1", 125);
	expect_int("1234567890123456789000e-3", INT64_C(1234567890123456789));
	expect_int("1607790378", 1607790378);
	expect_int("999999999999999999", INT64_C(999999999999999999));
	expect_int("-999999999999999999", -INT64_C(999999999999999999));
	expect_int("0e999", 0);
	expect_int("0e99999999999999999999999999", 0);
	expect_int("0e-99999999999999999999999999", 0);
	expect_int("1e00000000000000000000000002", 100);
}

Test(number, knows_the_edges_of_64_bits)
{
	expect_int("9223372036854775807", INT64_MAX);
	expect_int("-9223372036854775808", INT64_MIN);
	expect_int("9223372036854775807.000", INT64_MAX);
	expect_int("922337203685477580700e-2", INT64_MAX);
	expect_int("9.223372036854775807e18", INT64_MAX);
	expect_int("-9.223372036854775808e18", INT64_MIN);
	expect_int("1e18", INT64_C(1000000000000000000));
	expect_result("9223372036854775808", NUMBER_RANGE, 0);
	expect_result("-9223372036854775809", NUMBER_RANGE, 0);
	expect_result("9.223372036854775808e18", NUMBER_RANGE, 0);
	expect_result("9999999999999999999", NUMBER_RANGE, 0);
	expect_result("18446744073709551616", NUMBER_RANGE, 0);
	expect_result("1e19", NUMBER_RANGE, 0);
	expect_result("1e999", NUMBER_RANGE, 0);
	expect_result("-1e999", NUMBER_RANGE, 0);
	expect_result("1.5e999", NUMBER_RANGE, 0);
	expect_result("1e18446744073709551617", NUMBER_RANGE, 0);
	expect_result("1e99999999999999999999999999", NUMBER_RANGE, 0);
}

Test(number, tells_fractions_apart)
{
	expect_result("3.5", NUMBER_FRACTION, 0);
	expect_result("-0.1", NUMBER_FRACTION, 0);
	expect_result("1e-1", NUMBER_FRACTION, 0);
	expect_result("1e-999", NUMBER_FRACTION, 0);
	expect_result("1e-99999999999999999999999999", NUMBER_FRACTION, 0);
	expect_result("123456789012345678901234567890e-20", NUMBER_FRACTION, 0);
	expect_result("9223372036854775807.5", NUMBER_FRACTION, 0);
	expect_result("12.505e2", NUMBER_FRACTION, 0);
}

Test(number, does_not_look_behind_the_text)
{
	int64_t value;

	cr_assert_eq(number_to_int64(span_of("1234", 2), &value), NUMBER_OK);
	cr_assert_eq(value, 12);
	cr_assert_eq(number_to_int64(span_of("1.05", 3), &value), NUMBER_OK);
	cr_assert_eq(value, 1);
}

static void
expect_us(const char *text, enum number_result want, int64_t value)
{
	int64_t got = UNTOUCHED;
	enum number_result result = number_seconds_to_us(span_str(text), &got);

	cr_assert_eq(result, want, "%s: %d", text, result);
	cr_assert_eq(got, want == NUMBER_OK ? value : UNTOUCHED, "%s: %" PRId64,
		     text, got);
}

Test(number, turns_seconds_into_microseconds)
{
	expect_us("0", NUMBER_OK, 0);
	expect_us("1", NUMBER_OK, 1000000);
	expect_us("-2.5", NUMBER_OK, -2500000);
	expect_us("1388534400.123456", NUMBER_OK, 1388534400123456);
	expect_us("1388534400.1234564", NUMBER_OK, 1388534400123456);
	expect_us("1388534400.1234565", NUMBER_OK, 1388534400123457);
	expect_us("-1388534400.1234565", NUMBER_OK, -1388534400123457);
	expect_us("0.0000004", NUMBER_OK, 0);
	expect_us("0.0000005", NUMBER_OK, 1);
	expect_us("-0.0000005", NUMBER_OK, -1);
	expect_us("0.00000049999", NUMBER_OK, 0);
	expect_us("0.9999995", NUMBER_OK, 1000000);
	expect_us("5e-7", NUMBER_OK, 1);
	expect_us("5e-8", NUMBER_OK, 0);
	expect_us("1e-999", NUMBER_OK, 0);
	expect_us("1e3", NUMBER_OK, 1000000000);
	expect_us("9223372036854.775807", NUMBER_OK, INT64_MAX);
	expect_us("9223372036854.7758074", NUMBER_OK, INT64_MAX);
	expect_us("-9223372036854.775808", NUMBER_OK, INT64_MIN);
	expect_us("9223372036854.7758075", NUMBER_RANGE, 0);
	expect_us("9223372036854.775808", NUMBER_RANGE, 0);
	expect_us("99999999999999.9999999", NUMBER_RANGE, 0);
	expect_us("1e14", NUMBER_RANGE, 0);
	expect_us("1e999", NUMBER_RANGE, 0);
}

Test(number, finds_the_number_at_the_start)
{
	static const struct {
		const char *text;
		size_t len;
	} cases[] = {
	    {"", 0},	{"-", 0},     {"x", 0},	    {"+1", 0},	    {".5", 0},
	    {"0", 1},	{"01", 1},    {"-0", 2},    {"-01", 2},	    {"12", 2},
	    {"1.", 1},	{"1.5", 3},   {"1.5.5", 3}, {"1e", 1},	    {"1e+", 1},
	    {"1e5", 3}, {"1e-5]", 4}, {"1.e5", 1},  {"1.5E+07", 7}, {"1-1", 1},
	    {"--1", 0}, {"1e5e5", 3}, {"0x10", 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_eq(number_prefix(span_str(cases[i].text)),
			     cases[i].len, "%s", cases[i].text);
}

static uint64_t
next(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) +
		  UINT64_C(1442695040888963407);
	return *random >> 33;
}

/* Digits with a point after `before` of them and an exponent. */
static void
spell(char out[128], bool negative, const char *digits, size_t before,
      int exponent)
{
	size_t len = strlen(digits);
	size_t n = 0;

	if (negative)
		out[n++] = '-';
	if (before == 0)
		out[n++] = '0';
	n += (size_t)sprintf(out + n, "%.*s", (int)before, digits);
	if (before < len)
		n += (size_t)sprintf(out + n, ".%s", digits + before);
	if (exponent != 0)
		sprintf(out + n, "%s%d",
			next(&(uint64_t){(uint64_t)exponent}) % 2 ? "E" : "e",
			exponent);
}

/* digits * 10^scale by 128-bit arithmetic; the digits are at most 20 and the
 * scale is from -25 to 18, so that it fits. */
static enum number_result
slowly(bool negative, const char *digits, int scale, int64_t *value_out)
{
	unsigned __int128 value = 0, max = (unsigned __int128)INT64_MAX;

	for (const char *at = digits; *at != '\0'; at++)
		value = value * 10 + (unsigned)(*at - '0');
	for (; scale > 0 && value <= max + 1; scale--)
		value *= 10;
	for (; scale < 0; scale++) {
		if (value % 10 != 0)
			return NUMBER_FRACTION;
		value /= 10;
	}
	if (value > max + negative)
		return NUMBER_RANGE;
	*value_out = negative ? (int64_t) - (__int128)value : (int64_t)value;
	return NUMBER_OK;
}

Test(number, agrees_with_long_arithmetic)
{
	uint64_t random = 1;
	unsigned ok = 0;

	for (unsigned i = 0; i < 300000; i++) {
		char digits[32], text[128];
		size_t len = 1 + next(&random) % 20;
		size_t before;
		int exponent = (int)(next(&random) % 38) - 19;
		bool negative = next(&random) % 2;
		int64_t want = 0, got = 0;
		enum number_result result;

		for (size_t k = 0; k < len; k++)
			digits[k] = next(&random) % 3 == 0
					? '0'
					: (char)('0' + next(&random) % 10);
		digits[len] = '\0';
		before = digits[0] == '0' ? 0 : next(&random) % (len + 1);
		spell(text, negative, digits, before, exponent);
		cr_assert_eq(number_prefix(span_str(text)), strlen(text));
		result = slowly(negative, digits,
				exponent - (int)(len - before), &want);
		cr_assert_eq(number_to_int64(span_str(text), &got), result,
			     "%s", text);
		cr_assert_eq(got, want, "%s", text);
		ok += result == NUMBER_OK;
	}
	cr_assert_gt(ok, 50000);
}

Test(number, takes_time_by_the_text_alone)
{
	static char digits[1 << 20];
	int64_t value;

	memset(digits, '0', sizeof(digits));
	digits[0] = '1';
	digits[1] = '.';
	cr_assert_eq(number_to_int64(span_of(digits, sizeof(digits)), &value),
		     NUMBER_OK);
	cr_assert_eq(value, 1);
	digits[sizeof(digits) - 1] = '1';
	cr_assert_eq(number_to_int64(span_of(digits, sizeof(digits)), &value),
		     NUMBER_FRACTION);
	digits[1] = '0';
	cr_assert_eq(number_to_int64(span_of(digits, sizeof(digits)), &value),
		     NUMBER_RANGE);
	cr_assert_eq(number_seconds_to_us(span_of(digits, sizeof(digits)),
					  &value),
		     NUMBER_RANGE);
}

Test(number, knows_nothing_of_the_locale)
{
	static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8",
					     "de_DE", "C"};
	size_t i = 0;

	while (setlocale(LC_ALL, commas[i]) == NULL)
		i++;
	expect_int("1.0", 1);
	expect_us("0.5", NUMBER_OK, 500000);
	cr_assert_eq(number_prefix(span_str("1,5")), 1);
}
