/*
 * Handlers answer at once, or leave a question in `pending` or a waiter at a
 * job, from which the answer comes later.
 */
#include "broker/front/ops.h"

#include "broker/front/delivery.h"
#include "broker/front/turn.h"
#include "proto/bug.h"
#include "proto/terms.h"

typedef void (*op_fn)(struct front *front, const struct peer *peer,
		      const struct request *request);

#define LIST_BYTES_MAX (1024 * 1024) /* a listing: formats, limits, jobs */
#define LIST_ROOM (32 * 1024)	     /* the longest entry: a job's name */

static void
refuse(struct front *front, const struct peer *peer,
       const struct request *request, const struct failure *failure,
       uint32_t retry_after_ms)
{
	struct about about = {.has_job = request->op != OP_SUBMIT &&
					 request->job_id != 0,
			      .job = request->job_id,
			      .has_name = request->job.name.data != NULL,
			      .name = request->job.name,
			      .retry_after_ms = retry_after_ms,
			      .ceilings = &front->rules.ceilings};

	delivery_refuse(front, peer, request->has_id, request->id, failure,
			&about);
}

static void
refuse_as(struct front *front, const struct peer *peer,
	  const struct request *request, enum status status, enum reason reason)
{
	struct failure failure;

	failure_init(&failure, status, reason);
	refuse(front, peer, request, &failure, 0);
}

/* A job that is not known: it went, or never was. */
static void
refuse_job(struct front *front, const struct peer *peer,
	   const struct request *request)
{
	refuse_as(front, peer, request, ST_RESULT_EXPIRED,
		  results_went(&front->results, request->job_id)
		      ? RE_EXPIRED
		      : RE_UNKNOWN_JOB);
}

static void
on_submit(struct front *front, const struct peer *peer,
	  const struct request *request)
{
	uint8_t record[FRAME_PAYLOAD_MAX];
	struct question *q;
	struct writer w;

	if (front->draining) {
		front->refused[REJECTED_SHUTTING_DOWN]++;
		refuse_as(front, peer, request, ST_CANCELLED, RE_SHUTDOWN);
		return;
	}
	writer_init(&w, record, sizeof(record));
	job_write(&w, &request->job);
	BUG_ON(w.failed);
	q = pending_add(&front->pending, peer, request, span_of(record, w.len));
	link_client_admit(&front->link, q->number, request,
			  turn_of(peer, front->seed), span_of(record, w.len));
}

static void
on_status(struct front *front, const struct peer *peer,
	  const struct request *request)
{
	struct question *q =
	    pending_add(&front->pending, peer, request, span_of(NULL, 0));

	link_client_ask_status(&front->link, q->number);
}

static void
tell_pending(struct front *front, const struct peer *peer,
	     const struct request *request, const struct tracked *job)
{
	struct outbox o;

	outbox_init(&o, LIST_BYTES_MAX);
	delivery_envelope(&o, "pending", request->has_id, request->id,
			  &job->id);
	outbox_raw(&o, ",\"state\":");
	outbox_string(&o, span_str(delivery_state(job)));
	outbox_raw(&o, "}");
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

static void
on_result(struct front *front, const struct peer *peer,
	  const struct request *request)
{
	struct tracked *job = ledger_find(&front->ledger, request->job_id);
	struct waiter *w;
	struct failure failure;

	if (job == NULL) {
		refuse_job(front, peer, request);
		return;
	}
	if (job->stage != STAGE_ENDED && !request->wait) {
		tell_pending(front, peer, request, job);
		return;
	}
	w = ledger_wait(&front->ledger, job, peer, request);
	if (w == NULL) {
		failure_init(&failure, ST_BUSY, RE_NONE);
		failure_say(&failure, "too many wait for this job's result");
		refuse(front, peer, request, &failure, 1000);
		return;
	}
	w->progress = request->progress;
	job->news = true; /* so whoever asks again hears that it lives */
	if (job->stage == STAGE_ENDED)
		delivery_tell(front, job);
	else
		delivery_progress(front, job);
}

static void
reply_plain(struct front *front, const struct peer *peer,
	    const struct request *request, const char *type, const char *rest)
{
	struct outbox o;

	outbox_init(&o, LIST_BYTES_MAX);
	delivery_envelope(&o, type, request->has_id, request->id, NULL);
	outbox_raw(&o, rest);
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

/* A job that is not known (any more) is as good as acknowledged. */
static void
on_ack(struct front *front, const struct peer *peer,
       const struct request *request)
{
	struct tracked *job = ledger_find(&front->ledger, request->job_id);
	struct failure failure;

	if (job != NULL && job->stage != STAGE_ENDED) {
		failure_init(&failure, ST_INVALID_REQUEST, RE_BAD_VALUE);
		failure_say(&failure, "the job has not ended");
		refuse(front, peer, request, &failure, 0);
		return;
	}
	if (job != NULL)
		delivery_forget(front, job);
	reply_plain(front, peer, request, "ok", "}");
}

static void
on_cancel(struct front *front, const struct peer *peer,
	  const struct request *request)
{
	struct tracked *job = ledger_find(&front->ledger, request->job_id);

	if (job == NULL) {
		refuse_job(front, peer, request);
		return;
	}
	if (job->stage != STAGE_ENDED && !job->has_obituary)
		link_client_cancel(&front->link, job->id, RE_BY_CLIENT);
	reply_plain(front, peer, request, "ok", "}");
}

static void
on_formats(struct front *front, const struct peer *peer,
	   const struct request *request)
{
	struct outbox o;
	bool first = true;

	outbox_init(&o, LIST_BYTES_MAX);
	delivery_envelope(&o, "formats", request->has_id, request->id, NULL);
	outbox_raw(&o, ",\"formats\":[");
	for (unsigned i = FORMAT_ANY + 1; i < FORMAT_COUNT; i++) {
		const struct format_info *info = format_info((enum format)i);

		outbox_comma(&o, &first);
		outbox_raw(&o, "{\"name\":");
		outbox_string(&o, span_str(info->name));
		outbox_raw(&o, ",\"kind\":");
		outbox_string(&o, span_str(info->kind));
		outbox_raw(&o, ",\"extractor\":{\"name\":");
		outbox_string(&o, span_str(info->extractor));
		outbox_raw(&o, ",\"version\":");
		outbox_u64(&o, info->version);
		outbox_raw(&o, "},\"media_type\":");
		outbox_string(&o, span_str(info->media_type));
		outbox_raw(&o, ",\"description\":");
		outbox_string(&o, span_str(info->what));
		outbox_raw(&o, "}");
	}
	outbox_raw(&o, "]}");
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

static void
on_limits(struct front *front, const struct peer *peer,
	  const struct request *request)
{
	struct outbox o;
	bool first = true;

	outbox_init(&o, LIST_BYTES_MAX);
	delivery_envelope(&o, "limits", request->has_id, request->id, NULL);
	outbox_raw(&o, ",\"limits\":[");
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		enum limit limit = (enum limit)i;

		outbox_comma(&o, &first);
		outbox_raw(&o, "{\"name\":");
		outbox_string(&o, span_str(limit_name(limit)));
		outbox_raw(&o, ",\"default\":");
		outbox_u64(&o, front->rules.defaults.of[i]);
		outbox_raw(&o, ",\"ceiling\":");
		outbox_u64(&o, front->rules.ceilings.of[i]);
		outbox_raw(&o, ",\"unit\":");
		outbox_string(&o, span_str(limit_unit_name(limit)));
		outbox_raw(&o, ",\"reason\":");
		outbox_string(&o, span_str(limit_why(limit)));
		outbox_raw(&o, "}");
	}
	outbox_raw(&o, "]}");
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

static void
put_job_kind(struct outbox *o, const struct tracked *job)
{
	outbox_raw(o, ",\"class\":");
	outbox_string(o, span_str(job_class_name(job->class)));
	outbox_raw(o, ",\"detached\":");
	outbox_bool(o, job->detached);
}

static void
put_outcome(struct outbox *o, const struct tracked *job)
{
	const char *outcome = job->partial ? "partial" : "ok";

	if (job->outcome != ST_OK)
		outcome = status_name(job->outcome);
	outbox_raw(o, ",\"outcome\":");
	outbox_string_or_null(o, job->stage == STAGE_ENDED, span_str(outcome));
}

static void
put_job(const struct front *front, struct outbox *o, const struct tracked *job)
{
	int64_t until =
	    job->stage == STAGE_ENDED ? job->ended_ms : front->now_ms;
	char id[JOB_ID_TEXT_BYTES + 1];

	job_id_write(job->id, id);
	outbox_raw(o, "{\"job\":");
	outbox_string(o, span_str(id));
	outbox_raw(o, ",\"name\":");
	outbox_string(o, job->job.name);
	outbox_raw(o, ",\"state\":");
	outbox_string(o, span_str(delivery_state(job)));
	put_job_kind(o, job);
	put_outcome(o, job);
	outbox_raw(o, ",\"elapsed_ms\":");
	outbox_i64(o, until - job->started_ms);
	outbox_raw(o, ",\"bytes\":");
	outbox_u64(o, job->relay.progress.bytes);
	outbox_raw(o, ",\"total\":");
	outbox_u64(o, job->relay.progress.total);
	outbox_raw(o, "}");
}

/* How many found no room. */
static uint64_t
put_jobs(const struct front *front, struct outbox *o,
	 const struct tracked_list *list, bool *first)
{
	const struct tracked *job = list->oldest;
	uint64_t left_out = list->len;

	for (; job != NULL && o->cap - o->len > LIST_ROOM; job = job->younger) {
		outbox_comma(o, first);
		put_job(front, o, job);
		left_out--;
	}
	return left_out;
}

static void
on_jobs(struct front *front, const struct peer *peer,
	const struct request *request)
{
	struct outbox o;
	bool first = true;
	uint64_t left_out;

	outbox_init(&o, LIST_BYTES_MAX);
	delivery_envelope(&o, "jobs", request->has_id, request->id, NULL);
	outbox_raw(&o, ",\"jobs\":[");
	left_out = put_jobs(front, &o, &front->ledger.live, &first);
	left_out += put_jobs(front, &o, &front->ledger.ended, &first);
	outbox_raw(&o, "],\"left_out\":");
	outbox_u64(&o, left_out);
	outbox_raw(&o, "}");
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

static void
on_version(struct front *front, const struct peer *peer,
	   const struct request *request)
{
	reply_plain(front, peer, request, "version",
		    ",\"version\":\"" EXTRACTD_VERSION "\",\"api\":1}");
}

static const op_fn handlers[OP_COUNT] = {
    [OP_SUBMIT] = on_submit, [OP_RESULT] = on_result, [OP_ACK] = on_ack,
    [OP_CANCEL] = on_cancel, [OP_STATUS] = on_status, [OP_FORMATS] = on_formats,
    [OP_LIMITS] = on_limits, [OP_JOBS] = on_jobs,     [OP_VERSION] = on_version,
};

void
ops_handle(struct front *front, const struct peer *peer, struct span text)
{
	struct request request;
	struct failure failure;

	if (request_read(&front->tree, text, &front->rules, &request,
			 &failure) == ST_OK)
		handlers[request.op](front, peer, &request);
	else
		refuse(front, peer, &request, &failure, 0);
}
