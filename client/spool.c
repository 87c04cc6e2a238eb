/*
 * The copy lies in $TMPDIR, else /var/tmp, else /tmp: /var/tmp first since
 * /tmp is often memory and a profile may be larger than that.
 */
#include "client/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/interrupt.h"
#include "proto/fd.h"

#define CHUNK_BYTES (128 * 1024)

/* Makes a file and opens it twice: to write it, and to hand it over. */
static bool
make_file(const char *dir, int *write_out, int *read_out)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s/extractd-input-XXXXXX", dir);

	if (len < 0 || (size_t)len >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	*write_out = mkostemp(path, O_CLOEXEC);
	if (*write_out < 0)
		return false;
	*read_out = open(path, O_RDONLY | O_CLOEXEC);
	unlink(path);
	if (*read_out < 0)
		fd_close(write_out);
	return *read_out >= 0;
}

static const char *
make_somewhere(int *write_out, int *read_out)
{
	const char *dir = getenv("TMPDIR");

	if (dir != NULL && dir[0] != '\0')
		return make_file(dir, write_out, read_out) ? dir : NULL;
	if (make_file("/var/tmp", write_out, read_out))
		return "/var/tmp";
	return make_file("/tmp", write_out, read_out) ? "/tmp" : NULL;
}

/* Bytes read, 0 at the end, -1 and errno; EINTR once a signal was caught. */
static ssize_t
read_some(int src, char *chunk)
{
	struct pollfd fds[2] = {{.fd = src, .events = POLLIN},
				{.fd = interrupt_fd(), .events = POLLIN}};

	for (;;) {
		ssize_t n;

		if (interrupt_caught() != 0) {
			errno = EINTR;
			return -1;
		}
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (fds[0].revents == 0 || interrupt_caught() != 0)
			continue;
		n = read(src, chunk, CHUNK_BYTES);
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
	}
}

static bool
write_all(int fd, const char *chunk, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, chunk, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		chunk += n;
		len -= (size_t)n;
	}
	return true;
}

enum spool_end {
	SPOOL_WHOLE,
	SPOOL_NOT_READ,
	SPOOL_NOT_WRITTEN,
};

static enum spool_end
copy(int src, int dst)
{
	char *chunk = malloc(CHUNK_BYTES);
	enum spool_end end = SPOOL_NOT_WRITTEN;
	ssize_t n;

	if (chunk == NULL)
		return end;
	while ((n = read_some(src, chunk)) > 0)
		if (!write_all(dst, chunk, (size_t)n))
			break;
	if (n < 0)
		end = SPOOL_NOT_READ;
	else if (n == 0)
		end = SPOOL_WHOLE;
	free(chunk);
	return end;
}

enum status
spool_copy(int src, int *fd_out, char *message, size_t message_len)
{
	int to = -1, from = -1, error;
	const char *dir = make_somewhere(&to, &from);
	enum spool_end end;

	if (dir == NULL) {
		snprintf(message, message_len,
			 "no temporary file can be made to copy it to: %s",
			 strerror(errno));
		return ST_SPOOL_FULL;
	}
	end = copy(src, to);
	error = errno;
	fd_close(&to);
	if (end == SPOOL_WHOLE) {
		*fd_out = from;
		return ST_OK;
	}
	fd_close(&from);
	if (end == SPOOL_NOT_WRITTEN) {
		snprintf(message, message_len, "cannot copy it to %s: %s", dir,
			 strerror(error));
		return ST_SPOOL_FULL;
	}
	snprintf(message, message_len, "cannot read it: %s", strerror(error));
	return error == EINTR ? ST_CANCELLED : ST_INPUT_KIND;
}
