/*
 * The front's end of the link to the supervisor. Records go out in order and
 * never wait: what the socket does not take is queued here.
 */
#ifndef FRONT_LINK_CLIENT_H
#define FRONT_LINK_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/front/request.h"
#include "proto/frame.h"
#include "proto/link.h"
#include "proto/status.h"

/* More records than this unsent, and no requests are read. */
#define LINK_CROWDED 64

struct outgoing; /* a record that waits */

struct link_client {
	int fd;			       /* borrowed */
	struct outgoing *first, *last; /* owned */
	size_t waiting;
	bool starved; /* they are tried again in CHAN_SHORT_MS */
};

void link_client_init(struct link_client *link, int fd);
void link_client_fini(struct link_client *link);

/* A record without fields: ALIVE, HOLD, DELIVERING, DELIVERED, FRONT_READY. */
void link_client_say(struct link_client *link, enum message message,
		     uint64_t job);

/* START with the connection, which is taken. */
void link_client_start(struct link_client *link, uint64_t job, int *fd);

/* request must be a submit, record its job's; client says who takes turns. */
void link_client_admit(struct link_client *link, uint64_t number,
		       const struct request *request, uint64_t client,
		       struct span record);
void link_client_verdict(struct link_client *link, uint64_t job,
			 const struct verdict_record *verdict);
void link_client_cancel(struct link_client *link, uint64_t job,
			enum reason reason);
void link_client_ask_status(struct link_client *link, uint64_t number);

/* Sends what waits, as far as the socket takes it. */
void link_client_flush(struct link_client *link);
bool link_client_crowded(const struct link_client *link);

enum link_got {
	LINK_NOTHING,
	LINK_RECORD,
	LINK_CLOSED, /* the supervisor is gone, or not what it was */
};

/* One record, borrowed until the next call. A descriptor that rode along is in
 * *fd_out, owned by the caller; else -1. */
NODISCARD enum link_got link_client_receive(struct link_client *link, bool wait,
					    struct frame *frame_out,
					    int *fd_out);

#endif
