/*
 * libzmq bounds what waits for a peer in messages, not in bytes, and a result
 * may have 128 MiB. So large messages on their way are kept account of: one a
 * peer, so many bytes in all.
 */
#include "broker/front/server.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <zmq.h>

#include "proto/bug.h"
#include "proto/limits.h"

/* Twice the longest request: what is longer than a request gets an error,
 * what is longer than this is cut off by libzmq without a word. */
#define MESSAGE_BYTES_MAX (128 * 1024)
#define REQUESTS_WAITING_MAX 16 /* a peer; each may have MESSAGE_BYTES_MAX */
#define REPLIES_WAITING_MAX 256 /* a peer that does not read */
#define LARGE_BYTES (64 * KIB)
#define LARGE_MAX 64
#define LARGE_BYTES_MAX (256 * MIB) /* of all large ones together */
#define HANDSHAKE_MS 3000	    /* a peer that connects and says nothing */
#define LINGER_MS 1000
#define PEERS_WAITING_MAX 512 /* not yet accepted */

/* A large message that libzmq holds until it is written, or its peer gone. */
struct large {
	atomic_bool busy; /* cleared by libzmq's thread, set by ours */
	size_t len;
	struct peer peer;
};

struct server {
	void *context; /* owned */
	void *socket;  /* owned */
	zmq_msg_t text;
	struct large large[LARGE_MAX];
	bool choked; /* a large message had no room, and none went since */
	uint64_t dropped;
};

/* The bytes of a message, freed by libzmq's thread. */
struct parcel {
	struct large *large; /* borrowed; NULL when it is not */
	uint8_t bytes[];
};

static bool
set(void *socket, int option, int value)
{
	return zmq_setsockopt(socket, option, &value, sizeof(value)) == 0;
}

static bool
set_up(struct server *server, int fd, const char *endpoint)
{
	int64_t most = MESSAGE_BYTES_MAX;
	void *s = server->socket;

	return zmq_setsockopt(s, ZMQ_MAXMSGSIZE, &most, sizeof(most)) == 0 &&
	       set(s, ZMQ_RCVHWM, REQUESTS_WAITING_MAX) &&
	       set(s, ZMQ_SNDHWM, REPLIES_WAITING_MAX) &&
	       set(s, ZMQ_ROUTER_MANDATORY, 1) &&
	       set(s, ZMQ_HANDSHAKE_IVL, HANDSHAKE_MS) &&
	       set(s, ZMQ_LINGER, LINGER_MS) &&
	       set(s, ZMQ_BACKLOG, PEERS_WAITING_MAX) &&
	       set(s, ZMQ_USE_FD, fd) && zmq_bind(s, endpoint) == 0;
}

struct server *
server_new(int listening_fd, const char *endpoint)
{
	struct server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return NULL;
	zmq_msg_init(&server->text);
	server->context = zmq_ctx_new();
	if (server->context != NULL)
		server->socket = zmq_socket(server->context, ZMQ_ROUTER);
	if (server->socket != NULL && set_up(server, listening_fd, endpoint))
		return server;
	server_free(server);
	return NULL;
}

void
server_free(struct server *server)
{
	if (server == NULL)
		return;
	zmq_msg_close(&server->text);
	if (server->socket != NULL)
		zmq_close(server->socket);
	if (server->context != NULL)
		zmq_ctx_term(server->context);
	free(server);
}

int
server_fd(struct server *server)
{
	int fd = -1;
	size_t size = sizeof(fd);

	BUG_ON(zmq_getsockopt(server->socket, ZMQ_FD, &fd, &size) != 0);
	return fd;
}

bool
server_has_message(struct server *server)
{
	int events = 0;
	size_t size = sizeof(events);

	/* ZMQ_FD is edge-triggered: asking is what re-arms it */
	return zmq_getsockopt(server->socket, ZMQ_EVENTS, &events, &size) ==
		   0 &&
	       (events & ZMQ_POLLIN) != 0;
}

static bool
has_more(zmq_msg_t *frame)
{
	return zmq_msg_more(frame) != 0;
}

/* Reads and forgets the rest of a message. */
static void
drop_rest(struct server *server, bool more)
{
	zmq_msg_t frame;

	server->dropped++;
	while (more) {
		zmq_msg_init(&frame);
		more =
		    zmq_msg_recv(&frame, server->socket, ZMQ_DONTWAIT) >= 0 &&
		    has_more(&frame);
		zmq_msg_close(&frame);
	}
}

/* The next frame into server->text; the one before is given back. */
static bool
next_frame(struct server *server)
{
	zmq_msg_close(&server->text);
	zmq_msg_init(&server->text);
	return zmq_msg_recv(&server->text, server->socket, ZMQ_DONTWAIT) >= 0;
}

/* [peer] [empty]? [text] */
static bool
take_message(struct server *server, struct peer *peer)
{
	zmq_msg_t *frame = &server->text;
	size_t len = zmq_msg_size(frame);

	if (!has_more(frame) || len == 0 || len > sizeof(peer->id))
		return false;
	memcpy(peer->id, zmq_msg_data(frame), len);
	peer->id_len = (uint8_t)len;
	if (!next_frame(server))
		return false;
	peer->delimiter = has_more(frame) && zmq_msg_size(frame) == 0;
	if (peer->delimiter && !next_frame(server))
		return false;
	return !has_more(frame);
}

bool
server_receive(struct server *server, struct peer *peer_out,
	       struct span *text_out)
{
	while (next_frame(server)) {
		if (take_message(server, peer_out)) {
			*text_out = span_of(zmq_msg_data(&server->text),
					    zmq_msg_size(&server->text));
			return true;
		}
		drop_rest(server, has_more(&server->text));
	}
	return false;
}

/* Called by libzmq's thread when a parcel is written or given up. */
static void
on_parcel_gone(void *data, void *hint)
{
	struct parcel *parcel = hint;

	(void)data;
	if (parcel->large != NULL)
		atomic_store(&parcel->large->busy, false);
	free(parcel);
}

static struct parcel *
pack(const struct span *parts, unsigned parts_len, size_t len)
{
	struct parcel *parcel = malloc(sizeof(*parcel) + len);
	size_t n = 0;

	if (parcel == NULL)
		abort();
	parcel->large = NULL;
	for (unsigned i = 0; i < parts_len; i++) {
		if (parts[i].len == 0)
			continue;
		memcpy(parcel->bytes + n, parts[i].data, parts[i].len);
		n += parts[i].len;
	}
	return parcel;
}

static bool
same_peer(const struct peer *a, const struct peer *b)
{
	return a->id_len == b->id_len && memcmp(a->id, b->id, a->id_len) == 0;
}

/* A place for a large message to that peer; NULL when there is none now. One
 * may always go when no other is on its way. */
static struct large *
find_place(struct server *server, const struct peer *peer, size_t len)
{
	struct large *place = NULL;
	size_t busy = 0;

	for (unsigned i = 0; i < LARGE_MAX; i++) {
		struct large *l = &server->large[i];

		if (!atomic_load(&l->busy))
			place = l;
		else if (same_peer(&l->peer, peer))
			return NULL;
		else
			busy += l->len;
	}
	if (place == NULL || (busy > 0 && len > LARGE_BYTES_MAX - busy)) {
		server->choked = true;
		return NULL;
	}
	return place;
}

static bool
send_address(struct server *server, const struct peer *peer)
{
	int flags = ZMQ_SNDMORE | ZMQ_DONTWAIT;

	/* once the address is taken, libzmq takes the rest, or drops all of
	 * it when the peer went away meanwhile */
	return zmq_send(server->socket, peer->id, peer->id_len, flags) >= 0 &&
	       (!peer->delimiter ||
		zmq_send(server->socket, "", 0, flags) >= 0);
}

enum sent
server_send(struct server *server, const struct peer *peer,
	    const struct span *parts, unsigned parts_len)
{
	struct large *large = NULL;
	struct parcel *parcel;
	zmq_msg_t message;
	size_t len = 0;

	for (unsigned i = 0; i < parts_len; i++)
		len += parts[i].len;
	if (len > LARGE_BYTES) {
		large = find_place(server, peer, len);
		if (large == NULL)
			return SENT_FULL;
	}
	if (!send_address(server, peer))
		return errno == EAGAIN ? SENT_FULL : SENT_GONE;
	parcel = pack(parts, parts_len, len);
	if (large != NULL) {
		parcel->large = large;
		large->len = len;
		large->peer = *peer;
		atomic_store(&large->busy, true);
		server->choked = false;
	}
	if (zmq_msg_init_data(&message, parcel->bytes, len, on_parcel_gone,
			      parcel) != 0)
		abort();
	if (zmq_msg_send(&message, server->socket, ZMQ_DONTWAIT) < 0) {
		zmq_msg_close(&message);
		return SENT_GONE;
	}
	return SENT_OK;
}

bool
server_choked(const struct server *server)
{
	return server->choked;
}

uint64_t
server_dropped(const struct server *server)
{
	return server->dropped;
}
