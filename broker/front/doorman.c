/*
 * A crowd of idle connections must not keep out one that knows its ticket: a
 * newcomer is always let in, and its ticket is read at once.
 */
#include "broker/front/doorman.h"

#include <errno.h>
#include <sys/socket.h>

#include "proto/chan.h"
#include "proto/fd.h"

#define ACCEPTS_A_TURN 64
#define SHUT_MS 50

void
doorman_init(struct doorman *d, int listening_fd)
{
	*d = (struct doorman){.fd = listening_fd};
}

/* Takes the i-th out of the line; its fd is the caller's. */
static int
leave(struct doorman *d, unsigned i)
{
	int fd = d->waiting[i].fd;

	d->waiting_len--;
	memmove(&d->waiting[i], &d->waiting[i + 1],
		(d->waiting_len - i) * sizeof(d->waiting[0]));
	return fd;
}

static void
refuse(struct doorman *d, unsigned i)
{
	int fd = leave(d, i);

	d->refused++;
	fd_close(&fd);
}

void
doorman_fini(struct doorman *d)
{
	while (d->waiting_len > 0)
		refuse(d, 0);
}

unsigned
doorman_poll(const struct doorman *d, struct pollfd *fds)
{
	fds[0] = (struct pollfd){.fd = d->shut_until_ms == 0 ? d->fd : -1,
				 .events = POLLIN};
	for (unsigned i = 0; i < d->waiting_len; i++)
		fds[1 + i] =
		    (struct pollfd){.fd = d->waiting[i].fd, .events = POLLIN};
	return 1 + d->waiting_len;
}

static void
accept_some(struct doorman *d, int64_t now_ms)
{
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		int fd =
		    accept4(d->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		/* poll would go on saying that somebody is there */
		if (fd < 0 && errno != EAGAIN)
			d->shut_until_ms = now_ms + SHUT_MS;
		if (fd < 0)
			return;
		if (d->waiting_len == DOOR_WAITING_MAX)
			refuse(d, 0);
		d->waiting[d->waiting_len++] =
		    (struct visitor){.fd = fd,
				     .until_ms = now_ms + DOOR_WAITING_MS,
				     .ready = true};
	}
}

void
doorman_look(struct doorman *d, const struct pollfd *fds, int64_t now_ms)
{
	for (unsigned i = 0; i < d->waiting_len; i++)
		d->waiting[i].ready = fds[1 + i].revents != 0;
	if (fds[0].revents != 0)
		accept_some(d, now_ms);
}

bool
doorman_next(struct doorman *d, int *fd_out, uint8_t ticket_out[TICKET_BYTES])
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	unsigned i = 0;

	while (i < d->waiting_len) {
		enum chan_result got = CHAN_AGAIN;
		struct span record;

		if (d->waiting[i].ready)
			got = chan_receive(d->waiting[i].fd, buffer, false,
					   NULL, &record);
		d->waiting[i].ready = false;
		if (got == CHAN_AGAIN) {
			i++;
		} else if (got == CHAN_OK && record.len == TICKET_BYTES) {
			memcpy(ticket_out, record.data, TICKET_BYTES);
			*fd_out = leave(d, i);
			return true;
		} else {
			refuse(d, i);
		}
	}
	return false;
}

void
doorman_expire(struct doorman *d, int64_t now_ms)
{
	if (d->shut_until_ms <= now_ms)
		d->shut_until_ms = 0;
	while (d->waiting_len > 0 && d->waiting[0].until_ms <= now_ms)
		refuse(d, 0);
}

int64_t
doorman_deadline(const struct doorman *d)
{
	int64_t at = d->waiting_len > 0 ? d->waiting[0].until_ms : INT64_MAX;

	return d->shut_until_ms != 0 && d->shut_until_ms < at ? d->shut_until_ms
							      : at;
}
