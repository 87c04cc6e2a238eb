/*
 * Several submissions side by side, handed out in the order given.
 */
#ifndef CLIENT_FLIGHT_H
#define CLIENT_FLIGHT_H

#include "client/submission.h"

struct flight {
	struct contact *service; /* borrowed; NULL when nothing is to be sent */
	struct inputs *inputs;	 /* borrowed */
	struct submission *list; /* owned: one an input */
	size_t given;		 /* handed out so far */
	size_t width;		 /* at most so many at a time */
	size_t ahead; /* nor further than so many before the next to give */
	uint64_t heard_ms; /* when the service last said something */
	uint64_t asked_ms; /* when we last looked whether it lives */
};

void flight_init(struct flight *f, struct contact *service,
		 struct inputs *inputs, const struct wishes *wishes);
void flight_free(struct flight *f);

/*
 * Waits for the next one in order to end; NULL when all were given, or at a
 * signal. Borrowed until the next call, which forgets its reply.
 */
struct submission *flight_next(struct flight *f);

/* When no more is wanted: cancels what is on its way, and gives the service a
 * moment to say so. */
void flight_cancel(struct flight *f);

#endif
