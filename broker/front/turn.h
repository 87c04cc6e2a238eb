/*
 * Whose turn it is: a number for each connection, by which the supervisor lets
 * clients take turns. It says nothing else about them.
 */
#ifndef FRONT_TURN_H
#define FRONT_TURN_H

#include <stdint.h>

#include "broker/front/server.h"

/* Equal for equal peers. A peer chooses its own id, but without the seed not
 * the number that comes of it. */
uint64_t turn_of(const struct peer *peer, const uint64_t seed[2]);

#endif
