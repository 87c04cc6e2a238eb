/*
 * Where the service is: what the user said, else the usual places, else
 * nowhere, and then a private one is started.
 */
#ifndef CLIENT_ENDPOINT_H
#define CLIENT_ENDPOINT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "proto/status.h"

#define ENDPOINT_SYSTEM "/run/extractd/extractd.sock"

enum endpoint_kind {
	ENDPOINT_NAMED, /* by the option or the environment */
	ENDPOINT_FOUND, /* a service listens at a usual place */
	ENDPOINT_NONE,
};

struct endpoint {
	enum endpoint_kind kind;
	char path[PATH_MAX]; /* of the socket; "" for none */
};

/*
 * option is the value of --endpoint, NULL when it was not given. False when
 * the endpoint that was named cannot be one; *why_out then says it.
 */
NODISCARD bool endpoint_choose(const char *option,
			       struct endpoint *endpoint_out,
			       const char **why_out);

/* True when the socket's folder is there and closed to us; then its owner, who
 * alone may use the service. */
bool endpoint_is_closed(const char *path, uid_t *owner_out);

/* 0 when something listens on the socket, else errno's value. */
int endpoint_probe(const char *path);

#endif
