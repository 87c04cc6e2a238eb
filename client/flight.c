/*
 * As many at once as the service has workers; ended ones wait for those
 * before them, so how far it runs ahead is bounded too.
 */
#include "client/flight.h"

#include <stdlib.h>

#include "client/ticks.h"
#include "client/grab.h"
#include "client/interrupt.h"
#include "client/progress_line.h"

#define WIDTH_MAX 64
#define CANCEL_MS 500	 /* for the service to say that it is done */
#define TICK_MS 200	 /* of the progress line */
#define SILENCE_MS 2000	 /* then look whether the service lives */
#define GIVE_UP_MS 60000 /* a front that hangs was restarted long ago */

static size_t
count_workers(struct contact *service)
{
	struct strbuf request = {0};
	struct envelope reply;
	uint64_t workers = 1;

	asking_plain(&request, "status", "workers");
	if (contact_ask(service, strbuf_span(&request), "workers", &reply)) {
		workers = value_number(
		    value_get(value_get(reply.body, "workers"), "max"));
		envelope_free(&reply);
	}
	strbuf_free(&request);
	if (workers < 1)
		return 1;
	return workers > WIDTH_MAX ? WIDTH_MAX : (size_t)workers;
}

void
flight_init(struct flight *f, struct contact *service, struct inputs *inputs,
	    const struct wishes *wishes)
{
	*f = (struct flight){.service = service, .inputs = inputs, .width = 1};
	f->list = grab_more(NULL, inputs->len, sizeof(*f->list));
	for (size_t i = 0; i < inputs->len; i++)
		submission_init(&f->list[i], i, &inputs->list[i], wishes);
	if (service != NULL && inputs->len > 1)
		f->width = count_workers(service);
	f->ahead = 4 * f->width;
	f->heard_ms = f->asked_ms = ticks_ms();
}

void
flight_free(struct flight *f)
{
	for (size_t i = 0; i < f->inputs->len; i++)
		submission_free(&f->list[i]);
	free(f->list);
	f->list = NULL;
}

/* Lets those act that are within the window. The time of the next act. */
static uint64_t
act(struct flight *f)
{
	size_t flying = 0, end = f->given + f->ahead;
	uint64_t next = ticks_ms() + SILENCE_MS;

	if (end > f->inputs->len)
		end = f->inputs->len;
	for (size_t i = f->given; i < end && flying < f->width; i++) {
		struct submission *s = &f->list[i];

		submission_act(s, f->service);
		if (s->state == SUBMISSION_ENDED)
			continue;
		flying++;
		if (s->act_ms < next)
			next = s->act_ms;
	}
	return next;
}

static void
hear(struct flight *f)
{
	struct envelope reply;

	while (connection_receive(&f->service->connection, &reply)) {
		bool taken = false;

		for (size_t i = 0; i < f->inputs->len && !taken; i++)
			taken =
			    submission_hear(&f->list[i], f->service, &reply);
		if (!taken)
			envelope_free(&reply);
	}
}

static void
show_progress(const struct flight *f)
{
	const struct submission *s = &f->list[f->given];
	size_t done = 0;

	for (size_t i = 0; i < f->inputs->len; i++)
		done += f->list[i].state == SUBMISSION_ENDED;
	progress_line_show(&s->progress, done, f->inputs->len);
}

/* Everything that has not ended yet ends so. */
static void
fail_all(struct flight *f, enum status status, const char *message)
{
	if (f->service->is_private)
		embedded_show_log(&f->service->private);
	for (size_t i = f->given; i < f->inputs->len; i++)
		if (f->list[i].state != SUBMISSION_ENDED)
			submission_fail(&f->list[i], status, message);
}

/* After some silence: a service that is gone, or that does not answer even
 * the simplest question, is given up. */
static void
look_after_service(struct flight *f)
{
	struct strbuf request = {0};
	uint64_t now = ticks_ms();

	if (f->service->is_private && !contact_lives(f->service)) {
		fail_all(f, ST_INTERNAL_ERROR,
			 "the private service ended unexpectedly");
		return;
	}
	if (now - f->heard_ms < SILENCE_MS || now - f->asked_ms < SILENCE_MS)
		return;
	f->asked_ms = now;
	if (!contact_lives(f->service)) {
		fail_all(f, ST_FRONT_LOST, "the service went away");
	} else if (now - f->heard_ms >= GIVE_UP_MS) {
		fail_all(f, ST_FRONT_LOST, "the service does not answer");
	} else {
		asking_plain(&request, "version", "alive");
		(void)connection_send(&f->service->connection,
				      strbuf_span(&request));
		strbuf_free(&request);
	}
}

/* One turn: act, wait, hear. */
static void
turn(struct flight *f)
{
	uint64_t next = act(f), now = ticks_ms();
	uint64_t wait = next > now ? next - now : 0;

	if (f->list[f->given].state == SUBMISSION_ENDED)
		return;
	show_progress(f);
	if (wait > TICK_MS)
		wait = TICK_MS;
	if (connection_wait(&f->service->connection, f->service->private.pidfd,
			    wait)) {
		hear(f);
		f->heard_ms = ticks_ms();
	} else {
		look_after_service(f);
	}
}

struct submission *
flight_next(struct flight *f)
{
	if (f->given > 0) /* the one that was given before */
		submission_free(&f->list[f->given - 1]);
	if (f->given == f->inputs->len)
		return NULL;
	f->heard_ms = ticks_ms(); /* the caller may have taken long */
	while (f->list[f->given].state != SUBMISSION_ENDED) {
		if (interrupt_caught() != 0)
			return NULL;
		turn(f);
	}
	return &f->list[f->given++];
}

static bool
any_waits(const struct flight *f)
{
	for (size_t i = 0; i < f->inputs->len; i++)
		if (submission_waits(&f->list[i]))
			return true;
	return false;
}

void
flight_cancel(struct flight *f)
{
	uint64_t end = ticks_ms() + CANCEL_MS;

	for (size_t i = f->given; i < f->inputs->len; i++)
		submission_cancel(&f->list[i], f->service);
	interrupt_seen();
	while (any_waits(f) && ticks_ms() < end) {
		uint64_t now = ticks_ms();

		if (connection_wait(&f->service->connection,
				    f->service->private.pidfd,
				    now < end ? end - now : 0))
			hear(f);
		else if (!contact_lives(f->service))
			return;
	}
}
