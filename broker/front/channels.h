/*
 * The workers' channels: reads their frames into the relays, asks for room
 * before a result, and ends a job when both witnesses have spoken.
 */
#ifndef FRONT_CHANNELS_H
#define FRONT_CHANNELS_H

#include "broker/front/front.h"

/* Takes the channel's descriptor. */
void channels_open(struct front *front, struct tracked *job, int *fd,
		   uint32_t sandbox);

/* Reads what is there, a bounded number of frames. The job may be ended by it,
 * never freed. */
void channels_read(struct front *front, struct tracked *job);

/* Ends the job when its verdict is reached. */
void channels_settle(struct front *front, struct tracked *job);

/* Tries again to find room for results that were held, and says ALIVE of frames
 * that came just after the last time. */
void channels_tick(struct front *front);

/* When channels_tick has something to do; INT64_MAX: never. */
int64_t channels_deadline(const struct front *front);

#endif
