/*
 * What stand-in workers share: they are started by the real supervisor in
 * place of extract-worker, speak its protocol, and then misbehave. They claim
 * the layers they were asked for without putting them up, but for
 * no_new_privs and, where a sin is about it, the filter.
 */
#ifndef MISBEHAVE_STANDIN_H
#define MISBEHAVE_STANDIN_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/answer.h"
#include "proto/chan.h"
#include "proto/failure.h"
#include "proto/frame.h"
#include "proto/job.h"
#include "proto/link.h"
#include "proto/worker_fds.h"

static uint8_t standin_bytes[FRAME_BYTES_MAX];
static uint64_t standin_id;

/* Begins a frame about the job. */
static inline void
standin_begin(struct writer *w, enum message message)
{
	writer_init(w, standin_bytes, sizeof(standin_bytes));
	frame_begin(w, message, standin_id);
}

/* Sends it, by the only call that the filter allows for that. */
static inline void
standin_send(struct writer *w)
{
	struct span bytes = frame_end(w);

	(void)sendto(WORKER_CHANNEL_FD, bytes.data, bytes.len, MSG_NOSIGNAL,
		     NULL, 0);
}

/* READY, with those layers. */
static inline void
standin_say_ready(uint32_t layers)
{
	const struct ready_record ready = {.pid = (uint32_t)getpid(),
					   .sandbox = layers};
	struct writer w;

	standin_begin(&w, MSG_READY);
	ready_write(&w, &ready);
	standin_send(&w);
}

static inline void
standin_ready(char **argv)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	standin_say_ready((uint32_t)strtoul(argv[2], NULL, 10) |
			  1U << SANDBOX_NO_NEW_PRIVS | 1U << SANDBOX_RLIMITS |
			  1U << SANDBOX_NO_CAPABILITIES);
}

/* One record, however its socket is set. */
static inline struct span
standin_receive(int fd, uint8_t *buffer, int *fd_out)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct span bytes = {NULL, 0};

	if (poll(&p, 1, -1) != 1 ||
	    chan_receive(fd, buffer, false, fd_out, &bytes) != CHAN_OK)
		_exit(WORKER_EXIT_PROTOCOL);
	return bytes;
}

/* The job and its file, as the real worker takes them. Returns the artifact's
 * name, by which a client chooses the sin. */
static inline const char *
standin_receive_job(void)
{
	static uint8_t record[FRAME_BYTES_MAX];
	static char name[JOB_NAME_BYTES_MAX + 1];
	struct job_order order;
	struct frame frame;
	struct job job;
	int door = -1, file = -1;

	if (frame_decode(standin_receive(WORKER_CHANNEL_FD, record, &door),
			 PARTY_SUPERVISOR, &frame) != ST_OK ||
	    !job_order_read(frame.payload, &order) ||
	    !job_read(order.job, &job))
		_exit(WORKER_EXIT_PROTOCOL);
	standin_id = frame.job;
	memcpy(name, job.name.data, job.name.len);
	(void)standin_receive(door, standin_bytes, &file);
	close(door);
	if (file != WORKER_INPUT_FD) {
		dup2(file, WORKER_INPUT_FD);
		close(file);
	}
	return name;
}

/* After a READY that claims what it must. */
static inline const char *
standin_take_job(char **argv)
{
	standin_ready(argv);
	return standin_receive_job();
}

static inline void
standin_install_filter(void)
{
	static struct sock_filter program[BPF_MAXINSNS];
	ssize_t n = pread(WORKER_FILTER_FD, program, sizeof(program), 0);
	struct sock_fprog filter = {
	    .len = (unsigned short)(n / (ssize_t)sizeof(program[0])),
	    .filter = program};

	if (n <= 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)
		_exit(WORKER_EXIT_SETUP);
}

/* A failure with a message, which is an answer. */
static inline void
standin_fail(enum status status, enum reason reason, const char *message)
{
	struct failure failure;
	struct writer w;

	failure_init(&failure, status, reason);
	failure_say(&failure, "%s", message);
	standin_begin(&w, MSG_FAILED);
	failure_write(&w, &failure);
	standin_send(&w);
}

/* A well-formed RESULT that promises so many rows of one metric. */
static inline void
standin_result(uint64_t rows)
{
	struct answer answer = {
	    .format = FORMAT_V8_CPUPROFILE,
	    .has_digest = true,
	    .bytes = 1,
	    .decoded_bytes = 1,
	    .metrics_len = 1,
	    .rows_total = rows,
	    .rows_returned = rows,
	};
	struct writer w;

	answer.metrics[0] = (struct metric){.name = span_str("cpu.samples"),
					    .unit = span_str("count"),
					    .total = rows,
					    .active = rows};
	standin_begin(&w, MSG_RESULT);
	answer_write(&w, &answer);
	standin_send(&w);
}

/* One ROWS frame with so many rows. */
static inline void
standin_rows(uint16_t count)
{
	struct row row = {.frame_type = FRAME_TYPE_V8JS,
			  .language = LANGUAGE_JAVASCRIPT,
			  .function = span_str("standin"),
			  .url = span_str("file:///standin.js"),
			  .rank_self = 1,
			  .rank_inclusive = 1,
			  .self = {1},
			  .inclusive = {1}};
	struct writer w;

	standin_begin(&w, MSG_ROWS);
	writer_put_u16(&w, count);
	for (unsigned i = 0; i < count; i++)
		row_write(&w, &row, 1);
	standin_send(&w);
}

static inline void
standin_done(uint32_t rows)
{
	struct writer w;

	standin_begin(&w, MSG_DONE);
	writer_put_u32(&w, rows);
	standin_send(&w);
}

#endif
