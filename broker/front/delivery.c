/*
 * A final reply is made once and kept; each waiter gets it in an envelope of
 * its own, with the result as the last key, so that it can be cut out as it is.
 */
#include "broker/front/delivery.h"

#define PROGRESS_MS 200 /* five a second */
#define TELL_AGAIN_MS 50
#define ENVELOPE_BYTES_MAX 1024

void
delivery_envelope(struct outbox *o, const char *type, bool has_id,
		  struct span id, const uint64_t *job)
{
	char text[JOB_ID_TEXT_BYTES + 1];

	outbox_raw(o, "{\"type\":\"");
	outbox_raw(o, type);
	outbox_raw(o, "\",\"id\":");
	outbox_string_or_null(o, has_id, id);
	if (job == NULL)
		return;
	job_id_write(*job, text);
	outbox_raw(o, ",\"job\":");
	outbox_string(o, span_str(text));
}

enum sent
delivery_reply(struct front *front, const struct peer *peer,
	       const struct outbox *reply)
{
	struct span text = outbox_span(reply);

	return server_send(front->server, peer, &text, 1);
}

void
delivery_refuse(struct front *front, const struct peer *peer, bool has_id,
		struct span id, const struct failure *failure,
		const struct about *about)
{
	struct outbox o;

	if (failure->status == ST_INVALID_REQUEST)
		front->refused[REJECTED_INVALID_REQUEST]++;
	outbox_init(&o, ENVELOPE_BYTES_MAX + ERROR_BYTES_MAX);
	delivery_envelope(&o, "error", has_id, id,
			  about->has_job ? &about->job : NULL);
	if (!about->has_job)
		outbox_raw(&o, ",\"job\":null");
	outbox_raw(&o, ",\"error\":");
	error_reply(&o, failure, about);
	outbox_raw(&o, "}");
	(void)delivery_reply(front, peer, &o);
	outbox_fini(&o);
}

const char *
delivery_state(const struct tracked *job)
{
	static const char *const names[] = {
	    [STAGE_ADMITTED] = "queued", [STAGE_QUEUED] = "queued",
	    [STAGE_RUNNING] = "running", [STAGE_DELIVERING] = "delivering",
	    [STAGE_ENDED] = "ended",
	};

	return names[job->stage];
}

static struct run
run_of(const struct tracked *job)
{
	const struct obituary_record *o = &job->obituary;

	/* the filter is in force before the first byte, but not yet when the
	 * worker counts its layers */
	return (struct run){.job = job->id,
			    .wall_ms = o->wall_us / 1000,
			    .cpu_ms = o->cpu_us / 1000,
			    .peak_rss_bytes = o->peak_rss_bytes,
			    .sandbox = job->sandbox | UINT32_C(1)
							  << SANDBOX_SECCOMP};
}

/* The text of a failed job's error. */
static void
write_error(const struct front *front, struct tracked *job,
	    const struct failure *failure)
{
	const struct relay *relay = &job->relay;
	struct about about = {
	    .has_job = true,
	    .job = job->id,
	    .has_name = true,
	    .name = job->job.name,
	    .has_bytes = relay->has_progress && relay->progress.total > 0,
	    .bytes = relay->progress.total,
	    .ceilings = &front->rules.ceilings,
	};

	outbox_init(&job->final, ERROR_BYTES_MAX);
	error_reply(&job->final, failure, &about);
	outbox_trim(&job->final);
}

/* Of a broken answer nothing is believed. */
static void
say_verdict(struct front *front, const struct tracked *job)
{
	const struct relay *relay = &job->relay;
	struct verdict_record verdict = {.status = job->outcome};

	if (relay->state != RELAY_BROKEN) {
		verdict.format = relay->answer.format;
		verdict.input_bytes = relay->answer.bytes;
	}
	if (verdict.input_bytes == 0 && relay->has_progress)
		verdict.input_bytes = relay->progress.total;
	link_client_verdict(&front->link, job->id, &verdict);
}

void
delivery_end(struct front *front, struct tracked *job,
	     const struct failure *failure)
{
	struct failure too_much;
	struct run run = run_of(job);

	if (failure == NULL && !relay_finish(&job->relay, &run)) {
		failure_init(&too_much, ST_BAD_REPLY, RE_TOO_MUCH);
		failure = &too_much;
	}
	job->outcome = failure == NULL ? ST_OK : failure->status;
	job->partial = failure == NULL && job->relay.answer.partial;
	job->final_is_error = failure != NULL;
	if (failure != NULL) {
		write_error(front, job, failure);
	} else {
		job->final = job->relay.text;
		job->relay.text = (struct outbox){0};
	}
	say_verdict(front, job);
	results_settle(&front->results, job);
	job->ended_ms = front->now_ms;
	ledger_end(&front->ledger, job);
	delivery_tell(front, job);
}

static enum sent
send_final(struct front *front, const struct tracked *job,
	   const struct waiter *w)
{
	const char *type = job->final_is_error ? "error" : "result";
	struct span parts[3];
	struct outbox o;
	enum sent sent;

	outbox_init(&o, ENVELOPE_BYTES_MAX);
	delivery_envelope(&o, type, w->has_id, span_of(w->id, w->id_len),
			  &job->id);
	outbox_raw(&o, job->final_is_error ? ",\"error\":" : ",\"result\":");
	parts[0] = outbox_span(&o);
	parts[1] = outbox_span(&job->final);
	parts[2] = span_str("}");
	sent = server_send(front->server, &w->peer, parts, 3);
	outbox_fini(&o);
	return sent;
}

void
delivery_tell(struct front *front, struct tracked *job)
{
	struct waiter **at = &job->waiters;

	while (*at != NULL) {
		enum sent sent = send_final(front, job, *at);

		if (sent == SENT_OK)
			job->told = true;
		if (sent == SENT_FULL)
			at = &(*at)->next;
		else
			ledger_unwait(&front->ledger, job, at);
	}
}

static void
write_progress(const struct front *front, const struct tracked *job,
	       struct outbox *o)
{
	static const char *const phases[PHASE_COUNT] = {
	    [PHASE_READING] = "reading",
	    [PHASE_TIMING] = "timing",
	    [PHASE_SELECTING] = "selecting",
	};
	const struct progress *p = &job->relay.progress;
	bool known = job->relay.has_progress;

	outbox_raw(o, ",\"state\":");
	outbox_string(o, span_str(delivery_state(job)));
	outbox_raw(o, ",\"phase\":");
	outbox_string_or_null(o, known, span_str(phases[p->phase]));
	outbox_raw(o, ",\"bytes\":");
	outbox_u64(o, p->bytes);
	outbox_raw(o, ",\"total\":");
	outbox_u64(o, p->total);
	outbox_raw(o, ",\"nodes\":");
	outbox_u64(o, p->nodes);
	outbox_raw(o, ",\"samples\":");
	outbox_u64(o, p->samples);
	outbox_raw(o, ",\"elapsed_ms\":");
	outbox_i64(o, front->now_ms - job->started_ms);
	outbox_raw(o, "}");
}

void
delivery_progress(struct front *front, struct tracked *job)
{
	struct waiter **at = &job->waiters;

	if (!job->news || (job->progress_ms != 0 &&
			   front->now_ms - job->progress_ms < PROGRESS_MS))
		return;
	job->news = false;
	job->progress_ms = front->now_ms;
	while (*at != NULL) {
		struct waiter *w = *at;
		enum sent sent = SENT_OK;
		struct outbox o;

		if (w->progress) {
			outbox_init(&o, ENVELOPE_BYTES_MAX);
			delivery_envelope(&o, "progress", w->has_id,
					  span_of(w->id, w->id_len), &job->id);
			write_progress(front, job, &o);
			sent = delivery_reply(front, &w->peer, &o);
			outbox_fini(&o);
		}
		if (sent == SENT_GONE)
			ledger_unwait(&front->ledger, job, at);
		else
			at = &w->next;
	}
}

void
delivery_forget(struct front *front, struct tracked *job)
{
	link_client_say(&front->link, MSG_DELIVERED, job->id);
	results_release(&front->results, job);
	ledger_remove(&front->ledger, job);
}

void
delivery_expire(struct front *front, struct tracked *job)
{
	results_remember(&front->results, job->id);
	delivery_forget(front, job);
}

void
delivery_tick(struct front *front)
{
	struct tracked *job;

	for (job = front->ledger.live.oldest; job != NULL; job = job->younger)
		delivery_progress(front, job);
	if (front->ledger.telling > 0)
		for (job = front->ledger.ended.oldest; job != NULL;
		     job = job->younger)
			delivery_tell(front, job);
	while ((job = results_expired(&front->results, &front->ledger,
				      front->now_ms)) != NULL)
		delivery_expire(front, job);
}

int64_t
delivery_deadline(const struct front *front)
{
	const struct tracked *job = front->ledger.ended.oldest;
	int64_t at = INT64_MAX;

	if (job != NULL)
		at = job->ended_ms + front->results.ttl_ms;
	if (front->ledger.telling > 0 && at > front->now_ms + TELL_AGAIN_MS)
		at = front->now_ms + TELL_AGAIN_MS;
	for (job = front->ledger.live.oldest; job != NULL; job = job->younger)
		if (job->news && job->progress_ms + PROGRESS_MS < at)
			at = job->progress_ms + PROGRESS_MS;
	return at;
}
