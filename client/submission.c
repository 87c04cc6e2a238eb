/*
 * Requests are named "<number>.<attempt>", so that a reply to an attempt that
 * was given up is told from the one that counts. A message may be lost when
 * the front is restarted; each is sent again after some silence, which is
 * harmless: a job accepted twice is cancelled once, and a ticket that nobody
 * uses runs out.
 */
#include "client/submission.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/ticks.h"
#include "client/door.h"
#include "client/own_error.h"
#include "proto/fd.h"

#define ASK_AGAIN_MS 2000
#define SUBMIT_AGAIN_MS 5000
#define BUSY_MS 60000 /* so long a busy service is asked again */
#define BUSY_WAIT_MIN_MS 50
#define BUSY_WAIT_MAX_MS 5000
#define AGAIN_AFTER_LOSS_MS 200 /* the front is back within a second */

void
submission_init(struct submission *s, size_t number, struct input *input,
		const struct wishes *wishes)
{
	*s = (struct submission){.number = number,
				 .input = input,
				 .wishes = wishes,
				 .door = -1};
	s->progress.name = span_str(input->name);
}

void
submission_free(struct submission *s)
{
	fd_close(&s->door);
	envelope_free(&s->reply);
}

static void
send(struct contact *service, struct strbuf *request)
{
	(void)connection_send(&service->connection, strbuf_span(request));
	strbuf_free(request);
}

static void
request_id(const struct submission *s, char id_out[48])
{
	snprintf(id_out, 48, "%zu.%u", s->number, s->attempt);
}

static void
end(struct submission *s, struct envelope *reply)
{
	fd_close(&s->door);
	envelope_free(&s->reply);
	s->reply = *reply;
	*reply = (struct envelope){0};
	s->state = SUBMISSION_ENDED;
}

void
submission_fail(struct submission *s, enum status status, const char *message)
{
	struct own_error error = {.status = status,
				  .message = message,
				  .name = span_str(s->input->name)};
	struct envelope reply;

	if (status == ST_FRONT_LOST) {
		error.action = "retry_after";
		error.text = "Submit it again when the service is back.";
	}
	own_error(&error, &reply);
	end(s, &reply);
}

static void
ask_result(struct submission *s, struct contact *service)
{
	struct strbuf request = {0};
	char id[48];

	request_id(s, id);
	asking_result(&request, id, s->job, true, true);
	send(service, &request);
	s->act_ms = ticks_ms() + ASK_AGAIN_MS;
}

static void
ask_submit(struct submission *s, struct contact *service)
{
	struct strbuf request = {0};
	char id[48];

	s->attempt++;
	request_id(s, id);
	asking_submit(&request, id, span_str(s->input->name), s->wishes);
	send(service, &request);
	s->state = SUBMISSION_ASKED;
	s->act_ms = ticks_ms() + SUBMIT_AGAIN_MS;
}

static void
tell(struct contact *service, const char *op, const char *job)
{
	struct strbuf request = {0};

	asking_job(&request, op, op, job);
	send(service, &request);
}

void
submission_act(struct submission *s, struct contact *service)
{
	if (s->state == SUBMISSION_ENDED || ticks_ms() < s->act_ms)
		return;
	if (s->input->failed)
		end(s, &s->input->error);
	else if (s->state == SUBMISSION_RUNNING)
		ask_result(s, service);
	else
		ask_submit(s, service);
}

/* Back to the start, to be sent anew. */
static void
start_over(struct submission *s, uint64_t wait_ms)
{
	fd_close(&s->door);
	s->job[0] = '\0';
	s->attempt++;
	s->progress.known = false;
	s->state = SUBMISSION_IDLE;
	s->act_ms = ticks_ms() + wait_ms;
}

void
submission_cancel(struct submission *s, struct contact *service)
{
	s->given_up = true;
	if (s->job[0] == '\0' || (s->state == SUBMISSION_ENDED &&
				  s->reply.type != ENVELOPE_ACCEPTED))
		return;
	tell(service, "cancel", s->job);
	if (s->state == SUBMISSION_ENDED)
		return;
	s->state = SUBMISSION_RUNNING;
	ask_result(s, service); /* its end, to acknowledge it */
}

bool
submission_waits(const struct submission *s)
{
	return s->state == SUBMISSION_ASKED || s->state == SUBMISSION_RUNNING;
}

static void
on_accepted(struct submission *s, struct contact *service,
	    struct envelope *reply)
{
	struct acceptance acceptance;
	char message[256];
	int file;

	if (!envelope_acceptance(reply, &acceptance)) {
		submission_fail(s, ST_INTERNAL_ERROR,
				"the service's reply cannot be understood");
		return;
	}
	memcpy(s->job, acceptance.job, sizeof(s->job));
	if (s->given_up) {
		submission_cancel(s, service);
		return;
	}
	file = inputs_open(s->input);
	if (file < 0) {
		tell(service, "cancel", s->job);
		end(s, &s->input->error);
		return;
	}
	s->door = door_deliver(&acceptance, file);
	if (s->door >= 0 && s->wishes->detach) {
		end(s, reply); /* no lease: the door may be closed */
	} else if (s->door >= 0) {
		s->state = SUBMISSION_RUNNING;
		ask_result(s, service);
	} else {
		snprintf(message, sizeof(message),
			 "the file cannot be handed to the service: %s",
			 strerror(errno));
		tell(service, "cancel", s->job);
		submission_fail(s, ST_FRONT_LOST, message);
	}
	fd_close(&file);
}

/* The job was not done, and what became of it is not known. A ticket is shown
 * as soon as it comes, so one that expired went down with a front. */
static bool
was_lost(const struct error_view *error, const struct value *body)
{
	return error->status == ST_FRONT_LOST ||
	       error->status == ST_RESULT_EXPIRED ||
	       (error->status == ST_CANCELLED &&
		span_is(value_text(value_get(body, "reason")),
			reason_name(RE_TICKET_EXPIRED)));
}

/* Whether the service shall be asked once more in spite of this error. */
static bool
try_again(struct submission *s, const struct envelope *reply)
{
	struct error_view error;
	uint64_t now = ticks_ms(), wait;

	error_view(reply->body, &error);
	/* also of a job: it came too late to the door of a crowded service */
	if (error.status == ST_BUSY) {
		if (s->busy_ms == 0)
			s->busy_ms = now;
		wait = error.retry_after_ms;
		if (wait < BUSY_WAIT_MIN_MS)
			wait = BUSY_WAIT_MIN_MS;
		if (wait > BUSY_WAIT_MAX_MS)
			wait = BUSY_WAIT_MAX_MS;
		if (now + wait - s->busy_ms > BUSY_MS)
			return false;
		start_over(s, wait);
		return true;
	}
	if (!was_lost(&error, reply->body) || s->sent_again)
		return false;
	s->sent_again = true;
	s->busy_ms = 0;
	start_over(s, AGAIN_AFTER_LOSS_MS);
	return true;
}

static void
on_end(struct submission *s, struct contact *service, struct envelope *reply)
{
	if (reply->type == ENVELOPE_ERROR && try_again(s, reply)) {
		envelope_free(reply);
		return;
	}
	if (s->job[0] != '\0')
		tell(service, "ack", s->job);
	end(s, reply);
}

/* A reply to an attempt that was given up. */
static void
on_stale(struct contact *service, const struct envelope *reply)
{
	struct acceptance acceptance;

	if (reply->type == ENVELOPE_ACCEPTED &&
	    envelope_acceptance(reply, &acceptance))
		tell(service, "cancel", acceptance.job);
}

static bool
is_number(const struct submission *s, struct span id)
{
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "%zu.", s->number);
	return span_starts(id, prefix);
}

bool
submission_hear(struct submission *s, struct contact *service,
		struct envelope *reply)
{
	char id[48];

	if (!is_number(s, reply->id))
		return false;
	request_id(s, id);
	/* any attempt will do: a slow service answers after we asked again */
	if (reply->type == ENVELOPE_ACCEPTED && s->state == SUBMISSION_ASKED) {
		on_accepted(s, service, reply);
	} else if (!span_is(reply->id, id) || s->state == SUBMISSION_ENDED ||
		   s->state == SUBMISSION_IDLE) {
		on_stale(service, reply);
	} else if (reply->type == ENVELOPE_PROGRESS ||
		   reply->type == ENVELOPE_PENDING) {
		progress_view_read(&s->progress, reply->body);
		s->act_ms = ticks_ms() + ASK_AGAIN_MS;
	} else if (reply->type == ENVELOPE_ERROR ||
		   (reply->type == ENVELOPE_RESULT &&
		    s->state == SUBMISSION_RUNNING)) {
		on_end(s, service, reply);
	}
	envelope_free(reply);
	return true;
}
