/*
 * Records to the supervisor keep their order, whatever the socket takes.
 */
#include <criterion/criterion.h>
#include <unistd.h>

#include "broker/front/link_client.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/link.h"

TestSuite(link_client);

static struct link_client link_client;
static int ours, theirs;

static void
begin(void)
{
	int fds[2];

	cr_assert(chan_pair(fds));
	ours = fds[0];
	theirs = fds[1];
	link_client_init(&link_client, ours);
}

static void
expect_next(enum message message, uint64_t job, bool with_fd)
{
	uint8_t buffer[FRAME_BYTES_MAX];
	struct frame frame;
	struct span bytes;
	int fd = -1;

	cr_assert_eq(chan_receive(theirs, buffer, false, &fd, &bytes), CHAN_OK);
	cr_assert_eq(frame_decode(bytes, PARTY_FRONT, &frame), ST_OK);
	cr_assert_eq(frame.message, message);
	cr_assert_eq(frame.job, job);
	cr_assert_eq(fd >= 0, with_fd);
	fd_close(&fd);
}

Test(link_client, sends_in_order_with_the_descriptor)
{
	int fd;

	begin();
	fd = dup(STDIN_FILENO);
	link_client_say(&link_client, MSG_FRONT_READY, 0);
	link_client_start(&link_client, 7, &fd);
	cr_expect_eq(fd, -1);
	link_client_cancel(&link_client, 7, RE_BY_CLIENT);
	link_client_ask_status(&link_client, 5);
	expect_next(MSG_FRONT_READY, 0, false);
	expect_next(MSG_START, 7, true);
	expect_next(MSG_CANCEL, 7, false);
	expect_next(MSG_ASK_STATUS, 0, false);
}

/* The next record, decoded. */
static struct frame
next_frame(void)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct frame frame;
	struct span bytes;

	cr_assert_eq(chan_receive(theirs, buffer, false, NULL, &bytes),
		     CHAN_OK);
	cr_assert_eq(frame_decode(bytes, PARTY_FRONT, &frame), ST_OK);
	return frame;
}

Test(link_client, admits_with_class_lease_and_whose_turn_it_is)
{
	struct request request = {.class = JOB_CLASS_BATCH, .detach = true};
	struct admit_record admit;
	struct frame frame;

	begin();
	job_init(&request.job);
	link_client_admit(&link_client, 5, &request, 99, span_str("record"));
	frame = next_frame();
	cr_assert_eq(frame.message, MSG_ADMIT);
	cr_assert(admit_read(frame.payload, &admit));
	cr_expect_eq(admit.request, 5);
	cr_expect_eq(admit.client, 99);
	cr_expect_eq(admit.class, JOB_CLASS_BATCH);
	cr_expect_not(admit.leased);
	cr_expect(span_is(admit.job, "record"));
	request.detach = false;
	request.class = JOB_CLASS_INTERACTIVE;
	link_client_admit(&link_client, 6, &request, 99, span_str("record"));
	frame = next_frame();
	cr_assert(admit_read(frame.payload, &admit));
	cr_expect(admit.leased);
	cr_expect_eq(admit.class, JOB_CLASS_INTERACTIVE);
}

Test(link_client, what_the_socket_does_not_take_waits_in_order)
{
	uint64_t sent = 0;

	begin();
	while (!link_client_crowded(&link_client))
		link_client_say(&link_client, MSG_ALIVE, ++sent);
	for (uint64_t job = 1; job <= sent; job++) {
		expect_next(MSG_ALIVE, job, false);
		link_client_flush(&link_client);
	}
	cr_expect_eq(link_client.waiting, 0);
	cr_expect_null(link_client.first);
}

/* The other end sends these bytes: what does the front make of them? */
static enum link_got
hear(struct span bytes, int with_fd, int *fd_out)
{
	struct frame frame;

	cr_assert_eq(chan_send(theirs, bytes, with_fd, true), CHAN_OK);
	return link_client_receive(&link_client, false, &frame, fd_out);
}

Test(link_client, hears_records_of_a_supervisor_only)
{
	uint8_t bytes[64];
	struct writer w;
	int fd = -1;

	begin();
	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_DRAIN, 0);
	cr_expect_eq(hear(frame_end(&w), -1, &fd), LINK_RECORD);
	cr_expect_eq(hear(span_of(bytes, w.len), STDIN_FILENO, &fd),
		     LINK_CLOSED, "a descriptor that has no place there");
	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_FRONT_READY, 0);
	cr_expect_eq(hear(frame_end(&w), -1, &fd), LINK_CLOSED);
	cr_expect_eq(hear(span_str("x"), -1, &fd), LINK_CLOSED);
}

Test(link_client, hears_all_that_came_before_the_end)
{
	uint8_t bytes[64];
	struct frame frame;
	struct writer w;
	int fd = -1;

	begin();
	/* unread by the other end when it closes */
	link_client_say(&link_client, MSG_ALIVE, 1);
	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_DRAIN, 0);
	cr_assert_eq(chan_send(theirs, frame_end(&w), -1, true), CHAN_OK);
	cr_expect_eq(link_client_receive(&link_client, false, &frame, &fd),
		     LINK_RECORD);
	cr_expect_eq(link_client_receive(&link_client, false, &frame, &fd),
		     LINK_NOTHING);
	cr_assert_eq(chan_send(theirs, frame_end(&w), -1, true), CHAN_OK);
	close(theirs);
	cr_expect_eq(link_client_receive(&link_client, false, &frame, &fd),
		     LINK_RECORD);
	cr_expect_eq(link_client_receive(&link_client, false, &frame, &fd),
		     LINK_CLOSED);
}
