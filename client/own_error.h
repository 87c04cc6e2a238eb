/*
 * Errors that the client finds by itself, in the shape of the service's, so
 * that they are shown and printed alike and keep their place in the output.
 */
#ifndef CLIENT_OWN_ERROR_H
#define CLIENT_OWN_ERROR_H

#include "client/envelope.h"

struct own_error {
	enum status status;
	enum reason reason;
	const char *message;
	struct span name;   /* the artifact's; may be empty */
	const char *action; /* NULL: no remedy */
	const char *text;
};

/* An error reply; the caller frees it. */
void own_error(const struct own_error *error, struct envelope *envelope_out);

#endif
