#include <criterion/criterion.h>

#include "client/quantity.h"
#include "tests/unit/client/rendered.h"

static void
assert_scaled(const char *unit, uint64_t most, uint64_t value, const char *want)
{
	struct scale scale = quantity_scale(span_str(unit), most);
	struct strbuf sb = {0};

	quantity_put(&sb, &scale, value);
	strbuf_printf(&sb, " %s", scale.unit);
	assert_text(&sb, want);
}

Test(quantity, a_column_has_one_unit_by_its_largest_value)
{
	assert_scaled("microseconds", 9999, 80, "80 µs");
	assert_scaled("microseconds", 10000, 80, "0.1 ms");
	assert_scaled("microseconds", 10000000, 9990000, "9.99 s");
	assert_scaled("bytes", 10239, 17, "17 B");
	assert_scaled("bytes", 10240, 5120, "5.0 KiB");
	assert_scaled("bytes", UINT64_C(10) << 30, 1 << 30, "1.00 GiB");
	assert_scaled("count", UINT64_MAX, UINT64_MAX, "18446744073709551615 ");
}

Test(quantity, bytes_are_short)
{
	struct strbuf sb = {0};

	quantity_bytes(&sb, 1023);
	strbuf_puts(&sb, ", ");
	quantity_bytes(&sb, 1536);
	strbuf_puts(&sb, ", ");
	quantity_bytes(&sb, UINT64_MAX);
	assert_text(&sb, "1023 B, 1.5 KiB, 16.0 EiB");
}

Test(quantity, a_share_is_of_something_and_not_more_than_all)
{
	struct strbuf sb = {0};

	quantity_share(&sb, 1, 3);
	strbuf_puts(&sb, " ");
	quantity_share(&sb, 0, 0);
	strbuf_puts(&sb, " ");
	quantity_share(&sb, 4, 3);
	assert_text(&sb, "33.3% - -");
}
