/*
 * Frames to the front, and the box of those that wait.
 */
#include "broker/supervisor/letters.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "broker/supervisor/clock.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/frame.h"

struct letter {
	struct letter *next; /* owned */
	int fd;		     /* owned; rides along unless -1 */
	size_t len;
	uint8_t bytes[];
};

/* One letter is made at a time, and sent or copied before the next. */
static uint8_t scratch[FRAME_BYTES_MAX];

void
letterbox_init(struct letterbox *box, int link)
{
	*box = (struct letterbox){.link = link};
	box->last = &box->first;
}

static void
drop_first(struct letterbox *box)
{
	struct letter *first = box->first;

	box->first = first->next;
	if (box->first == NULL)
		box->last = &box->first;
	box->bytes -= first->len;
	box->letters--;
	fd_close(&first->fd);
	free(first);
}

void
letterbox_fini(struct letterbox *box)
{
	while (box->first != NULL)
		drop_first(box);
	letterbox_init(box, -1);
}

static void
keep(struct letterbox *box, struct span bytes, int fd)
{
	struct letter *letter;

	if (box->letters == LETTERBOX_LETTERS_MAX ||
	    bytes.len > LETTERBOX_BYTES_MAX - box->bytes ||
	    (letter = malloc(sizeof(*letter) + bytes.len)) == NULL) {
		box->overflowed = true;
		return;
	}
	letter->next = NULL;
	letter->fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	letter->len = bytes.len;
	memcpy(letter->bytes, bytes.data, bytes.len);
	box->overflowed |= fd >= 0 && letter->fd < 0;
	*box->last = letter;
	box->last = &letter->next;
	box->bytes += bytes.len;
	box->letters++;
}

/* CHAN_OK when it was sent. A link that is closed is not news here: the
 * front's end is seen by its pidfd. */
static enum chan_result
try_send(struct letterbox *box, struct span bytes, int fd)
{
	enum chan_result result = chan_send(box->link, bytes, fd, false);

	box->starved = result == CHAN_SHORT;
	if (result == CHAN_CLOSED)
		box->overflowed = true;
	return result;
}

void
letterbox_flush(struct letterbox *box)
{
	while (box->first != NULL && !box->overflowed) {
		struct letter *first = box->first;

		if (try_send(box, span_of(first->bytes, first->len),
			     first->fd) != CHAN_OK)
			return;
		drop_first(box);
	}
}

/* Ends the frame in w and posts it. */
static void
post(struct letterbox *box, struct writer *w, int fd)
{
	struct span bytes = frame_end(w);

	if (box->link < 0 || box->overflowed)
		return;
	letterbox_flush(box);
	if (box->overflowed)
		return;
	if (box->first == NULL && try_send(box, bytes, fd) == CHAN_OK)
		return;
	if (!box->overflowed)
		keep(box, bytes, fd);
}

static void
begin(struct writer *w, enum message message, uint64_t job)
{
	writer_init(w, scratch, sizeof(scratch));
	frame_begin(w, message, job);
}

void
letter_config(struct letterbox *box, const struct config_record *config)
{
	struct writer w;

	begin(&w, MSG_CONFIG, 0);
	config_write(&w, config);
	post(box, &w, -1);
}

void
letter_admitted(struct letterbox *box, const struct live_job *job,
		uint64_t request)
{
	struct writer w;

	begin(&w, MSG_ADMITTED, job->id);
	admitted_write(&w, request, job->ticket);
	post(box, &w, -1);
}

void
letter_refused(struct letterbox *box, const struct refused_record *refused)
{
	struct writer w;

	begin(&w, MSG_REFUSED, 0);
	refused_write(&w, refused);
	post(box, &w, -1);
}

void
letter_channel(struct letterbox *box, const struct live_job *job)
{
	struct writer w;

	begin(&w, MSG_CHANNEL, job->id);
	channel_write(&w, job->sandbox);
	post(box, &w, job->channel);
}

void
letter_obituary(struct letterbox *box, const struct live_job *job)
{
	struct writer w;

	begin(&w, MSG_OBITUARY, job->id);
	obituary_write(&w, &job->obituary);
	post(box, &w, -1);
}

static enum adopt_state
adopt_state_of(const struct live_job *job)
{
	if (job->channel >= 0)
		return ADOPT_RUNNING;
	switch (job->state) {
	case JOB_ADMITTED:
		return ADOPT_ADMITTED;
	case JOB_QUEUED:
		return ADOPT_QUEUED;
	default:
		return ADOPT_ENDED;
	}
}

void
letter_adopt(struct letterbox *box, const struct live_job *job, uint64_t now_us)
{
	struct adopt_record adopt = {
	    .state = adopt_state_of(job),
	    .sandbox = job->sandbox,
	    .leased = job->leased,
	    .class = job->class,
	    .job = span_of(job->record, job->record_len),
	};
	struct writer w;

	memcpy(adopt.ticket, job->ticket, sizeof(adopt.ticket));
	if (job->start_us != 0)
		adopt.ran_ms = (uint32_t)((now_us - job->start_us) / US_PER_MS);
	begin(&w, MSG_ADOPT, job->id);
	adopt_write(&w, &adopt);
	post(box, &w, job->channel);
}

void
letter_status(struct letterbox *box, const struct status_record *status)
{
	struct writer w;

	begin(&w, MSG_STATUS, 0);
	status_record_write(&w, status);
	post(box, &w, -1);
}

void
letter_drain(struct letterbox *box)
{
	struct writer w;

	begin(&w, MSG_DRAIN, 0);
	post(box, &w, -1);
}
