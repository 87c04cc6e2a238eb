/*
 * How a call, a job or a request ended. The values, their public names, exit
 * statuses and texts are one table, status.def; the reasons within a status
 * are another, reason.def.
 */
#ifndef PROTO_STATUS_H
#define PROTO_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"

enum status {
#define STATUS(name, number, exit_code, whose, retryable, text) \
	ST_##name = number,
#include "proto/status.def"
#undef STATUS
	ST_COUNT
};

enum reason {
#define REASON(name, public_name, text) RE_##name,
#include "proto/reason.def"
#undef REASON
	RE_COUNT
};

enum fault {
	FAULT_NOBODY,
	FAULT_INPUT,
	FAULT_CLIENT,
	FAULT_SERVICE,
	FAULT_OURS,
};

#define NODISCARD __attribute__((warn_unused_result))

/* Passes a failure up when nothing needs undoing. */
#define TRY(call)                          \
	do {                               \
		enum status try_ = (call); \
		if (try_ != ST_OK)         \
			return try_;       \
	} while (0)

const char *status_name(enum status status);
const char *status_text(enum status status);
enum fault status_fault(enum status status);
bool status_retryable(enum status status);

/* The wire's number to a status; false when there is none. */
NODISCARD bool status_from_wire(uint16_t number, enum status *status_out);

/* The public name to a status; false when there is none. */
NODISCARD bool status_from_name(struct span name, enum status *status_out);

/* "" for RE_NONE. */
const char *reason_name(enum reason reason);
const char *reason_text(enum reason reason);
NODISCARD bool reason_from_wire(uint16_t number, enum reason *reason_out);

#endif
