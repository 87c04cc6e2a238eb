/*
 * What a worker says on its channel: PROGRESS, RESULT, ROWS and DONE, or
 * FAILED, or its last words. Sends with the one call that the filter allows.
 */
#ifndef WORKER_DELIVER_H
#define WORKER_DELIVER_H

#include <stdint.h>

#include "proto/answer.h"
#include "proto/buf.h"
#include "proto/failure.h"
#include "worker/extract.h"
#include "worker/progress.h"

/* Only the process's end closes the channel. */
struct delivery {
	int channel; /* borrowed */
	uint64_t job;
	struct progress_pace pace;
	bool answered;
	uint64_t rows_due;  /* still to come, of the answer */
	uint32_t rows_sent; /* put into frames, sent or not */
	uint16_t rows_held; /* in the open frame */
	struct writer frame;
	uint8_t bytes[FRAME_BYTES_MAX];
};

void delivery_init(struct delivery *delivery, int channel, uint64_t job);

/* The sink that delivers: borrows the delivery. */
struct extract_sink delivery_sink(struct delivery *delivery);

/* READY, before there is a job. */
void deliver_ready(struct delivery *delivery, uint32_t layers);

/* The rest of the rows and DONE. As many rows as promised must have come. */
void deliver_done(struct delivery *delivery);

void deliver_failed(struct delivery *delivery, const struct failure *failure);

/* For the log, from bug_last_words above all; needs no delivery in good
 * order. */
void deliver_last_words(int channel, uint64_t job, const char *text);

#endif
