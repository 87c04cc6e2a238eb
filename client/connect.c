/*
 * A DEALER socket. ZeroMQ reconnects by itself when the service's front is
 * restarted; messages on the way are lost then, so callers ask again.
 */
#include "client/connect.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zmq.h>

#include "client/grab.h"
#include "client/interrupt.h"

/* The largest max_result_bytes, and what is around it. */
#define MESSAGE_BYTES_MAX ((int64_t)(129 * MIB))
#define LINGER_MS 200
#define RECONNECT_MS 50
#define SEND_TIMEOUT_MS 1000

static bool
set_options(void *socket)
{
	int64_t max = MESSAGE_BYTES_MAX;
	int linger = LINGER_MS, reconnect = RECONNECT_MS;
	int timeout = SEND_TIMEOUT_MS;

	return zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &max, sizeof(max)) == 0 &&
	       zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof(linger)) ==
		   0 &&
	       zmq_setsockopt(socket, ZMQ_RECONNECT_IVL, &reconnect,
			      sizeof(reconnect)) == 0 &&
	       zmq_setsockopt(socket, ZMQ_SNDTIMEO, &timeout,
			      sizeof(timeout)) == 0;
}

bool
connection_open(struct connection *c, const char *path)
{
	char url[sizeof("ipc://") + PATH_MAX];
	int len = snprintf(url, sizeof(url), "ipc://%s", path);

	*c = (struct connection){0};
	if (len < 0 || (size_t)len >= sizeof(url))
		return false;
	c->context = zmq_ctx_new();
	if (c->context != NULL)
		c->socket = zmq_socket(c->context, ZMQ_DEALER);
	if (c->socket == NULL || !set_options(c->socket) ||
	    zmq_connect(c->socket, url) != 0) {
		connection_close(c);
		return false;
	}
	return true;
}

void
connection_close(struct connection *c)
{
	if (c->socket != NULL)
		zmq_close(c->socket);
	if (c->context != NULL)
		zmq_ctx_term(c->context);
	*c = (struct connection){0};
}

bool
connection_send(struct connection *c, struct span message)
{
	return zmq_send(c->socket, message.data, message.len, 0) >= 0;
}

bool
connection_wait(struct connection *c, int fd, uint64_t timeout_ms)
{
	zmq_pollitem_t items[3] = {
	    {.socket = c->socket, .events = ZMQ_POLLIN},
	};
	int count = 1;

	if (interrupt_fd() >= 0)
		items[count++] = (zmq_pollitem_t){.fd = interrupt_fd(),
						  .events = ZMQ_POLLIN};
	if (fd >= 0)
		items[count++] =
		    (zmq_pollitem_t){.fd = fd, .events = ZMQ_POLLIN};
	if (timeout_ms > LONG_MAX)
		timeout_ms = LONG_MAX;
	return zmq_poll(items, count, (long)timeout_ms) > 0 &&
	       (items[0].revents & ZMQ_POLLIN) != 0;
}

/* Drops the further parts of a message; ours have one. */
static void
drop_rest(struct connection *c, zmq_msg_t *part)
{
	while (zmq_msg_more(part) && zmq_msg_recv(part, c->socket, 0) >= 0)
		;
}

bool
connection_receive(struct connection *c, struct envelope *envelope_out)
{
	zmq_msg_t part;
	uint8_t *copy;
	size_t len;

	zmq_msg_init(&part);
	if (zmq_msg_recv(&part, c->socket, ZMQ_DONTWAIT) < 0) {
		zmq_msg_close(&part);
		return false;
	}
	len = zmq_msg_size(&part);
	copy = grab(len);
	memcpy(copy, zmq_msg_data(&part), len);
	drop_rest(c, &part);
	zmq_msg_close(&part);
	return envelope_read(&copy, len, envelope_out);
}
