/*
 * Whole frames over a SOCK_SEQPACKET socket, with at most one descriptor
 * riding along. The only place with the system calls for that.
 */
#ifndef PROTO_CHAN_H
#define PROTO_CHAN_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"

enum chan_result {
	CHAN_OK,
	CHAN_AGAIN,  /* would block: try when poll says so */
	CHAN_SHORT,  /* of sending: the kernel is short of memory, or too many
		      * descriptors are under way: try in a while, for poll
		      * says that there is room */
	CHAN_LOST,   /* of receiving: a whole record, but its descriptor found
		      * no place, since we have too many */
	CHAN_CLOSED, /* the peer is gone */
	CHAN_BAD,    /* too long, or a descriptor that may not be there */
};

/* Until CHAN_SHORT is tried again. */
#define CHAN_SHORT_MS 10

/* Both ends, CLOEXEC, blocking. False when there are no descriptors left. */
NODISCARD bool chan_pair(int fds_out[2]);

/* Sends one record; fd rides along unless -1 (it stays the caller's). `wait`
 * blocks until there is room; CHAN_SHORT may come even so. Never raises
 * SIGPIPE. */
NODISCARD enum chan_result chan_send(int chan, struct span bytes, int fd,
				     bool wait);

/*
 * Receives one record into buffer (of FRAME_BYTES_MAX) without waiting, unless
 * `wait`. When fd_out is not NULL, one descriptor is taken if there is one
 * (else it is -1), CLOEXEC, owned by the caller. With NULL there is no room
 * for any, and a record that brings one is CHAN_BAD. More than one, or a
 * record that was cut, is CHAN_BAD too, and nothing stays open. CHAN_LOST sets
 * bytes_out only.
 */
NODISCARD enum chan_result chan_receive(int chan, uint8_t *buffer, bool wait,
					int *fd_out, struct span *bytes_out);

#endif
