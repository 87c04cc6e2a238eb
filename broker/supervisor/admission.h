/*
 * Who gets in: the bounds on tickets and on waiting jobs, and what a client may
 * ask for.
 */
#ifndef SUPERVISOR_ADMISSION_H
#define SUPERVISOR_ADMISSION_H

#include "proto/link.h"
#include "proto/status.h"

struct service;

/* Admits a job or refuses it, and tells the front. ST_BAD_REPLY when a sane
 * front would not have asked: a limit above its ceiling, say. */
NODISCARD enum status admission_ask(struct service *s,
				    const struct admit_record *admit);

#endif
