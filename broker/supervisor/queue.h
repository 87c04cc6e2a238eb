/*
 * The order in which jobs that wait are started.
 *
 * Interactive jobs go before batch jobs. Within a class clients take turns, and
 * have at most one job in each: a job's turn is the class's current one, or the
 * next when its client was served in that already, or the one behind the same
 * client's last job in the queue. So who submits a thousand jobs delays nobody
 * by more than one of them a turn, and who always has one waiting cannot keep
 * others from their second. Jobs of one turn go in the order they came.
 *
 * Batch jobs leave a worker, and the memory that a job has by default, to an
 * interactive one. Where there is but one worker, or a batch job needs nearly
 * all of the memory, an interactive job waits for that one.
 */
#ifndef SUPERVISOR_QUEUE_H
#define SUPERVISOR_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/terms.h"

struct live_job;
struct service;

/* Clients that are remembered to have been served in a turn. When there were
 * more, whoever comes waits for the next turn: new clients, of which somebody
 * may make any number, do not make a turn endless. */
#define QUEUE_SERVED_MAX 64

struct class_queue {
	uint64_t turn; /* of the last job that was started */
	uint64_t served[QUEUE_SERVED_MAX]; /* clients, in that turn */
	unsigned served_len;
};

struct queue {
	struct class_queue of[JOB_CLASS_COUNT];
};

/* Gives a job that has just become QUEUED its turn and its place. */
void queue_enter(struct service *s, struct live_job *job);

/* Whether the first job of the queue may be given to a worker now. One that
 * waits for memory is not overtaken. */
bool queue_may_start(const struct service *s, const struct live_job *job);

/* It was started. */
void queue_started(struct service *s, const struct live_job *job);

#endif
