/*
 * A front whose API is served, with a client that asks it over a real socket;
 * the test is its supervisor, at the other end of the link. One a process.
 */
#ifndef TESTS_FRONT_SERVED_H
#define TESTS_FRONT_SERVED_H

#include "broker/front/front.h"
#include "proto/frame.h"

extern struct front served;

void served_begin(void);
void served_end(void);

/* A live job of that id and name, known to the front. */
struct tracked *served_job(uint64_t id, struct span name);

/* Its channel is over, and this obituary came. */
void served_finish(struct tracked *job, enum status status);

/* The client's request, handled by the front. Of replies that it has not heard
 * the client takes in two or three; what follows stays with the front. */
void served_ask(const char *request);

/* A message of three frames, which is no request. */
void served_babble(void);

/* Who asked last; before that, nobody who can be told anything. */
extern struct peer served_peer;

/* The next reply, which is JSON and is kept until the next call. */
const char *served_hear(void);

/* The supervisor's record in w, as link_event takes it. *fd is closed. */
NODISCARD bool served_say(struct writer *w, int *fd);

/* The next record to the supervisor; false when there is none. */
NODISCARD bool served_next(struct frame *frame_out);

#endif
