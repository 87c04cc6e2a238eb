/*
 * From READY to the answer. All that the worker owns is static: there is one
 * job, and the process ends with it.
 */
#include "worker/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "proto/bug.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/frame.h"
#include "proto/link.h"
#include "proto/worker_fds.h"
#include "worker/arena.h"
#include "worker/deliver.h"
#include "worker/extract.h"
#include "worker/input/input.h"
#include "worker/sandbox.h"

/* Program, stack and the C library's own, of the address space: what the arena
 * must leave free so that a spent arena can still be reported. */
#define NOT_ARENA_BYTES (6 * MIB)

struct order {
	struct job job; /* its spans borrow from record */
	uint64_t memory_bytes;
	uint64_t cpu_seconds;
	int door; /* owned: the connection to the client */
	uint8_t record[FRAME_BYTES_MAX];
};

static struct delivery delivery;
static struct order order = {.door = -1};
static struct arena arena;
static struct input input;
static struct failure failure;

static void
on_bug(const char *text)
{
	deliver_last_words(WORKER_CHANNEL_FD, delivery.job, text);
}

/* The address space may be spent before the arena's cap is; then too it is
 * the limit that is exceeded, if only by the next allocation. */
static void
on_exhausted(struct arena *spent, uint64_t actual, uint64_t max)
{
	struct failure memory;

	(void)spent;
	(void)max;
	actual += NOT_ARENA_BYTES;
	if (actual <= order.memory_bytes)
		actual = order.memory_bytes + 1;
	failure_of_limit(&memory, LIMIT_MEMORY_BYTES, actual,
			 order.memory_bytes);
	deliver_failed(&delivery, &memory);
	_exit(WORKER_EXIT_DONE);
}

static bool
wait_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;

	do {
		n = poll(&p, 1, -1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

/* The connection's open description is shared with the front, which may have
 * made it non-blocking; so we wait by poll. */
static enum chan_result
receive_waiting(int fd, uint8_t *buffer, int *fd_out, struct span *bytes_out)
{
	enum chan_result result;

	do {
		if (!wait_readable(fd))
			return CHAN_CLOSED;
		result = chan_receive(fd, buffer, false, fd_out, bytes_out);
	} while (result == CHAN_AGAIN);
	return result;
}

/* The job, and the connection on which its file will come. */
static bool
receive_order(void)
{
	struct job_order record;
	struct frame frame;
	struct span bytes;

	if (receive_waiting(WORKER_CHANNEL_FD, order.record, &order.door,
			    &bytes) != CHAN_OK ||
	    frame_decode(bytes, PARTY_SUPERVISOR, &frame) != ST_OK ||
	    frame.message != MSG_JOB || order.door < 0 ||
	    !job_order_read(frame.payload, &record) ||
	    !job_read(record.job, &order.job))
		return false;
	delivery.job = frame.job;
	order.memory_bytes = record.memory_bytes;
	order.cpu_seconds = record.cpu_seconds;
	return true;
}

static enum status
no_descriptor(void)
{
	failure_init(&failure, ST_INPUT_KIND, RE_NO_DESCRIPTOR);
	return ST_INPUT_KIND;
}

/* One byte and one descriptor, which goes where the filter expects it. */
static enum status
receive_file(void)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;
	int fd = -1;

	if (receive_waiting(order.door, buffer, &fd, &bytes) != CHAN_OK)
		return no_descriptor();
	fd_close(&order.door);
	if (fd < 0 || bytes.len != 1 || bytes.data[0] != DOOR_FILE_BYTE) {
		fd_close(&fd);
		return no_descriptor();
	}
	if (fd != WORKER_INPUT_FD) {
		int moved = dup3(fd, WORKER_INPUT_FD, O_CLOEXEC);

		fd_close(&fd);
		if (moved != WORKER_INPUT_FD)
			return no_descriptor();
	}
	return source_check_fd(WORKER_INPUT_FD, &failure);
}

static enum status
setup_failed(const char *what)
{
	failure_init(&failure, ST_WORKER_START_FAILED, RE_SETUP_FAILED);
	failure_say(&failure, "sandbox layer not up: %s", what);
	return ST_WORKER_START_FAILED;
}

/* From here on only what proto/syscalls.def lists. */
static enum status
close_the_room(void)
{
	if (!sandbox_narrow(order.memory_bytes, order.cpu_seconds))
		return setup_failed("rlimits");
	if (!sandbox_filter_install(WORKER_FILTER_FD))
		return setup_failed("seccomp");
	return ST_OK;
}

/* What is wrong with a file that changed under us is that it changed. */
static enum status
blame_the_change(enum status status)
{
	if (status_fault(status) != FAULT_INPUT || status == ST_INPUT_KIND ||
	    status == ST_ARTIFACT_CHANGED || input_same(&input))
		return status;
	failure_init(&failure, ST_ARTIFACT_CHANGED, RE_CHANGED_WHILE_READ);
	return ST_ARTIFACT_CHANGED;
}

static enum status
do_job(void)
{
	const struct job *job = &order.job;
	struct extract_sink sink = delivery_sink(&delivery);
	enum status status;

	arena_init(&arena, order.memory_bytes - NOT_ARENA_BYTES);
	arena.on_exhausted = on_exhausted;
	status = input_open(&input, &arena, WORKER_INPUT_FD, &job->limits,
			    job->digest || job->has_sha256, &failure);
	if (status == ST_OK)
		status = extract(job, &input, &arena, &sink, &failure);
	return blame_the_change(status);
}

static enum status
run_job(void)
{
	TRY(receive_file());
	TRY(close_the_room());
	return do_job();
}

/* Neither the artifact's nor the job's fault, so no answer: how we end says
 * it. The words are for the log. */
static int
set_up_in_vain(void)
{
	deliver_last_words(WORKER_CHANNEL_FD, delivery.job, failure.message);
	return WORKER_EXIT_SETUP;
}

int
serve(uint32_t layers)
{
	enum status status;

	bug_last_words = on_bug;
	delivery_init(&delivery, WORKER_CHANNEL_FD, 0);
	deliver_ready(&delivery, layers);
	if (!receive_order() || order.memory_bytes <= NOT_ARENA_BYTES)
		return WORKER_EXIT_PROTOCOL;
	status = run_job();
	if (status == ST_WORKER_START_FAILED)
		return set_up_in_vain();
	if (status == ST_OK)
		deliver_done(&delivery);
	else
		deliver_failed(&delivery, &failure);
	return WORKER_EXIT_DONE;
}

int
serve_refuse(const char *layer)
{
	delivery_init(&delivery, WORKER_CHANNEL_FD, 0);
	(void)setup_failed(layer);
	deliver_failed(&delivery, &failure);
	return WORKER_EXIT_SETUP;
}
