/*
 * What would change the thing that failed: the `remediation` of an error, a
 * list of actions with a text and, where one line can do it, a command.
 */
#ifndef FRONT_REMEDY_H
#define FRONT_REMEDY_H

#include "broker/front/error_reply.h"

/* Writes the JSON array. */
void remedy_put(struct outbox *o, const struct failure *failure,
		const struct about *about);

#endif
