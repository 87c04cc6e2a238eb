/*
 * How the service stands (extractd.status/1) as JSON text, key for key. All
 * names in it are ours: none was written by a client or a profile.
 */
#ifndef FRONT_STATUS_REPLY_H
#define FRONT_STATUS_REPLY_H

#include "broker/front/front.h"
#include "proto/link.h"

void status_reply(struct outbox *o, const struct front *front,
		  const struct status_record *status);

#endif
