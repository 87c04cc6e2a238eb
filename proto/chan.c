/*
 * sendmsg and recvmsg with one descriptor of ancillary data at most.
 *
 * The receiver's ancillary buffer has room for exactly one descriptor, so the
 * kernel drops any more and says MSG_CTRUNC; a peer cannot fill our table.
 */
#include "proto/chan.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>

#include "proto/fd.h"

union one_fd {
	struct cmsghdr header; /* for its alignment */
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool
chan_pair(int fds_out[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds_out) ==
	       0;
}

static enum chan_result
result_of_errno(void)
{
	switch (errno) {
	case EAGAIN:
		return CHAN_AGAIN;
	case ENOBUFS:
	case ENOMEM:
	case ETOOMANYREFS: /* too many descriptors in flight */
		return CHAN_SHORT;
	default:
		return CHAN_CLOSED;
	}
}

enum chan_result
chan_send(int chan, struct span bytes, int fd, bool wait)
{
	struct iovec iov = {.iov_base = (void *)bytes.data,
			    .iov_len = bytes.len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	union one_fd control = {0};
	int flags = MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT);
	ssize_t n;

	if (fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	do {
		n = sendmsg(chan, &msg, flags);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? result_of_errno() : CHAN_OK;
}

/* The descriptor in a received message, -1 when there is none. */
static int
received_fd(struct msghdr *msg)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int fd = -1;

	if (c != NULL && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}

/* Of those that a record brings, the kernel hands over as many as it finds a
 * place for: none although one was welcome means that our table is full. */
static enum chan_result
result_of_record(ssize_t len, int flags, bool welcome, int fd)
{
	if (len == 0 || (flags & MSG_TRUNC) != 0)
		return CHAN_BAD;
	if ((flags & MSG_CTRUNC) == 0)
		return CHAN_OK;
	return welcome && fd < 0 ? CHAN_LOST : CHAN_BAD;
}

enum chan_result
chan_receive(int chan, uint8_t *buffer, bool wait, int *fd_out,
	     struct span *bytes_out)
{
	struct iovec iov = {.iov_base = buffer, .iov_len = FRAME_BYTES_MAX};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	union one_fd control = {0};
	int flags = MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT);
	int fd;
	enum chan_result result;
	ssize_t n;

	if (fd_out != NULL) {
		/* CMSG_LEN, not CMSG_SPACE: the padding of the latter would
		 * hold a second descriptor, which nobody would close. */
		msg.msg_control = control.bytes;
		msg.msg_controllen = CMSG_LEN(sizeof(int));
	}
	/* A peer that closed before it had read all of ours leaves ECONNRESET
	 * in front of what it sent; it is told once. */
	do {
		n = recvmsg(chan, &msg, flags);
	} while (n < 0 && (errno == EINTR || errno == ECONNRESET));
	if (n < 0) {
		result = result_of_errno();
		return result == CHAN_SHORT ? CHAN_AGAIN : result;
	}
	fd = fd_out == NULL ? -1 : received_fd(&msg);
	/* An empty record cannot be told from the end of file, and no frame
	 * is empty. */
	if (n == 0 && fd < 0 && !(msg.msg_flags & MSG_CTRUNC))
		return CHAN_CLOSED;
	result = result_of_record(n, msg.msg_flags, fd_out != NULL, fd);
	if (result == CHAN_BAD)
		fd_close(&fd);
	if (result == CHAN_OK && fd_out != NULL)
		*fd_out = fd;
	if (result != CHAN_BAD)
		*bytes_out = span_of(buffer, (size_t)n);
	return result;
}
