/*
 * The order in which jobs that wait are started.
 *
 * Interactive jobs go before batch jobs. Within a class clients take turns: a
 * job's turn is the class's current one, or the one behind the same client's
 * last job in the queue, so that who submits a thousand jobs delays nobody by
 * more than one of them. Jobs of one turn go in the order they came.
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

struct queue {
	uint64_t turn[JOB_CLASS_COUNT]; /* of the last job that was started */
};

/* Gives a job that has just become QUEUED its turn and its place. */
void queue_enter(struct service *s, struct live_job *job);

/* Whether the first job of the queue may be given to a worker now. One that
 * waits for memory is not overtaken. */
bool queue_may_start(const struct service *s, const struct live_job *job);

/* It was started. */
void queue_started(struct service *s, const struct live_job *job);

#endif
