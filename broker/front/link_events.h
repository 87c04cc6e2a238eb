/*
 * What the supervisor says: admissions and refusals, channels, obituaries, and
 * the jobs of an earlier front.
 */
#ifndef FRONT_LINK_EVENTS_H
#define FRONT_LINK_EVENTS_H

#include <stdbool.h>

#include "broker/front/front.h"
#include "proto/frame.h"

/*
 * Asks the supervisor for its status on our own behalf. Jobs of an earlier
 * front come in bursts, as the link takes them, with nothing behind the last;
 * when an answer comes and none of them before it, there are no more. Until
 * then a client that asks for its job would be told that it is not known.
 */
void link_ask_settled(struct front *front);

/* Handles one record. *fd is taken, or closed. False when the record is not
 * what a supervisor says: the front is then of no use any more. */
NODISCARD bool link_event(struct front *front, const struct frame *frame,
			  int *fd);

#endif
