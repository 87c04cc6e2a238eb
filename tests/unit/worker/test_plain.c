/*
 * Files as they are: read at our own offset, through whatever pread does, and
 * never believed when they changed.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/drain.h"

static int
file_of(struct span text)
{
	char name[] = "/tmp/test_plain.XXXXXX";
	int fd = mkstemp(name);

	cr_assert_geq(fd, 0);
	unlink(name);
	cr_assert_eq(write(fd, text.data, text.len), (ssize_t)text.len);
	return fd;
}

static struct source
source_of(int fd)
{
	struct source source;
	struct failure failure;

	cr_assert_eq(source_of_file(&source, fd, &failure), ST_OK);
	return source;
}

static void
drain_file(const struct source *source, struct drained *got)
{
	struct limits limits;

	limits_default(&limits);
	drain_source(source, &limits, got);
}

Test(plain, is_read_whole_without_moving_the_shared_offset)
{
	struct packed text = sample_text(3 << 20);
	int fd = file_of(packed_span(&text));
	struct source source = source_of(fd);
	struct drained got;

	lseek(fd, 77, SEEK_SET);
	drain_file(&source, &got);
	cr_assert_eq(got.status, ST_OK);
	cr_assert(span_equal(packed_span(&got.text), packed_span(&text)));
	cr_assert_eq(got.end.encoding, ENCODING_IDENTITY);
	cr_assert_eq(got.end.bytes, 3 << 20);
	cr_assert_eq(lseek(fd, 0, SEEK_CUR), 77);
	drained_free(&got);
	free(text.data);
	close(fd);
}

/* EINTR every other time, and never more than three bytes. */
static ssize_t
awkward_read(const struct source *source, void *room, size_t len, uint64_t at)
{
	static unsigned calls;

	if (calls++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (at >= source->size)
		return 0;
	return pread(source->fd, room, len < 3 ? len : 3, (off_t)at);
}

Test(plain, goes_on_after_interruptions_and_short_reads)
{
	struct packed text = sample_text(1000);
	int fd = file_of(packed_span(&text));
	struct source source = source_of(fd);
	struct drained got;

	source.read_at = awkward_read;
	drain_file(&source, &got);
	cr_assert_eq(got.status, ST_OK);
	cr_assert(span_equal(packed_span(&got.text), packed_span(&text)));
	drained_free(&got);
	free(text.data);
	close(fd);
}

static ssize_t
broken_read(const struct source *source, void *room, size_t len, uint64_t at)
{
	if (at >= 4)
		errno = EIO;
	return at >= 4 ? -1
		       : pread(source->fd, room, len < 4 ? len : 4, (off_t)at);
}

Test(plain, names_a_read_error)
{
	int fd = file_of(span_str("0123456789"));
	struct source source = source_of(fd);
	struct drained got;

	source.read_at = broken_read;
	drain_file(&source, &got);
	cr_assert_eq(got.status, ST_INPUT_KIND);
	cr_assert_eq(got.failure.reason, RE_NOT_READABLE);
	cr_assert_not_null(strstr(got.failure.message, "Input/output error"));
	drained_free(&got);
	close(fd);
}

static void
expect_changed(int fd, const struct source *source)
{
	struct drained got;

	drain_file(source, &got);
	cr_assert_eq(got.status, ST_ARTIFACT_CHANGED);
	cr_assert_eq(got.failure.reason, RE_CHANGED_WHILE_READ);
	drained_free(&got);
	close(fd);
}

Test(plain, notices_that_the_file_grew)
{
	int fd = file_of(span_str("0123456789"));
	struct source source = source_of(fd);

	cr_assert_eq(write(fd, "more", 4), 4);
	expect_changed(fd, &source);
}

Test(plain, notices_that_the_file_shrank)
{
	int fd = file_of(span_str("0123456789"));
	struct source source = source_of(fd);

	cr_assert_eq(ftruncate(fd, 5), 0);
	expect_changed(fd, &source);
}

Test(plain, notices_that_bytes_were_overwritten_and_the_time_set_back)
{
	int fd = file_of(span_str("0123456789"));
	struct source source;
	struct timespec times[2];

	/* clocks of old kernels tick every few milliseconds */
	times[0] = times[1] = (struct timespec){.tv_sec = 1000000000};
	cr_assert_eq(futimens(fd, times), 0);
	source = source_of(fd);
	while (source.same(&source)) {
		cr_assert_eq(pwrite(fd, "x", 1, 3), 1);
		cr_assert_eq(futimens(fd, times), 0);
	}
	expect_changed(fd, &source);
}

Test(plain, refuses_a_file_above_the_cap_without_reading_it)
{
	int fd = file_of(span_str(""));
	struct source source;
	struct drained got;

	cr_assert_eq(ftruncate(fd, INT64_C(1) << 40), 0);
	source = source_of(fd);
	source.read_at = NULL;
	drain_file(&source, &got);
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.failure.limit, LIMIT_MAX_INPUT_BYTES);
	cr_assert_eq(got.failure.actual, UINT64_C(1) << 40);
	close(fd);
}

/* Closes fd. */
static void
expect_kind(int fd, enum reason reason)
{
	struct failure failure;

	cr_assert_geq(fd, 0);
	if (reason == RE_NONE) {
		cr_assert_eq(source_check_fd(fd, &failure), ST_OK);
	} else {
		cr_assert_eq(source_check_fd(fd, &failure), ST_INPUT_KIND);
		cr_assert_eq(failure.reason, reason, "%s", failure.message);
	}
	close(fd);
}

Test(plain, takes_only_regular_files_open_for_reading)
{
	int pipe_fds[2];
	int fd = file_of(span_str("x"));
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	expect_kind(open(name, O_RDONLY), RE_NONE);
	expect_kind(open(name, O_RDWR), RE_NONE);
	expect_kind(open(name, O_WRONLY), RE_NOT_READABLE);
	expect_kind(open(name, O_PATH), RE_NOT_READABLE);
	expect_kind(memfd_create("x", 0), RE_NONE);
	expect_kind(open("/", O_RDONLY), RE_NOT_REGULAR);
	expect_kind(open("/dev/zero", O_RDONLY), RE_NOT_REGULAR);
	expect_kind(socket(AF_UNIX, SOCK_STREAM, 0), RE_NOT_REGULAR);
	cr_assert_eq(pipe(pipe_fds), 0);
	expect_kind(pipe_fds[0], RE_NOT_REGULAR);
	close(pipe_fds[1]);
	close(fd);
}
