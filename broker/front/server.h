/*
 * The API's socket: a ZeroMQ ROUTER on the listening socket that the
 * supervisor made. The only file of the broker that knows libzmq. It moves
 * whole messages and reads none of them.
 */
#ifndef FRONT_SERVER_H
#define FRONT_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"

#define PEER_ID_BYTES_MAX 255 /* of libzmq */

/* Who sent a message, to answer to. */
struct peer {
	bool delimiter; /* a REQ's empty frame, echoed */
	uint8_t id_len;
	uint8_t id[PEER_ID_BYTES_MAX];
};

enum sent {
	SENT_OK,
	SENT_FULL, /* the peer does not read, or too much is on its way */
	SENT_GONE, /* no such peer any more */
};

struct server;

/* NULL when the socket cannot be served. The socket stays the caller's. */
struct server *server_new(int listening_fd, const char *endpoint);

/* Waits up to a second for what was sent to go out. */
void server_free(struct server *server);

/* Readable when something may have changed: then, and after every send or
 * receive, server_has_message tells. */
int server_fd(struct server *server);
bool server_has_message(struct server *server);

/* One message, if there is one. Messages of more or fewer frames than a
 * request has are dropped here. The text is borrowed until the next call. */
NODISCARD bool server_receive(struct server *server, struct peer *peer_out,
			      struct span *text_out);

/* Sends the parts as one message. Nothing was sent unless SENT_OK. */
NODISCARD enum sent server_send(struct server *server, const struct peer *peer,
				const struct span *parts, unsigned parts_len);

/* True while large messages find no room for what others do not read. */
bool server_choked(const struct server *server);

/* Messages dropped for their shape, since the start. */
uint64_t server_dropped(const struct server *server);

#endif
