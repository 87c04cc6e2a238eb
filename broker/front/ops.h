/*
 * What clients ask for: one handler an operation.
 */
#ifndef FRONT_OPS_H
#define FRONT_OPS_H

#include "broker/front/front.h"

/* Reads a request and answers it, or asks the supervisor. */
void ops_handle(struct front *front, const struct peer *peer, struct span text);

#endif
