/*
 * The supervisor reads a bounded number of records a turn and never waits for
 * us; so neither do we for it, and the two cannot wait for each other.
 */
#include "broker/front/link_client.h"

#include <stdlib.h>

#include "proto/chan.h"
#include "proto/fd.h"

struct outgoing {
	struct outgoing *next;
	int fd; /* owned; rides along; -1: none */
	size_t len;
	uint8_t bytes[];
};

void
link_client_init(struct link_client *link, int fd)
{
	*link = (struct link_client){.fd = fd};
}

static void
drop_first(struct link_client *link)
{
	struct outgoing *o = link->first;

	link->first = o->next;
	if (link->first == NULL)
		link->last = NULL;
	link->waiting--;
	fd_close(&o->fd);
	free(o);
}

void
link_client_fini(struct link_client *link)
{
	while (link->first != NULL)
		drop_first(link);
}

void
link_client_flush(struct link_client *link)
{
	while (link->first != NULL) {
		struct outgoing *o = link->first;
		enum chan_result result =
		    chan_send(link->fd, span_of(o->bytes, o->len), o->fd,
			      false);

		link->starved = result == CHAN_SHORT;
		if (result == CHAN_AGAIN || result == CHAN_SHORT)
			return;
		/* when it is closed, reading will tell */
		drop_first(link);
	}
}

bool
link_client_crowded(const struct link_client *link)
{
	return link->waiting > LINK_CROWDED;
}

/* Takes *fd when fd is not NULL. */
static void
send_frame(struct link_client *link, struct writer *w, int *fd)
{
	struct span bytes = frame_end(w);
	struct outgoing *o = malloc(sizeof(*o) + bytes.len);

	if (o == NULL)
		abort();
	*o = (struct outgoing){.fd = fd == NULL ? -1 : fd_take(fd),
			       .len = bytes.len};
	memcpy(o->bytes, bytes.data, bytes.len);
	if (link->last != NULL)
		link->last->next = o;
	else
		link->first = o;
	link->last = o;
	link->waiting++;
	link_client_flush(link);
}

void
link_client_say(struct link_client *link, enum message message, uint64_t job)
{
	uint8_t bytes[FRAME_HEADER_BYTES];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, message, job);
	send_frame(link, &w, NULL);
}

void
link_client_start(struct link_client *link, uint64_t job, int *fd)
{
	uint8_t bytes[FRAME_HEADER_BYTES];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_START, job);
	send_frame(link, &w, fd);
}

void
link_client_admit(struct link_client *link, uint64_t number,
		  const struct request *request, uint64_t client,
		  struct span record)
{
	uint8_t bytes[FRAME_BYTES_MAX];
	const uint64_t *of = request->job.limits.of;
	struct admit_record admit = {
	    .request = number,
	    .memory_bytes = of[LIMIT_MEMORY_BYTES],
	    .cpu_seconds = of[LIMIT_CPU_SECONDS],
	    .wall_seconds = of[LIMIT_WALL_SECONDS],
	    .stall_seconds = of[LIMIT_STALL_SECONDS],
	    .client = client,
	    .leased = !request->detach,
	    .class = request->class,
	    .job = record,
	};
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_ADMIT, 0);
	admit_write(&w, &admit);
	send_frame(link, &w, NULL);
}

void
link_client_cancel(struct link_client *link, uint64_t job, enum reason reason)
{
	uint8_t bytes[FRAME_HEADER_BYTES + 2];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_CANCEL, job);
	cancel_write(&w, reason);
	send_frame(link, &w, NULL);
}

void
link_client_verdict(struct link_client *link, uint64_t job,
		    const struct verdict_record *verdict)
{
	uint8_t bytes[FRAME_HEADER_BYTES + 16];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_VERDICT, job);
	verdict_write(&w, verdict);
	send_frame(link, &w, NULL);
}

void
link_client_ask_status(struct link_client *link, uint64_t number)
{
	uint8_t bytes[FRAME_HEADER_BYTES + 8];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_ASK_STATUS, 0);
	writer_put_u64(&w, number);
	send_frame(link, &w, NULL);
}

enum link_got
link_client_receive(struct link_client *link, bool wait,
		    struct frame *frame_out, int *fd_out)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;
	int fd = -1;

	switch (chan_receive(link->fd, buffer, wait, &fd, &bytes)) {
	case CHAN_AGAIN:
		return LINK_NOTHING;
	case CHAN_OK:
		break;
	default:
		return LINK_CLOSED;
	}
	if (frame_decode(bytes, PARTY_SUPERVISOR, frame_out) != ST_OK ||
	    (fd >= 0 && message_fds(frame_out->message) == 0)) {
		fd_close(&fd);
		return LINK_CLOSED;
	}
	*fd_out = fd;
	return LINK_RECORD;
}
