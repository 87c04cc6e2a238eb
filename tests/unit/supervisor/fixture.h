/*
 * A service without processes: tables, clocks, and a front played by the test
 * at the other end of the link.
 */
#ifndef UNIT_SUPERVISOR_FIXTURE_H
#define UNIT_SUPERVISOR_FIXTURE_H

#include <criterion/criterion.h>
#include <sys/socket.h>

#include "proto/job.h"
#include "tests/support/supervisor_play.h"

struct fixture {
	struct service s;
	int front;    /* the front's end of the link */
	uint64_t job; /* of the last ADMITTED */
	uint64_t request;
	uint8_t bytes[FRAME_BYTES_MAX];
	uint8_t got[FRAME_BYTES_MAX];
};

static inline void
fixture_config(struct config *config)
{
	*config = (struct config){.runtime_dir = "/nowhere",
				  .workers = 2,
				  .queue = 2,
				  .total_memory_bytes = GIB,
				  .lifeline_fd = -1,
				  .ready_fd = -1};
	limits_default(&config->defaults);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		config->ceilings.of[i] = limit_ceiling((enum limit)i);
	config->ceilings.of[LIMIT_MEMORY_BYTES] = GIB;
}

static inline struct fixture *
fixture_new(void)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct config config;
	int link[2];

	cr_assert_not_null(f);
	fixture_config(&config);
	cr_assert(service_init(&f->s, &config));
	cr_assert(chan_pair(link));
	f->s.front.link = link[0];
	f->s.front.ready = true;
	letterbox_init(&f->s.front.box, link[0]);
	f->front = link[1];
	return f;
}

static inline void
fixture_free(struct fixture *f)
{
	service_fini(&f->s);
	fd_close(&f->front);
	free(f);
}

/* The next frame that the front gets; false when there is none. */
static inline bool
fixture_get(struct fixture *f, struct frame *out, int *fd)
{
	struct span bytes;
	int none = -1;

	if (chan_receive(f->front, f->got, false, fd == NULL ? &none : fd,
			 &bytes) != CHAN_OK)
		return false;
	fd_close(&none);
	cr_assert_eq(frame_decode(bytes, PARTY_SUPERVISOR, out), ST_OK);
	return true;
}

static inline void
fixture_expect(struct fixture *f, enum message message, struct frame *out)
{
	cr_assert(fixture_get(f, out, NULL), "no %s came",
		  message_name(message));
	cr_assert_eq(out->message, message, "%s came instead of %s",
		     message_name(out->message), message_name(message));
}

/* Hands the frame in w to the supervisor as the front's. *fd is closed. */
static inline enum status
fixture_say(struct fixture *f, struct writer *w, int *fd)
{
	enum status status = record_handle(&f->s, frame_end(w), fd);

	fd_close(fd);
	return status;
}

/* A record that is empty but for its header. */
static inline enum status
fixture_tell(struct fixture *f, enum message message, uint64_t job)
{
	struct writer w;
	int none = -1;

	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, message, job);
	return fixture_say(f, &w, &none);
}

static inline enum status
fixture_cancel(struct fixture *f, uint64_t job, enum reason reason)
{
	struct writer w;
	int none = -1;

	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_CANCEL, job);
	cancel_write(&w, reason);
	return fixture_say(f, &w, &none);
}

static inline struct admit_record
fixture_ask(void)
{
	static uint8_t record[FRAME_BYTES_MAX];
	struct writer w;
	struct job job;

	job_init(&job);
	job.name = span_str("a.cpuprofile");
	writer_init(&w, record, sizeof(record));
	job_write(&w, &job);
	return (struct admit_record){
	    .request = 7,
	    .memory_bytes = 256 * MIB,
	    .cpu_seconds = 10,
	    .wall_seconds = 20,
	    .stall_seconds = 5,
	    .leased = true,
	    .job = span_of(record, w.len),
	};
}

static inline enum status
fixture_admit(struct fixture *f, const struct admit_record *admit)
{
	struct writer w;
	int none = -1;

	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_ADMIT, 0);
	admit_write(&w, admit);
	return fixture_say(f, &w, &none);
}

/* A job that was admitted; the front has read so. */
static inline struct live_job *
fixture_job(struct fixture *f)
{
	struct admit_record admit = fixture_ask();
	struct frame frame;

	cr_assert_eq(fixture_admit(f, &admit), ST_OK);
	fixture_expect(f, MSG_ADMITTED, &frame);
	return jobs_find(&f->s.jobs, frame.job);
}

/* START with a door connection, whose client's end is returned. */
static inline int
fixture_start(struct fixture *f, uint64_t job)
{
	struct writer w;
	int door[2];

	cr_assert(chan_pair(door));
	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_START, job);
	cr_assert_eq(fixture_say(f, &w, &door[0]), ST_OK);
	return door[1];
}

/* A worker that is warm: no process, but a channel. Returns its end. */
static inline int
fixture_worker(struct fixture *f)
{
	int far = play_worker(&f->s);

	cr_assert_geq(far, 0);
	return far;
}

/* Its worker was reaped, having exited well. */
static inline void
fixture_reap(struct fixture *f, struct live_job *job)
{
	static const struct ending well = {.cpu_us = 5, .peak_rss_bytes = 6};

	pool_bury(&f->s, (unsigned)job->worker, &well);
}

static inline struct obituary_record
fixture_obituary(struct fixture *f)
{
	struct obituary_record obituary;
	struct frame frame;

	fixture_expect(f, MSG_OBITUARY, &frame);
	cr_assert(obituary_read(frame.payload, &obituary));
	return obituary;
}

#endif
