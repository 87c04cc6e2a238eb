/*
 * The room's events, and what they mean for workers.
 */
#include "broker/supervisor/room_keeper.h"

#include "broker/supervisor/clock.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/recruit.h"
#include "broker/supervisor/service.h"

/* A network namespace may take a while to be made. */
#define BUILD_US (5 * US_PER_SECOND)

/* The first failure of all is no start that failed: workers do without. */
static void
on_failure(struct service *s, const struct spawn_error *error)
{
	deadline_clear(&s->deadlines, &s->room.clock);
	log_failure(s->room.impossible ? "room_missing" : "room_failed",
		    error->step, error->error);
	if (!s->room.impossible)
		recruit_failed(s);
}

static void
build(struct service *s)
{
	struct spawn_error error;

	if (room_begin(&s->room, &s->identities.worker, &error))
		deadline_set(&s->deadlines, &s->room.clock, DEADLINE_ROOM, 0,
			     s->now_us + BUILD_US);
	else
		on_failure(s, &error);
}

bool
room_keeper_ready(struct service *s)
{
	const struct room *room = &s->room;

	if (!room->impossible &&
	    (room->state == ROOM_NONE || room->state == ROOM_FALLING))
		build(s);
	return room->impossible || room->state == ROOM_STANDS;
}

void
room_keeper_hear(struct service *s)
{
	struct spawn_error error;

	if (s->room.state != ROOM_RISING)
		return;
	if (!room_hear(&s->room, &error)) {
		on_failure(s, &error);
	} else if (s->room.state == ROOM_STANDS) {
		deadline_clear(&s->deadlines, &s->room.clock);
		log_event(LOG_LEVEL_INFO, "room_built", " pid=%d",
			  (int)s->room.pid);
	}
}

void
room_keeper_late(struct service *s)
{
	struct spawn_error error;

	room_keeper_hear(s); /* perhaps it was we who did not listen */
	if (s->room.state != ROOM_RISING)
		return;
	room_late(&s->room, &error);
	on_failure(s, &error);
}

static void
log_lost(const struct service *s)
{
	log_event(LOG_LEVEL_ERROR, "room_lost", " pid=%d", (int)s->room.pid);
}

void
room_keeper_lost(struct service *s)
{
	if (s->room.pidfd < 0)
		return;
	room_keeper_hear(s); /* its last word */
	if (s->room.state == ROOM_STANDS)
		log_lost(s);
	room_lost(&s->room);
}

void
room_keeper_leave(struct service *s)
{
	log_lost(s);
	room_leave(&s->room);
}
