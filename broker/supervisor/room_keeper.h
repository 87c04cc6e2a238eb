/*
 * Has a room ready for workers: one is built while the loop goes on, and again
 * when its holder died. What comes of it is logged.
 */
#ifndef SUPERVISOR_ROOM_KEEPER_H
#define SUPERVISOR_ROOM_KEEPER_H

#include <stdbool.h>

struct service;

/* True when workers may be started: the room stands, or there is none here.
 * Else one is on its way, or the failure counts as a start that came to
 * nothing (recruit_failed). */
bool room_keeper_ready(struct service *s);

/* The holder's word may have come. */
void room_keeper_hear(struct service *s);

/* It did not come in time. */
void room_keeper_late(struct service *s);

/* The holder has ended. */
void room_keeper_lost(struct service *s);

/* A worker could not join: the holder has died just now, most likely, and the
 * loop has not heard of it. The next start builds another room. */
void room_keeper_leave(struct service *s);

#endif
