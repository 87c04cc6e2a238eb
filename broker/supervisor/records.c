/*
 * Decodes and obeys the front. A record about a job that is not known (any
 * more) is no fault: it crossed with the end of that job.
 */
#include "broker/supervisor/records.h"

#include <sys/socket.h>

#include "broker/supervisor/admission.h"
#include "broker/supervisor/letters.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/service.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/frame.h"

/* Polling or passing on anything else could make us wait for whoever serves
 * it. */
static bool
is_door_connection(int fd)
{
	int domain, type;
	socklen_t len = sizeof(int);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 &&
	       domain == AF_UNIX && type == SOCK_SEQPACKET;
}

static enum status
on_admit(struct service *s, const struct frame *frame)
{
	struct admit_record admit;

	if (frame->job != 0 || !admit_read(frame->payload, &admit))
		return ST_BAD_REPLY;
	return admission_ask(s, &admit);
}

static enum status
on_ask_status(struct service *s, const struct frame *frame)
{
	struct status_record report;
	struct reader r;
	uint64_t request;

	reader_init(&r, frame->payload);
	request = reader_get_u64(&r);
	if (!reader_end(&r))
		return ST_BAD_REPLY;
	stats_report(s, request, &report);
	letter_status(&s->front.box, &report);
	return ST_OK;
}

/* The front may say that a client left or that a worker's frames were bad. */
static enum status
status_of_cancel(enum reason reason, enum status *status_out)
{
	switch (reason) {
	case RE_BY_CLIENT:
	case RE_CLIENT_GONE:
		*status_out = ST_CANCELLED;
		return ST_OK;
	case RE_BAD_FRAME:
	case RE_BAD_ORDER:
	case RE_NO_ANSWER:
	case RE_TOO_MUCH:
		*status_out = ST_BAD_REPLY;
		return ST_OK;
	default:
		return ST_BAD_REPLY;
	}
}

static enum status
read_cancel(const struct frame *frame, struct happening *happening)
{
	enum reason reason;

	if (!cancel_read(frame->payload, &reason))
		return ST_BAD_REPLY;
	TRY(status_of_cancel(reason, &happening->cause.status));
	happening->cause.reason = reason;
	return ST_OK;
}

static enum status
event_of(const struct frame *frame, int fd, struct happening *happening)
{
	switch (frame->message) {
	case MSG_START:
		happening->event = JOB_EVENT_START;
		return is_door_connection(fd) ? ST_OK : ST_BAD_REPLY;
	case MSG_ALIVE:
		happening->event = JOB_EVENT_ALIVE;
		return ST_OK;
	case MSG_HOLD:
		happening->event = JOB_EVENT_HOLD;
		return ST_OK;
	case MSG_DELIVERING:
		happening->event = JOB_EVENT_DELIVERING;
		return ST_OK;
	case MSG_DELIVERED:
		happening->event = JOB_EVENT_DELIVERED;
		return ST_OK;
	case MSG_VERDICT:
		happening->event = JOB_EVENT_VERDICT;
		return verdict_read(frame->payload, &happening->verdict)
			   ? ST_OK
			   : ST_BAD_REPLY;
	case MSG_CANCEL:
		happening->event = JOB_EVENT_CANCEL;
		return read_cancel(frame, happening);
	default:
		return ST_BAD_REPLY;
	}
}

static enum status
on_job(struct service *s, const struct frame *frame, int *fd)
{
	struct happening happening = {.cause = {.limit = LIMIT_NONE}};
	struct live_job *job;

	TRY(event_of(frame, *fd, &happening));
	job = jobs_find(&s->jobs, frame->job);
	if (job == NULL || !job->known)
		return ST_OK;
	if (happening.event == JOB_EVENT_START && job->state == JOB_ADMITTED)
		job->connection = fd_take(fd);
	return life_happen(s, job, &happening);
}

static enum status
obey(struct service *s, const struct frame *frame, int *fd)
{
	switch (frame->message) {
	case MSG_FRONT_READY:
		if (s->front.ready || frame->job != 0)
			return ST_BAD_REPLY;
		front_is_ready(s);
		return ST_OK;
	case MSG_FRONT_HERE:
		return frame->job == 0 ? ST_OK : ST_BAD_REPLY;
	case MSG_ADMIT:
		return on_admit(s, frame);
	case MSG_ASK_STATUS:
		return on_ask_status(s, frame);
	default:
		return on_job(s, frame, fd);
	}
}

enum status
record_handle(struct service *s, struct span bytes, int *fd)
{
	struct frame frame;

	TRY(frame_decode(bytes, PARTY_FRONT, &frame));
	if ((*fd >= 0) != (message_fds(frame.message) == 1))
		return ST_BAD_REPLY;
	return obey(s, &frame, fd);
}

/* The client's connection is gone with it, so its job cannot begin. */
static enum chan_result
on_lost_connection(struct service *s, struct span bytes)
{
	struct frame frame;
	struct live_job *job;

	if (frame_decode(bytes, PARTY_FRONT, &frame) != ST_OK ||
	    frame.message != MSG_START)
		return CHAN_BAD;
	log_event(LOG_LEVEL_ERROR, "no_descriptor", "%s", "");
	job = jobs_find(&s->jobs, frame.job);
	if (job != NULL && job->known && job->state == JOB_ADMITTED)
		life_end(s, job, JOB_EVENT_CANCEL, ST_WORKER_START_FAILED,
			 RE_NONE);
	return CHAN_OK;
}

/* CHAN_OK when one was read and obeyed. */
static enum chan_result
read_one(struct service *s)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;
	enum chan_result result;
	int fd = -1;

	result = chan_receive(s->front.link, buffer, false, &fd, &bytes);
	if (result == CHAN_LOST)
		return on_lost_connection(s, bytes);
	if (result != CHAN_OK)
		return result;
	s->front.heard_us = s->now_us;
	if (record_handle(s, bytes, &fd) != ST_OK)
		result = CHAN_BAD;
	fd_close(&fd);
	return result;
}

void
records_read(struct service *s)
{
	enum chan_result result = CHAN_OK;

	if (s->front.link < 0 || s->front.condemned)
		return;
	for (unsigned i = 0; i < RECORDS_A_TURN && result == CHAN_OK; i++)
		result = read_one(s);
	if (result == CHAN_BAD)
		front_condemn(s, "bad_record");
	if (result == CHAN_CLOSED)
		front_condemn(s, "link_closed");
}

void
records_read_last(struct service *s)
{
	if (s->front.condemned)
		return;
	/* what a socket holds is bounded, and nobody fills it any more */
	while (s->front.link >= 0 && read_one(s) == CHAN_OK)
		;
}
