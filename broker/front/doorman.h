/*
 * The door: clients connect and show a ticket. The doorman reads that one
 * record, with no room for a descriptor, and hands the connection on; what the
 * client sends after it stays in the socket, unread.
 */
#ifndef FRONT_DOORMAN_H
#define FRONT_DOORMAN_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/limits.h"
#include "proto/status.h"

#define DOOR_WAITING_MAX 256 /* connections that have shown nothing yet */
#define DOOR_WAITING_MS 5000
#define DOOR_POLLFDS (1 + DOOR_WAITING_MAX)

struct visitor {
	int fd; /* owned */
	int64_t until_ms;
	bool ready; /* may have something to read */
};

struct doorman {
	int fd; /* borrowed: the listening socket, which does not block */
	struct visitor waiting[DOOR_WAITING_MAX]; /* oldest first */
	unsigned waiting_len;
	int64_t shut_until_ms; /* no descriptors are left; 0: open */
	uint64_t refused;      /* connections closed: no ticket, or a bad one */
};

void doorman_init(struct doorman *d, int listening_fd);
void doorman_fini(struct doorman *d);

/* Fills at most DOOR_POLLFDS places; how many. doorman_look takes them back
 * after the poll and accepts who came; with the table full, the one who has
 * waited longest goes. */
unsigned doorman_poll(const struct doorman *d, struct pollfd *fds);
void doorman_look(struct doorman *d, const struct pollfd *fds, int64_t now_ms);

/* The next connection that shows a ticket, owned by the caller. False when
 * there is none. */
NODISCARD bool doorman_next(struct doorman *d, int *fd_out,
			    uint8_t ticket_out[TICKET_BYTES]);

/* Closes those whose time is over, and opens again. */
void doorman_expire(struct doorman *d, int64_t now_ms);

/* When the next one's is, or it opens again; INT64_MAX: nobody waits. */
int64_t doorman_deadline(const struct doorman *d);

#endif
