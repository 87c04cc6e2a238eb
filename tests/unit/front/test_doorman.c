/*
 * Who gets in: a record of sixteen bytes and nothing with it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "broker/front/doorman.h"
#include "proto/chan.h"
#include "proto/fd.h"

TestSuite(doorman);

static struct doorman doorman;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_len;

/* An abstract address that the kernel chooses leaves no file behind. */
static void
begin(void)
{
	int fd =
	    socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)),
		     0);
	address_len = sizeof(address);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &address_len),
		     0);
	cr_assert_eq(listen(fd, 512), 0);
	doorman_init(&doorman, fd);
}

static int
visit(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	cr_assert_eq(connect(fd, (struct sockaddr *)&address, address_len), 0);
	return fd;
}

static void
look(int64_t now_ms)
{
	struct pollfd fds[DOOR_POLLFDS];
	unsigned len = doorman_poll(&doorman, fds);

	cr_assert_geq(poll(fds, len, 0), 0);
	doorman_look(&doorman, fds, now_ms);
}

/* Whether a visitor that sends this gets in. */
static bool
lets_in(const char *text, size_t len, int descriptor)
{
	uint8_t ticket[TICKET_BYTES];
	int fd = -1, visitor = visit();
	bool in;

	cr_assert_eq(chan_send(visitor, span_of(text, len), descriptor, true),
		     CHAN_OK);
	look(0);
	in = doorman_next(&doorman, &fd, ticket);
	if (in) {
		uint8_t buffer[FRAME_BYTES_MAX];
		struct span record;

		cr_expect_arr_eq(ticket, text, TICKET_BYTES);
		/* the connection is the visitor's, with all that follows */
		cr_assert_eq(chan_send(visitor, span_str("F"), -1, true),
			     CHAN_OK);
		cr_expect_eq(chan_receive(fd, buffer, false, NULL, &record),
			     CHAN_OK);
		cr_expect(span_is(record, "F"));
	}
	fd_close(&fd);
	close(visitor);
	return in;
}

Test(doorman, lets_in_a_ticket_alone)
{
	begin();
	cr_expect(lets_in("0123456789abcdef", 16, -1));
	cr_expect_eq(doorman.refused, 0);
	cr_expect_not(lets_in("0123456789abcde", 15, -1));
	cr_expect_not(lets_in("0123456789abcdefg", 17, -1));
	cr_expect_not(lets_in("0123456789abcdef", 16, STDIN_FILENO));
	cr_expect_eq(doorman.refused, 3);
	cr_expect_eq(doorman.waiting_len, 0);
}

Test(doorman, a_refused_descriptor_stays_nowhere)
{
	int fds[2];
	char byte;

	begin();
	cr_assert_eq(pipe(fds), 0);
	cr_expect_not(lets_in("0123456789abcdef", 16, fds[1]));
	close(fds[1]);
	cr_expect_eq(read(fds[0], &byte, 1), 0, "its only copy is closed");
	close(fds[0]);
}

Test(doorman, a_visitor_that_leaves_is_forgotten)
{
	uint8_t ticket[TICKET_BYTES];
	int fd = -1, visitor;

	begin();
	visitor = visit();
	look(0);
	cr_expect_not(doorman_next(&doorman, &fd, ticket));
	cr_expect_eq(doorman.waiting_len, 1);
	close(visitor);
	look(0);
	cr_expect_not(doorman_next(&doorman, &fd, ticket));
	cr_expect_eq(doorman.waiting_len, 0);
}

Test(doorman, who_shows_nothing_goes_after_five_seconds)
{
	begin();
	cr_expect_eq(doorman_deadline(&doorman), INT64_MAX);
	visit();
	look(1000);
	cr_expect_eq(doorman_deadline(&doorman), 1000 + DOOR_WAITING_MS);
	doorman_expire(&doorman, 1000 + DOOR_WAITING_MS - 1);
	cr_expect_eq(doorman.waiting_len, 1);
	doorman_expire(&doorman, 1000 + DOOR_WAITING_MS);
	cr_expect_eq(doorman.waiting_len, 0);
}

Test(doorman, the_longest_waiting_makes_place_for_the_next)
{
	begin();
	for (unsigned i = 0; i < DOOR_WAITING_MAX + 10; i++) {
		visit();
		look(i);
	}
	cr_expect_eq(doorman.waiting_len, DOOR_WAITING_MAX);
	cr_expect_eq(doorman.refused, 10);
	cr_expect_eq(doorman_deadline(&doorman), 10 + DOOR_WAITING_MS);
	cr_expect(lets_in("0123456789abcdef", 16, -1));
	doorman_fini(&doorman);
}

/* Else poll would say again and again that somebody is there. */
Test(doorman, without_descriptors_it_is_shut_for_a_moment)
{
	struct pollfd fds[DOOR_POLLFDS];
	struct rlimit none = {.rlim_cur = 0}, before;
	int fd;

	begin();
	fd = visit();
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none.rlim_max = before.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	fds[0] = (struct pollfd){.revents = POLLIN};
	doorman_look(&doorman, fds, 1000);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	cr_expect_eq(doorman.waiting_len, 0);
	doorman_poll(&doorman, fds);
	cr_expect_eq(fds[0].fd, -1);
	doorman_expire(&doorman, doorman_deadline(&doorman));
	look(2000);
	cr_expect_eq(doorman.waiting_len, 1);
	close(fd);
}
