/*
 * Picks units so that a column has three to six digits before its point.
 */
#include "client/quantity.h"

#include <inttypes.h>
#include <stddef.h>

struct step {
	uint64_t from; /* the smallest largest value it is used for */
	struct scale scale;
};

/* From large to small; the last fits everything. */
static const struct step times[] = {
    {10000000, {"s", 1e6, 2}},
    {10000, {"ms", 1e3, 1}},
    {0, {"\xc2\xb5s", 1, 0}},
};

static const struct step sizes[] = {
    {UINT64_C(10) << 30, {"GiB", 1073741824.0, 2}},
    {UINT64_C(10) << 20, {"MiB", 1048576.0, 2}},
    {UINT64_C(10) << 10, {"KiB", 1024.0, 1}},
    {0, {"B", 1, 0}},
};

struct scale
quantity_scale(struct span unit, uint64_t most)
{
	const struct step *step;

	if (span_is(unit, "microseconds"))
		step = times;
	else if (span_is(unit, "bytes"))
		step = sizes;
	else
		return (struct scale){"", 1, 0};
	while (most < step->from)
		step++;
	return step->scale;
}

void
quantity_put(struct strbuf *sb, const struct scale *scale, uint64_t value)
{
	if (scale->decimals == 0)
		strbuf_printf(sb, "%" PRIu64, value);
	else
		strbuf_printf(sb, "%.*f", scale->decimals,
			      (double)value / scale->divisor);
}

void
quantity_bytes(struct strbuf *sb, uint64_t bytes)
{
	static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
					    "TiB", "PiB", "EiB"};
	double value = (double)bytes;
	size_t i = 0;

	while (value >= 1024.0 && i + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1024.0;
		i++;
	}
	strbuf_printf(sb, "%.*f %s", i == 0 ? 0 : 1, value, units[i]);
}

void
quantity_share(struct strbuf *sb, uint64_t part, uint64_t whole)
{
	if (whole == 0 || part > whole)
		strbuf_puts(sb, "-");
	else
		strbuf_printf(sb, "%.1f%%",
			      (double)part * 100.0 / (double)whole);
}
