/*
 * Looks up the table of limits and reads their values as people write them.
 */
#include "proto/limits.h"

#include <ctype.h>
#include <stddef.h>

#include "proto/bug.h"

struct limit_row {
	const char *name; /* upper case, as in the table */
	const char *why;
	uint64_t normal, ceiling, floor;
	enum limit_unit unit;
};

static const struct limit_row limit_rows[LIMIT_COUNT] = {
#define LIMIT(name_, default_, ceiling_, floor_, unit_, why_) \
	[LIMIT_##name_] = {.name = #name_,                    \
			   .why = (why_),                     \
			   .normal = (default_),              \
			   .ceiling = (ceiling_),             \
			   .floor = (floor_),                 \
			   .unit = LIMIT_UNIT_##unit_},
#include "proto/limits.def"
#undef LIMIT
};

/* The public names: the table's, in lower case, written once at first use. */
static char public_names[LIMIT_COUNT][32];

static const struct limit_row *
row_of(enum limit limit)
{
	BUG_ON((unsigned)limit >= LIMIT_COUNT);
	return &limit_rows[limit];
}

const char *
limit_name(enum limit limit)
{
	const char *name = row_of(limit)->name;
	char *out = public_names[limit];

	if (out[0] == '\0') {
		BUG_ON(strlen(name) >= sizeof(public_names[0]));
		for (size_t i = strlen(name) + 1; i-- > 0;)
			out[i] = (char)tolower((unsigned char)name[i]);
	}
	return out;
}

const char *
limit_why(enum limit limit)
{
	return row_of(limit)->why;
}

enum limit_unit
limit_unit(enum limit limit)
{
	return row_of(limit)->unit;
}

const char *
limit_unit_name(enum limit limit)
{
	static const char *const names[] = {
	    [LIMIT_UNIT_BYTES] = "bytes",
	    [LIMIT_UNIT_COUNT] = "count",
	    [LIMIT_UNIT_SECONDS] = "seconds",
	};

	return names[row_of(limit)->unit];
}

uint64_t
limit_default(enum limit limit)
{
	return row_of(limit)->normal;
}

uint64_t
limit_ceiling(enum limit limit)
{
	return row_of(limit)->ceiling;
}

uint64_t
limit_floor(enum limit limit)
{
	return row_of(limit)->floor;
}

bool
limit_from_name(struct span name, enum limit *limit_out)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		if (span_is(name, limit_name((enum limit)i))) {
			*limit_out = (enum limit)i;
			return true;
		}
	}
	return false;
}

bool
limit_is_time(enum limit limit)
{
	return limit < LIMIT_COUNT && row_of(limit)->unit == LIMIT_UNIT_SECONDS;
}

void
limits_default(struct limits *limits_out)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		limits_out->of[i] = limit_rows[i].normal;
}

/* The factor of a unit letter; 0 when it is none. */
static uint64_t
unit_factor(enum limit_unit unit, uint8_t letter)
{
	static const char letters[] = "KMGT";
	const char *at = strchr(letters, toupper(letter));
	uint64_t step = unit == LIMIT_UNIT_BYTES ? 1024 : 1000;
	uint64_t factor = 1;

	if (letter == '\0' || at == NULL)
		return 0;
	for (const char *p = letters; p <= at; p++)
		factor *= step;
	return factor;
}

bool
limit_parse(enum limit limit, struct span text, uint64_t *value_out)
{
	uint64_t value = 0, factor = 1;
	size_t i = 0;

	for (; i < text.len && isdigit(text.data[i]); i++) {
		unsigned digit = text.data[i] - (unsigned)'0';
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	if (i == 0 || text.len - i > 1)
		return false;
	if (i < text.len) {
		factor = unit_factor(row_of(limit)->unit, text.data[i]);
		if (factor == 0 || value > UINT64_MAX / factor)
			return false;
	}
	*value_out = value * factor;
	return true;
}

int
status_exit_code(enum status status, enum limit limit)
{
	static const int codes[ST_COUNT] = {
#define STATUS(name, number, exit_code, whose, retryable, text) \
	[ST_##name] = (exit_code),
#include "proto/status.def"
#undef STATUS
	};

	BUG_ON((unsigned)status >= ST_COUNT);
	if (status == ST_LIMIT_EXCEEDED && limit_is_time(limit))
		return codes[ST_CANCELLED];
	return codes[status];
}
