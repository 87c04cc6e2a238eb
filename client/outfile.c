/*
 * The draft lies beside its target, so that the rename is atomic; a target
 * that is no regular file (/dev/null, a pipe) is written directly.
 */
#include "client/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/complain.h"
#include "client/interrupt.h"
#include "client/last_resort.h"
#include "client/leave.h"
#include "proto/fd.h"

#define PIECE_BYTES (64u * 1024)

void
outfile_init(struct outfile *out)
{
	*out = (struct outfile){.fd = -1};
}

/* As the file itself would have got it from open. */
static void
set_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)fchmod(fd, old != NULL ? old->st_mode & 07777 : 0666 & ~mask);
}

static bool
open_draft(struct outfile *out, const struct stat *old)
{
	const char *slash = strrchr(out->path, '/');
	size_t folder = slash != NULL ? (size_t)(slash - out->path) + 1 : 0;
	int len = snprintf(out->draft, sizeof(out->draft), "%.*s.%s.XXXXXX",
			   (int)folder, out->path, out->path + folder);

	if (len < 0 || (size_t)len >= sizeof(out->draft)) {
		out->draft[0] = '\0';
		errno = ENAMETOOLONG;
		return false;
	}
	out->fd = mkostemp(out->draft, O_CLOEXEC);
	if (out->fd < 0) {
		out->draft[0] = '\0';
		return false;
	}
	last_resort_remove(LAST_RESORT_DRAFT, out->draft);
	set_mode(out->fd, old);
	return true;
}

static bool
open_path(struct outfile *out, const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (strlen(path) >= sizeof(out->path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(out->path, path, strlen(path) + 1);
	if (there && !S_ISREG(st.st_mode)) {
		out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		return out->fd >= 0;
	}
	/* behind a link the target is replaced, not the link */
	if (there && realpath(path, out->path) == NULL)
		return false;
	return open_draft(out, there ? &st : NULL);
}

bool
outfile_open(struct outfile *out, const char *path)
{
	outfile_init(out);
	if (path == NULL || strcmp(path, "-") == 0) {
		out->fd = STDOUT_FILENO;
		out->is_stdout = true;
		return true;
	}
	if (open_path(out, path))
		return true;
	complain("cannot write %s: %s", path, strerror(errno));
	return false;
}

/* Waits until fd takes something or a signal comes, which is then found. */
static void
wait_writable(int fd)
{
	struct pollfd fds[2] = {{.fd = fd, .events = POLLOUT},
				{.fd = interrupt_fd(), .events = POLLIN}};

	(void)poll(fds, 2, -1);
}

void
outfile_write(struct outfile *out, struct span text)
{
	while (text.len > 0 && out->error == 0) {
		size_t piece = text.len < PIECE_BYTES ? text.len : PIECE_BYTES;
		ssize_t n;

		wait_writable(out->fd);
		if (interrupt_caught() != 0) {
			out->error = EINTR;
			return;
		}
		n = write(out->fd, text.data, piece);
		if (n < 0 && errno != EINTR && errno != EAGAIN) {
			out->error = errno;
			return;
		}
		if (n > 0) {
			text = span_of(text.data + n, text.len - (size_t)n);
			out->wrote = true;
		}
	}
}

bool
outfile_good(const struct outfile *out)
{
	return out->error == 0;
}

/* Errors of a disk may show only when the file is closed. */
static void
finish(struct outfile *out, bool keep)
{
	if (!out->is_stdout && close(out->fd) < 0 && out->error == 0 &&
	    errno != EINTR)
		out->error = errno;
	out->fd = -1;
	if (out->draft[0] == '\0')
		return;
	if (!keep || out->error != 0 || rename(out->draft, out->path) < 0) {
		if (keep && out->error == 0)
			out->error = errno;
		unlink(out->draft);
	}
	last_resort_remove(LAST_RESORT_DRAFT, NULL);
	out->draft[0] = '\0';
}

int
outfile_close(struct outfile *out, bool keep, int *signal_out)
{
	if (out->fd < 0)
		return LEAVE_OK;
	finish(out, keep);
	if (out->error == 0 || interrupt_caught() != 0)
		return LEAVE_OK;
	if (out->error == EPIPE && out->is_stdout) {
		*signal_out = SIGPIPE;
		return LEAVE_OK;
	}
	complain("cannot write %s: %s",
		 out->is_stdout ? "to standard output" : out->path,
		 strerror(out->error));
	return LEAVE_FAULT;
}
