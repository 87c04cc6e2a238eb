/*
 * A reply of the service, taken apart and checked: what it is, which request
 * and job it belongs to, and the object it carries.
 */
#ifndef CLIENT_ENVELOPE_H
#define CLIENT_ENVELOPE_H

#include <stdint.h>

#include "client/document.h"
#include "proto/limits.h"
#include "proto/status.h"

#define JOB_ID_BYTES 18	    /* "j-" and 16 hex digits */
#define DOOR_PATH_BYTES 108 /* what a socket's address can hold */

enum envelope_type {
	ENVELOPE_OTHER, /* a type this client does not know */
	ENVELOPE_ACCEPTED,
	ENVELOPE_PROGRESS,
	ENVELOPE_PENDING,
	ENVELOPE_RESULT,
	ENVELOPE_ERROR,
	ENVELOPE_OK,
	ENVELOPE_STATUS,
	ENVELOPE_FORMATS,
	ENVELOPE_LIMITS,
	ENVELOPE_JOBS,
	ENVELOPE_VERSION,
	ENVELOPE_COUNT
};

struct envelope {
	uint8_t *bytes; /* owned: the message */
	struct document doc;
	enum envelope_type type;
	struct span id;		  /* the request's, "" when there was none */
	struct span job;	  /* "j-…", "" when it is about none */
	const struct value *body; /* the object under the type's own name */
};

/* Takes *bytes (heap) over, in any case. False when it is not a reply. */
NODISCARD bool envelope_read(uint8_t **bytes, size_t len,
			     struct envelope *envelope_out);

void envelope_free(struct envelope *envelope);

/* Of an accepted job. */
struct acceptance {
	char job[JOB_ID_BYTES + 1];
	char door[DOOR_PATH_BYTES]; /* absolute */
	uint8_t ticket[TICKET_BYTES];
};
NODISCARD bool envelope_acceptance(const struct envelope *envelope,
				   struct acceptance *acceptance_out);

/* What an error object says; unknown codes count as a fault of ours. */
struct error_view {
	enum status status;
	enum limit limit; /* LIMIT_NONE when it names none */
	uint64_t retry_after_ms;
};
void error_view(const struct value *error, struct error_view *view_out);

#endif
