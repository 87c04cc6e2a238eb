/*
 * Stored bytes of a regular file. It is never mapped, since a file that is
 * truncated under a mapping kills its reader by SIGBUS, and never read at the
 * descriptor's own offset, which its other holders share and move.
 */
#include "worker/input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By its own number: the C library's fstat is newfstatat with an empty path,
 * and a filter cannot see that a path is empty. */
static bool
stat_of(int fd, struct stat *st_out)
{
	return syscall(SYS_fstat, fd, st_out) == 0;
}

static bool
same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Modification times can be set back by anyone who may write; change times
 * cannot. */
static bool
file_same(const struct source *source)
{
	struct stat st;

	return stat_of(source->fd, &st) && st.st_size >= 0 &&
	       (uint64_t)st.st_size == source->size &&
	       same_time(st.st_mtim, source->modified) &&
	       same_time(st.st_ctim, source->changed);
}

static ssize_t
file_read_at(const struct source *source, void *room, size_t len, uint64_t at)
{
	if (at >= source->size)
		return 0;
	if (len > source->size - at)
		len = (size_t)(source->size - at);
	return pread(source->fd, room, len, (off_t)at);
}

static enum status
not_regular(struct failure *failure, const char *what)
{
	failure_init(failure, ST_INPUT_KIND, RE_NOT_REGULAR);
	failure_say(failure, "the input is %s, not a regular file", what);
	return ST_INPUT_KIND;
}

static enum status
not_readable(struct failure *failure, const char *why)
{
	failure_init(failure, ST_INPUT_KIND, RE_NOT_READABLE);
	failure_say(failure, "the input cannot be read: %s", why);
	return ST_INPUT_KIND;
}

static const char *
kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a pipe";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
	case S_IFBLK:
		return "a device";
	case S_IFLNK:
		return "a symbolic link";
	default: /* an epoll, a pidfd and the like have no type */
		return "of another kind";
	}
}

enum status
source_check_fd(int fd, struct failure *failure)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !stat_of(fd, &st))
		return not_readable(failure, strerrordesc_np(errno));
	if (!S_ISREG(st.st_mode))
		return not_regular(failure, kind_of(st.st_mode));
	if ((flags & O_PATH) != 0)
		return not_readable(failure, "it was opened as a path only");
	if ((flags & O_ACCMODE) == O_WRONLY)
		return not_readable(failure, "it is open for writing only");
	return ST_OK;
}

enum status
source_of_file(struct source *source, int fd, struct failure *failure)
{
	struct stat st;

	if (!stat_of(fd, &st))
		return not_readable(failure, strerrordesc_np(errno));
	if (!S_ISREG(st.st_mode) || st.st_size < 0)
		return not_regular(failure, kind_of(st.st_mode));
	*source = (struct source){.read_at = file_read_at,
				  .same = file_same,
				  .size = (uint64_t)st.st_size,
				  .fd = fd,
				  .modified = st.st_mtim,
				  .changed = st.st_ctim};
	return ST_OK;
}

enum status
source_fill(const struct source *source, void *room, size_t len, uint64_t at,
	    size_t *got_out, struct failure *failure)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = source->read_at(source, (char *)room + got,
					    len - got, at + got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return not_readable(failure, strerrordesc_np(errno));
		if (n == 0)
			break;
		got += (size_t)n;
	}
	*got_out = got;
	return ST_OK;
}
