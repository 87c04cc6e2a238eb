/*
 * One private message: a 16-byte header, then the payload.
 *
 *   0  u16  magic 0x4458 ("XD")
 *   2  u8   version of the wire
 *   3  u8   message number (message.def)
 *   4  u32  bytes of payload
 *   8  u64  job, 0 when the message is not about one
 */
#ifndef PROTO_FRAME_H
#define PROTO_FRAME_H

#include <stdint.h>

#include "proto/buf.h"
#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"

#define FRAME_MAGIC 0x4458
#define FRAME_VERSION 3

enum message {
#define MESSAGE(name, number, sender, min, max, fds, states) \
	MSG_##name = number,
#include "proto/message.def"
#undef MESSAGE
};

/* Who may send a message; also who a reader of frames talks to. */
enum party {
	PARTY_SUPERVISOR,
	PARTY_FRONT,
	PARTY_WORKER,
};

struct frame {
	enum message message;
	uint64_t job;
	struct span payload; /* borrowed: until the receive buffer is reused */
};

/* The name of a message, for logs. */
const char *message_name(enum message message);

/* Descriptors that ride along with a message: 0 or 1. */
unsigned message_fds(enum message message);

/* Starts a frame in w, whose array must hold FRAME_BYTES_MAX. The payload is
 * written behind it with the writer's functions. */
void frame_begin(struct writer *w, enum message message, uint64_t job);

/* Fills in the length. The bytes to send; a frame that did not fit, or whose
 * payload is outside its message's range, is our bug. */
struct span frame_end(struct writer *w);

/*
 * Takes a received record apart. BAD_REPLY unless magic, version, length and
 * number are right, the payload is within the message's range and `sender` may
 * send it. frame_out is untouched on failure.
 */
NODISCARD enum status frame_decode(struct span bytes, enum party sender,
				   struct frame *frame_out);

#endif
