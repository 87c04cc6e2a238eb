/*
 * One handler a record, in a table. A record about a job that is not known is
 * ignored: the job may just have been forgotten.
 */
#include "broker/front/link_events.h"

#include "broker/front/channels.h"
#include "broker/front/delivery.h"
#include "broker/front/status_reply.h"
#include "proto/fd.h"
#include "proto/link.h"

typedef bool (*event_fn)(struct front *front, const struct frame *frame,
			 int *fd);

#define REPLY_BYTES_MAX (16 * 1024)
#define STATUS_BYTES_MAX (64 * 1024)

static struct span
id_of(const struct question *q)
{
	return span_of(q->id, q->id_len);
}

static void
tell_accepted(struct front *front, const struct question *q,
	      const struct tracked *job)
{
	struct outbox o;

	outbox_init(&o, REPLY_BYTES_MAX);
	delivery_envelope(&o, "accepted", q->has_id, id_of(q), &job->id);
	outbox_raw(&o, ",\"ticket\":");
	outbox_hex(&o, job->ticket, TICKET_BYTES);
	outbox_raw(&o, ",\"door\":");
	outbox_string(&o, span_str(front->door_path));
	outbox_raw(&o, "}");
	if (delivery_reply(front, &q->peer, &o) != SENT_OK)
		link_client_cancel(&front->link, job->id, RE_CLIENT_GONE);
	outbox_fini(&o);
}

static bool
on_admitted(struct front *front, const struct frame *frame, int *fd)
{
	uint8_t ticket[TICKET_BYTES];
	struct question *q;
	struct tracked *job;
	uint64_t number;

	(void)fd;
	if (!admitted_read(frame->payload, &number, ticket) || number == 0)
		return false;
	q = pending_find(&front->pending, number);
	if (q == NULL || q->record == NULL)
		return false;
	job = ledger_add(&front->ledger, frame->job,
			 span_of(q->record, q->record_len));
	if (job == NULL)
		return false;
	memcpy(job->ticket, ticket, TICKET_BYTES);
	job->started_ms = front->now_ms;
	job->class = q->class;
	job->detached = q->detach;
	tell_accepted(front, q, job);
	pending_remove(&front->pending, q);
	return true;
}

static bool
on_refused(struct front *front, const struct frame *frame, int *fd)
{
	struct refused_record refused;
	struct failure failure;
	struct about about = {.ceilings = &front->rules.ceilings};
	struct question *q;
	struct job job;

	(void)fd;
	if (!refused_read(frame->payload, &refused) || refused.request == 0)
		return false;
	q = pending_find(&front->pending, refused.request);
	if (q == NULL || q->record == NULL ||
	    !job_read(span_of(q->record, q->record_len), &job))
		return false;
	about.has_name = true;
	about.name = job.name;
	about.retry_after_ms = refused.retry_after_ms;
	failure_init(&failure, refused.status, RE_NONE);
	if (refused.status == ST_CANCELLED)
		failure.reason = RE_SHUTDOWN;
	delivery_refuse(front, &q->peer, q->has_id, id_of(q), &failure, &about);
	pending_remove(&front->pending, q);
	return true;
}

static bool
on_channel(struct front *front, const struct frame *frame, int *fd)
{
	struct tracked *job = ledger_find(&front->ledger, frame->job);
	uint32_t sandbox;

	if (*fd < 0 || !channel_read(frame->payload, &sandbox))
		return false;
	if (job != NULL && job->stage != STAGE_ENDED)
		channels_open(front, job, fd, sandbox);
	return true;
}

static bool
on_obituary(struct front *front, const struct frame *frame, int *fd)
{
	struct tracked *job = ledger_find(&front->ledger, frame->job);
	struct obituary_record obituary;

	(void)fd;
	if (!obituary_read(frame->payload, &obituary))
		return false;
	front->stirred = true;
	if (job == NULL || job->stage == STAGE_ENDED)
		return true;
	job->obituary = obituary;
	job->has_obituary = true;
	channels_read(front, job);
	return true;
}

static bool
on_adopt(struct front *front, const struct frame *frame, int *fd)
{
	static const enum stage stages[ADOPT_STATE_COUNT] = {
	    [ADOPT_ADMITTED] = STAGE_ADMITTED,
	    [ADOPT_QUEUED] = STAGE_QUEUED,
	    [ADOPT_RUNNING] = STAGE_RUNNING,
	    [ADOPT_ENDED] = STAGE_RUNNING, /* until its obituary comes */
	};
	struct adopt_record adopt;
	struct tracked *job;

	if (!adopt_read(frame->payload, &adopt) ||
	    (*fd >= 0) != (adopt.state == ADOPT_RUNNING))
		return false;
	job = ledger_add(&front->ledger, frame->job, adopt.job);
	if (job == NULL)
		return false;
	memcpy(job->ticket, adopt.ticket, TICKET_BYTES);
	job->class = adopt.class;
	job->detached = !adopt.leased;
	job->adopted = true;
	front->stirred = true;
	job->started_ms = front->now_ms - adopt.ran_ms;
	job->stage = stages[adopt.state];
	job->sandbox = adopt.sandbox;
	if (adopt.state == ADOPT_RUNNING)
		channels_open(front, job, fd, adopt.sandbox);
	return true;
}

void
link_ask_settled(struct front *front)
{
	static const struct peer ourselves;
	static const struct request request;
	struct question *q = pending_add(&front->pending, &ourselves, &request,
					 span_of(NULL, 0));

	front->stirred = false;
	link_client_ask_status(&front->link, q->number);
}

static void
tell_status(struct front *front, const struct question *q,
	    const struct status_record *status)
{
	struct outbox o;

	outbox_init(&o, STATUS_BYTES_MAX);
	delivery_envelope(&o, "status", q->has_id, id_of(q), NULL);
	outbox_raw(&o, ",\"status\":");
	status_reply(&o, front, status);
	outbox_raw(&o, "}");
	(void)delivery_reply(front, &q->peer, &o);
	outbox_fini(&o);
}

static bool
on_status(struct front *front, const struct frame *frame, int *fd)
{
	struct status_record status;
	struct question *q;
	bool ours;

	(void)fd;
	if (!status_record_read(frame->payload, &status) || status.request == 0)
		return false;
	q = pending_find(&front->pending, status.request);
	if (q == NULL || q->record != NULL)
		return false;
	ours = q->peer.id_len == 0;
	if (!ours)
		tell_status(front, q, &status);
	pending_remove(&front->pending, q);
	if (ours && front->stirred)
		link_ask_settled(front);
	else if (ours)
		front->settled = true;
	return true;
}

static bool
on_drain(struct front *front, const struct frame *frame, int *fd)
{
	(void)frame;
	(void)fd;
	front->draining = true;
	return true;
}

static const struct {
	enum message message;
	event_fn handle;
} events_table[] = {
    {MSG_ADMITTED, on_admitted}, {MSG_REFUSED, on_refused},
    {MSG_CHANNEL, on_channel},	 {MSG_OBITUARY, on_obituary},
    {MSG_ADOPT, on_adopt},	 {MSG_STATUS, on_status},
    {MSG_DRAIN, on_drain},
};

bool
link_event(struct front *front, const struct frame *frame, int *fd)
{
	bool ok = false;

	for (size_t i = 0; i < sizeof(events_table) / sizeof(events_table[0]);
	     i++)
		if (events_table[i].message == frame->message)
			ok = events_table[i].handle(front, frame, fd);
	fd_close(fd);
	return ok;
}
