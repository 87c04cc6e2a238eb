/*
 * Frames are put together in one buffer and sent blocking: a front that does
 * not read holds the worker up, and nothing piles up. A channel without a
 * reader ends the process; there is nobody left to work for.
 */
#include "worker/deliver.h"

#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "proto/bug.h"
#include "proto/frame.h"
#include "proto/link.h"
#include "proto/worker_fds.h"

#define ROWS_COUNT_AT FRAME_HEADER_BYTES

static void
send_record(int channel, struct span bytes)
{
	ssize_t n;

	do {
		n = send(channel, bytes.data, bytes.len, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		_exit(WORKER_EXIT_PROTOCOL);
}

static void
begin(struct delivery *d, enum message message)
{
	writer_init(&d->frame, d->bytes, sizeof(d->bytes));
	frame_begin(&d->frame, message, d->job);
}

static void
end(struct delivery *d)
{
	send_record(d->channel, frame_end(&d->frame));
}

void
delivery_init(struct delivery *delivery, int channel, uint64_t job)
{
	*delivery = (struct delivery){.channel = channel, .job = job};
	progress_pace_init(&delivery->pace);
}

void
deliver_ready(struct delivery *delivery, uint32_t layers)
{
	struct ready_record ready = {.sandbox = layers,
				     .pid = (uint32_t)getpid()};

	begin(delivery, MSG_READY);
	ready_write(&delivery->frame, &ready);
	end(delivery);
}

static uint64_t
now_ms(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
on_progress(void *context, const struct progress *progress)
{
	struct delivery *d = context;

	/* Nothing but rows comes behind the answer. */
	if (d->answered || !progress_due(&d->pace, progress, now_ms()))
		return;
	begin(d, MSG_PROGRESS);
	progress_write(&d->frame, progress);
	end(d);
}

static void
on_answer(void *context, const struct answer *answer)
{
	struct delivery *d = context;

	BUG_ON(d->answered || answer->rows_returned > UINT32_MAX);
	begin(d, MSG_RESULT);
	answer_write(&d->frame, answer);
	end(d);
	d->answered = true;
	d->rows_due = answer->rows_returned;
}

static void
flush_rows(struct delivery *d)
{
	struct writer count;

	if (d->rows_held == 0)
		return;
	writer_init(&count, d->bytes + ROWS_COUNT_AT, 2);
	writer_put_u16(&count, d->rows_held);
	end(d);
	d->rows_held = 0;
}

static void
on_row(void *context, const struct row *row, unsigned metrics)
{
	struct delivery *d = context;

	BUG_ON(!d->answered || d->rows_due == 0);
	if (d->rows_held == UINT16_MAX ||
	    (d->rows_held > 0 &&
	     row_size(row, metrics) > d->frame.cap - d->frame.len))
		flush_rows(d);
	if (d->rows_held == 0) {
		begin(d, MSG_ROWS);
		writer_put_u16(&d->frame, 0);
	}
	row_write(&d->frame, row, metrics);
	BUG_ON(d->frame.failed);
	d->rows_held++;
	d->rows_sent++;
	d->rows_due--;
}

struct extract_sink
delivery_sink(struct delivery *delivery)
{
	return (struct extract_sink){.context = delivery,
				     .progress = on_progress,
				     .answer = on_answer,
				     .row = on_row};
}

void
deliver_done(struct delivery *delivery)
{
	BUG_ON(!delivery->answered || delivery->rows_due > 0);
	flush_rows(delivery);
	begin(delivery, MSG_DONE);
	writer_put_u32(&delivery->frame, delivery->rows_sent);
	end(delivery);
}

void
deliver_failed(struct delivery *delivery, const struct failure *failure)
{
	begin(delivery, MSG_FAILED);
	failure_write(&delivery->frame, failure);
	end(delivery);
}

void
deliver_last_words(int channel, uint64_t job, const char *text)
{
	uint8_t bytes[FRAME_HEADER_BYTES + 512];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_LAST_WORDS, job);
	writer_put_string(&w, span_str(text));
	if (!w.failed)
		send_record(channel, frame_end(&w));
}
