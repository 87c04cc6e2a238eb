/*
 * Records over real sockets: sizes, ends, and descriptors, none of which may
 * stay open by accident.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "proto/chan.h"
#include "proto/fd.h"
#include "tests/support/few_under_way.h"
#include "tests/unit/proto/exact.h"

static uint8_t buffer[FRAME_BYTES_MAX];

static unsigned
open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	cr_assert_not_null(dir);
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

/* Sends one record with many descriptors, as chan_send never would. */
static void
send_many(int chan, size_t len, const int *fds, size_t count)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(8 * sizeof(int))];
	} control = {0};
	uint8_t bytes[8] = {1};
	struct iovec iov = {.iov_base = bytes, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = CMSG_SPACE(count * sizeof(int))};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	cr_assert_eq(sendmsg(chan, &msg, 0), (ssize_t)len);
}

static void
assert_same_file(int a, int b)
{
	struct stat one, other;

	cr_assert_eq(fstat(a, &one), 0);
	cr_assert_eq(fstat(b, &other), 0);
	cr_assert_eq(one.st_ino, other.st_ino);
	cr_assert_eq(one.st_dev, other.st_dev);
}

Test(chan, a_pair_closes_on_exec)
{
	int fds[2];

	cr_assert(chan_pair(fds));
	cr_assert(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
	cr_assert(fcntl(fds[1], F_GETFD) & FD_CLOEXEC);
}

Test(chan, records_arrive_whole_and_in_order)
{
	int fds[2], fd = 99;
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_str("one"), -1, false), CHAN_OK);
	cr_assert_eq(chan_send(fds[0], span_str("three"), -1, true), CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got), CHAN_OK);
	assert_bytes(got, span_str("one"));
	cr_assert_eq(fd, -1, "no descriptor came");
	cr_assert_eq(chan_receive(fds[1], buffer, true, NULL, &got), CHAN_OK);
	assert_bytes(got, span_str("three"));
}

Test(chan, the_largest_frame_passes)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	int fds[2];
	struct span got;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)dice();
	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_of(bytes, sizeof(bytes)), -1,
			       false),
		     CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got), CHAN_OK);
	assert_bytes(got, span_of(bytes, sizeof(bytes)));
}

Test(chan, a_longer_record_is_bad_and_the_next_one_is_not)
{
	static uint8_t bytes[FRAME_BYTES_MAX + 1];
	int fds[2];
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_of(bytes, sizeof(bytes)), -1, true),
		     CHAN_OK);
	cr_assert_eq(chan_send(fds[0], span_str("next"), -1, true), CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got), CHAN_BAD);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got), CHAN_OK);
	assert_bytes(got, span_str("next"));
}

Test(chan, a_longer_record_with_a_descriptor_leaves_none_open)
{
	static uint8_t bytes[FRAME_BYTES_MAX + 1];
	int fds[2], fd = -1;
	struct span got;
	unsigned before;

	cr_assert(chan_pair(fds));
	before = open_descriptors();
	cr_assert_eq(chan_send(fds[0], span_of(bytes, sizeof(bytes)), fds[0],
			       true),
		     CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got), CHAN_BAD);
	cr_assert_eq(fd, -1);
	cr_assert_eq(open_descriptors(), before);
}

/* The next descriptor that is opened has the lowest free number. */
static void
leave_no_place(void)
{
	struct rlimit none;
	int free_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	cr_assert_geq(free_fd, 0);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &none), 0);
	none.rlim_cur = (rlim_t)free_fd;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	close(free_fd);
}

Test(chan, a_descriptor_without_a_place_is_told_from_one_too_many)
{
	int fds[2], fd = -1;
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_str("x"), fds[0], true), CHAN_OK);
	leave_no_place();
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got), CHAN_LOST);
	cr_assert_eq(got.len, 1);
	cr_assert_eq(fd, -1);
}

Test(chan, an_empty_channel_would_block)
{
	int fds[2], fd = 99;
	struct span got = span_str("untouched");

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got),
		     CHAN_AGAIN);
	cr_assert_eq(fd, 99);
	cr_assert(span_is(got, "untouched"));
}

Test(chan, a_full_channel_would_block_and_takes_more_once_read)
{
	static const uint8_t bytes[4096];
	enum chan_result result = CHAN_OK;
	unsigned sent = 0;
	int fds[2];
	struct span got;

	cr_assert(chan_pair(fds));
	while (result == CHAN_OK && sent < 100000) {
		result =
		    chan_send(fds[0], span_of(bytes, sizeof(bytes)), -1, false);
		sent += result == CHAN_OK;
	}
	cr_assert_eq(result, CHAN_AGAIN);
	for (unsigned i = 0; i < sent; i++)
		cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got),
			     CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got),
		     CHAN_AGAIN);
	cr_assert_eq(chan_send(fds[0], span_of(bytes, sizeof(bytes)), -1,
			       false),
		     CHAN_OK);
}

Test(chan, too_many_descriptors_under_way_is_not_for_poll_to_tell)
{
	enum chan_result result = CHAN_OK;
	int ends[2];

	few_under_way();
	cr_assert(chan_pair(ends));
	for (int i = 0; i < 100 && result == CHAN_OK; i++)
		result = chan_send(ends[0], span_str("x"), ends[0], false);
	cr_assert_eq(result, CHAN_SHORT);
	cr_assert_eq(chan_send(ends[0], span_str("x"), -1, false), CHAN_OK);
}

Test(chan, is_closed_once_the_peer_is_gone_and_its_records_are_read)
{
	int fds[2];
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_str("last"), -1, false), CHAN_OK);
	fd_close(&fds[0]);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got), CHAN_OK);
	assert_bytes(got, span_str("last"));
	cr_assert_eq(chan_receive(fds[1], buffer, true, NULL, &got),
		     CHAN_CLOSED);
}

Test(chan, sending_to_a_peer_that_is_gone_raises_no_signal)
{
	int fds[2];

	cr_assert(chan_pair(fds));
	fd_close(&fds[1]);
	cr_assert_eq(chan_send(fds[0], span_str("x"), -1, true), CHAN_CLOSED);
	cr_assert_eq(chan_send(fds[0], span_str("x"), -1, false), CHAN_CLOSED);
}

Test(chan, an_empty_record_is_taken_for_the_end)
{
	int fds[2], fd = -1;
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(send(fds[0], "", 0, 0), 0);
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got),
		     CHAN_CLOSED);
}

Test(chan, a_descriptor_rides_along_and_closes_on_exec)
{
	int fds[2], fd = -1, file = open("/dev/null", O_RDONLY);
	struct span got;

	cr_assert(chan_pair(fds));
	cr_assert_eq(chan_send(fds[0], span_str("F"), file, false), CHAN_OK);
	cr_assert_geq(fcntl(file, F_GETFD), 0, "it stays the sender's");
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got), CHAN_OK);
	assert_bytes(got, span_str("F"));
	cr_assert_geq(fd, 0);
	cr_assert_neq(fd, file);
	assert_same_file(fd, file);
	cr_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

Test(chan, a_descriptor_that_may_not_come_is_bad_and_does_not_stay_open)
{
	int fds[2];
	struct span got;
	unsigned before;

	cr_assert(chan_pair(fds));
	before = open_descriptors();
	cr_assert_eq(chan_send(fds[0], span_str("F"), fds[0], false), CHAN_OK);
	cr_assert_eq(chan_receive(fds[1], buffer, false, NULL, &got), CHAN_BAD);
	cr_assert_eq(open_descriptors(), before);
}

/* Two are what the padding of one's ancillary buffer would have room for. */
Test(chan, more_than_one_descriptor_is_bad_and_none_stays_open)
{
	for (size_t count = 2; count <= 8; count++) {
		int fds[2], fd = -1, many[8];
		struct span got;
		unsigned before;

		cr_assert(chan_pair(fds));
		for (size_t i = 0; i < 8; i++)
			many[i] = fds[i % 2];
		before = open_descriptors();
		send_many(fds[0], 1, many, count);
		cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got),
			     CHAN_BAD, "%zu descriptors", count);
		cr_assert_eq(fd, -1);
		cr_assert_eq(open_descriptors(), before, "%zu descriptors",
			     count);
		fd_close(&fds[0]);
		fd_close(&fds[1]);
	}
}

Test(chan, a_descriptor_with_an_empty_record_is_bad_and_does_not_stay_open)
{
	int fds[2], fd = -1;
	struct span got;
	unsigned before;

	cr_assert(chan_pair(fds));
	before = open_descriptors();
	send_many(fds[0], 0, fds, 1);
	cr_assert_eq(chan_receive(fds[1], buffer, false, &fd, &got), CHAN_BAD);
	cr_assert_eq(fd, -1);
	cr_assert_eq(open_descriptors(), before);
}

Test(fd, closing_empties_and_may_be_repeated)
{
	int fd = open("/dev/null", O_RDONLY);
	int was = fd;

	fd_close(&fd);
	cr_assert_eq(fd, -1);
	cr_assert_eq(fcntl(was, F_GETFD), -1);
	fd_close(&fd);
	cr_assert_eq(fd, -1);
}

Test(fd, taking_hands_it_over)
{
	int fd = 7;

	cr_assert_eq(fd_take(&fd), 7);
	cr_assert_eq(fd, -1);
}
