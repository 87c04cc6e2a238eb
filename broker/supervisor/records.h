/*
 * What the front tells us: hostile input, bounded, and only about jobs.
 */
#ifndef SUPERVISOR_RECORDS_H
#define SUPERVISOR_RECORDS_H

#include <stdbool.h>

#include "proto/span.h"
#include "proto/status.h"

struct service;

/* So many of the front's records a turn of the loop, so that a front that
 * floods us does not keep us from deadlines and children. */
#define RECORDS_A_TURN 64

/* Reads records until the link is empty or a turn's worth is read; condemns a
 * front that misbehaves. */
void records_read(struct service *s);

/* The same until the link is closed: the last words of a dead front. */
void records_read_last(struct service *s);

/* One record. *fd is taken if it is used. ST_BAD_REPLY: no sane front sends
 * this. */
NODISCARD enum status record_handle(struct service *s, struct span bytes,
				    int *fd);

#endif
