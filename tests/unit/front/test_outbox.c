/*
 * JSON text within a cap.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "broker/front/outbox.h"

TestSuite(outbox);

Test(outbox, writes_values)
{
	static const uint8_t bytes[] = {0x00, 0xaf};
	struct outbox o;
	bool first = true;

	outbox_init(&o, 200);
	outbox_comma(&o, &first);
	outbox_string(&o, span_str("a\"\x01"));
	outbox_comma(&o, &first);
	outbox_u64(&o, UINT64_MAX);
	outbox_raw(&o, " ");
	outbox_i64(&o, INT64_MIN);
	outbox_maybe(&o, (struct maybe){false, 7});
	outbox_maybe(&o, (struct maybe){true, -7});
	outbox_bool(&o, true);
	outbox_hex(&o, bytes, sizeof(bytes));
	outbox_string_or_null(&o, false, span_str("x"));
	cr_expect(span_is(outbox_span(&o),
			  "\"a\\\"\\u0001\",18446744073709551615 "
			  "-9223372036854775808null-7true\"00af\"null"));
	outbox_fini(&o);
}

Test(outbox, holds_its_cap_to_the_byte)
{
	for (size_t cap = 0; cap < 20; cap++) {
		struct outbox o;

		outbox_init(&o, cap);
		outbox_raw(&o, "0123456789");
		cr_expect_eq(o.failed, cap < 10);
		cr_expect_eq(o.len, cap < 10 ? 0 : 10);
		outbox_string(&o, span_str("ab"));
		cr_expect_eq(o.failed, cap < 14);
		cr_expect_leq(o.len, cap);
		outbox_fini(&o);
	}
}

Test(outbox, takes_nothing_after_it_failed)
{
	struct outbox o;

	outbox_init(&o, 4);
	outbox_raw(&o, "12345");
	outbox_raw(&o, "1");
	cr_expect(o.failed);
	cr_expect_eq(o.len, 0);
	outbox_fini(&o);
}

Test(outbox, grows_to_any_size)
{
	struct outbox o;

	outbox_init(&o, 1000003);
	for (int i = 0; i < 1000003; i++)
		outbox_raw(&o, "x");
	cr_expect_not(o.failed);
	outbox_raw(&o, "x");
	cr_expect(o.failed);
	cr_expect_eq(o.len, 1000003);
	outbox_fini(&o);
}

Test(outbox, trims_what_it_does_not_use)
{
	struct outbox o;

	outbox_init(&o, 4096);
	outbox_raw(&o, "x");
	outbox_trim(&o);
	cr_expect_eq(o.size, 1);
	outbox_raw(&o, "yz");
	cr_expect(span_is(outbox_span(&o), "xyz"));
	outbox_fini(&o);
}
