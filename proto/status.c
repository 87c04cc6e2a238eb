/*
 * Looks up the tables of statuses and reasons.
 */
#include "proto/status.h"

#include <stddef.h>

#include "proto/bug.h"

struct status_row {
	const char *name;
	const char *text;
	enum fault fault;
	bool retryable;
};

static const struct status_row status_rows[ST_COUNT] = {
#define STATUS(name_, number, exit_code, whose, retryable_, text_) \
	[ST_##name_] = {.name = #name_,                            \
			.text = (text_),                           \
			.fault = FAULT_##whose,                    \
			.retryable = (retryable_)},
#include "proto/status.def"
#undef STATUS
};

static const char *const reason_names[RE_COUNT] = {
#define REASON(name, public_name, text) [RE_##name] = (public_name),
#include "proto/reason.def"
#undef REASON
};

static const char *const reason_texts[RE_COUNT] = {
#define REASON(name, public_name, text) [RE_##name] = (text),
#include "proto/reason.def"
#undef REASON
};

static const struct status_row *
row_of(enum status status)
{
	BUG_ON((unsigned)status >= ST_COUNT);
	return &status_rows[status];
}

const char *
status_name(enum status status)
{
	return row_of(status)->name;
}

const char *
status_text(enum status status)
{
	return row_of(status)->text;
}

enum fault
status_fault(enum status status)
{
	return row_of(status)->fault;
}

bool
status_retryable(enum status status)
{
	return row_of(status)->retryable;
}

bool
status_from_wire(uint16_t number, enum status *status_out)
{
	if (number >= ST_COUNT)
		return false;
	*status_out = (enum status)number;
	return true;
}

bool
status_from_name(struct span name, enum status *status_out)
{
	for (unsigned i = 0; i < ST_COUNT; i++) {
		if (span_is(name, status_rows[i].name)) {
			*status_out = (enum status)i;
			return true;
		}
	}
	return false;
}

const char *
reason_name(enum reason reason)
{
	BUG_ON((unsigned)reason >= RE_COUNT);
	return reason_names[reason];
}

const char *
reason_text(enum reason reason)
{
	BUG_ON((unsigned)reason >= RE_COUNT);
	return reason_texts[reason];
}

bool
reason_from_wire(uint16_t number, enum reason *reason_out)
{
	if (number >= RE_COUNT)
		return false;
	*reason_out = (enum reason)number;
	return true;
}
