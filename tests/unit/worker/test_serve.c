/*
 * A worker's life by its channel: what it is given, what it answers, how it
 * ends. Under a filter that allows everything; the real one has its stories.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/answer.h"
#include "proto/chan.h"
#include "proto/failure.h"
#include "proto/fd.h"
#include "proto/frame.h"
#include "proto/job.h"
#include "proto/link.h"
#include "proto/worker_fds.h"
#include "worker/serve.h"

#define PROFILE                                                             \
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"," \
	"\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,"                \
	"\"columnNumber\":-1},\"hitCount\":0}],\"startTime\":1,"            \
	"\"endTime\":9}"

/* Address space cannot be limited under its shadow memory. */
extern void __asan_init(void) __attribute__((weak));

static int channel = -1;
static pid_t worker = -1;
static uint8_t buffer[FRAME_BYTES_MAX];

static int
allow_everything(void)
{
	struct sock_filter program =
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	int fd = memfd_create("filter", 0);

	cr_assert_eq(write(fd, &program, sizeof(program)),
		     (ssize_t)sizeof(program));
	return fd;
}

/* Moves a descriptor out of the way of the fixed numbers. */
static int
up(int fd)
{
	int moved = fcntl(fd, F_DUPFD, 50);

	cr_assert_geq(moved, 50);
	close(fd);
	return moved;
}

/* A worker under that filter, up to READY. */
static void
start_under(int filter)
{
	int ends[2];
	struct span bytes;
	struct frame frame;

	cr_assert(chan_pair(ends));
	ends[0] = up(ends[0]);
	ends[1] = up(ends[1]);
	worker = fork();
	if (worker == 0) {
		close(ends[0]);
		dup2(ends[1], WORKER_CHANNEL_FD);
		dup2(filter, WORKER_FILTER_FD);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		_exit(serve(0));
	}
	close(ends[1]);
	close(filter);
	channel = ends[0];
	cr_assert_eq(chan_receive(channel, buffer, true, NULL, &bytes),
		     CHAN_OK);
	cr_assert_eq(frame_decode(bytes, PARTY_WORKER, &frame), ST_OK);
	cr_assert_eq(frame.message, MSG_READY);
}

static void
start(void)
{
	start_under(up(allow_everything()));
}

static void
expect_exit(int code)
{
	int status;

	cr_assert_eq(waitpid(worker, &status, 0), worker);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), code);
}

/* Sends JOB; the client's end of its door connection, or -1. */
static int
give_job(const struct job *job, bool with_door)
{
	static uint8_t frame[FRAME_BYTES_MAX], record[FRAME_BYTES_MAX];
	struct job_order order = {.memory_bytes = UINT64_C(1) << 30,
				  .cpu_seconds = 60};
	int door[2];
	struct writer w;

	writer_init(&w, record, sizeof(record));
	job_write(&w, job);
	order.job = span_of(record, w.len);
	writer_init(&w, frame, sizeof(frame));
	frame_begin(&w, MSG_JOB, 42);
	job_order_write(&w, &order);
	cr_assert(chan_pair(door));
	/* as the front has it, which shares the open description */
	cr_assert_eq(fcntl(door[1], F_SETFL, O_NONBLOCK), 0);
	cr_assert_eq(chan_send(channel, frame_end(&w), with_door ? door[1] : -1,
			       true),
		     CHAN_OK);
	close(door[1]);
	return door[0];
}

/* The next frame that is not PROGRESS. */
static struct frame
next_frame(enum message message)
{
	struct span bytes;
	struct frame frame;

	do {
		cr_assert_eq(chan_receive(channel, buffer, true, NULL, &bytes),
			     CHAN_OK, "no %s came", message_name(message));
		cr_assert_eq(frame_decode(bytes, PARTY_WORKER, &frame), ST_OK);
	} while (frame.message == MSG_PROGRESS);
	cr_assert_eq(frame.message, message);
	cr_assert_eq(frame.job, 42);
	return frame;
}

static void
expect_failed(enum status status, enum reason reason)
{
	struct failure failure;

	cr_assert(failure_read(next_frame(MSG_FAILED).payload, &failure));
	cr_assert_eq(failure.status, status);
	cr_assert_eq(failure.reason, reason, "%s", failure.message);
	expect_exit(WORKER_EXIT_DONE);
}

/* A fresh worker that is given a job; the client's end of the door. */
static int
start_job(void)
{
	struct job job;

	start();
	job_init(&job);
	return give_job(&job, true);
}

Test(serve, ends_quietly_when_the_supervisor_does)
{
	start();
	close(channel);
	expect_exit(WORKER_EXIT_PROTOCOL);
}

Test(serve, ends_when_its_order_is_no_order)
{
	static const char *const orders[] = {"x", "0123456789012345"};

	for (unsigned i = 0; i < 2; i++) {
		start();
		cr_assert_eq(chan_send(channel, span_str(orders[i]), -1, true),
			     CHAN_OK);
		expect_exit(WORKER_EXIT_PROTOCOL);
		close(channel);
	}
}

Test(serve, ends_when_a_job_comes_without_its_door)
{
	struct job job;

	start();
	job_init(&job);
	close(give_job(&job, false));
	expect_exit(WORKER_EXIT_PROTOCOL);
}

Test(serve, names_a_missing_descriptor)
{
	/* the client is gone; or sends the byte alone, another byte, more */
	static const char *const records[] = {NULL, "F", "G", "FF"};

	for (unsigned i = 0; i < 4; i++) {
		int door = start_job();

		if (records[i] != NULL)
			cr_assert_eq(chan_send(door, span_str(records[i]), -1,
					       true),
				     CHAN_OK);
		else
			fd_close(&door);
		expect_failed(ST_INPUT_KIND, RE_NO_DESCRIPTOR);
		fd_close(&door);
		close(channel);
	}
}

/* Two descriptors where one is expected. */
Test(serve, refuses_more_descriptors_than_one)
{
	int door = start_job();
	char byte = DOOR_FILE_BYTE;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = {0};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = sizeof(control.bytes)};
	int fds[2] = {0, 0};

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
	cr_assert_eq(sendmsg(door, &msg, 0), 1);
	expect_failed(ST_INPUT_KIND, RE_NO_DESCRIPTOR);
	close(door);
}

static void
give_file(int door, int fd)
{
	cr_assert_geq(fd, 0);
	cr_assert_eq(chan_send(door, span_str("F"), fd, true), CHAN_OK);
	close(fd);
}

Test(serve, names_a_descriptor_of_another_kind)
{
	static const struct {
		const char *path;
		int flags;
		enum reason reason;
	} kinds[] = {
	    {"/", O_RDONLY, RE_NOT_REGULAR},
	    {"/dev/zero", O_RDONLY, RE_NOT_REGULAR},
	    {"/proc/self/exe", O_PATH, RE_NOT_READABLE},
	    {"/tmp", O_TMPFILE | O_WRONLY, RE_NOT_READABLE},
	};

	for (unsigned i = 0; i < 4; i++) {
		int door = start_job();

		give_file(door, open(kinds[i].path, kinds[i].flags, 0600));
		expect_failed(ST_INPUT_KIND, kinds[i].reason);
		close(door);
		close(channel);
	}
}

static int
memory_file(const char *text)
{
	int fd = memfd_create("profile", 0);

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	return fd;
}

Test(serve, answers_a_profile_with_result_rows_and_done)
{
	struct answer answer;
	struct reader r;
	int door;

	if (__asan_init != NULL)
		cr_skip_test("address space cannot be limited here");
	door = start_job();
	give_file(door, memory_file(PROFILE));
	cr_assert(answer_read(next_frame(MSG_RESULT).payload, &answer));
	cr_assert_eq(answer.format, FORMAT_V8_CPUPROFILE);
	cr_assert_eq(answer.bytes, strlen(PROFILE));
	cr_assert_eq(answer.rows_returned, 1);
	next_frame(MSG_ROWS);
	reader_init(&r, next_frame(MSG_DONE).payload);
	cr_assert_eq(reader_get_u32(&r), 1);
	expect_exit(WORKER_EXIT_DONE);
	close(door);
}

Test(serve, says_what_is_wrong_with_an_input)
{
	int door;

	if (__asan_init != NULL)
		cr_skip_test("address space cannot be limited here");
	door = start_job();
	give_file(door, memory_file("[1]"));
	expect_failed(ST_UNSUPPORTED_FORMAT, RE_UNRECOGNIZED_LAYOUT);
	close(door);
}

/* The front would take any FAILED that does not blame the input for a lie. */
Test(serve, leaves_a_set_up_that_failed_to_its_obituary)
{
	struct job job;
	int door;

	if (__asan_init != NULL)
		cr_skip_test("address space cannot be limited here");
	job_init(&job);
	start_under(up(memfd_create("empty filter", 0)));
	door = give_job(&job, true);
	give_file(door, memory_file(PROFILE));
	next_frame(MSG_LAST_WORDS);
	expect_exit(WORKER_EXIT_SETUP);
	close(door);
}
