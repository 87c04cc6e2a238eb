/*
 * Whole messages to and from a service. The only module that knows ZeroMQ.
 */
#ifndef CLIENT_CONNECT_H
#define CLIENT_CONNECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/envelope.h"
#include "proto/span.h"
#include "proto/status.h"

struct connection {
	void *context; /* owned: ZeroMQ's */
	void *socket;  /* owned: ZeroMQ's */
};

/* path is an absolute socket path. Succeeds before anybody listens there. */
NODISCARD bool connection_open(struct connection *c, const char *path);

/* Waits for what was sent last for a fifth of a second at most. */
void connection_close(struct connection *c);

/* False when nobody took enough messages for a while; the message is lost,
 * as it may be in any case. */
bool connection_send(struct connection *c, struct span message);

/*
 * Waits for a reply, for `fd` (unless -1) to become readable, or for a signal
 * (interrupt.h), for timeout_ms at most. True when connection_receive may
 * have something.
 */
bool connection_wait(struct connection *c, int fd, uint64_t timeout_ms);

/* True when there was a message that is a reply; the caller frees it. Others
 * are dropped. */
bool connection_receive(struct connection *c, struct envelope *envelope_out);

#endif
