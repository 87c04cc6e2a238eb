/*
 * The front's process: started, watched, restarted; whatever it leaves behind
 * is cleared up, and its successor is given the jobs that live.
 */
#ifndef SUPERVISOR_FRONTS_H
#define SUPERVISOR_FRONTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "broker/supervisor/deadline.h"
#include "broker/supervisor/letters.h"

struct service;

struct front {
	pid_t pid;
	int pidfd; /* owned; -1: none is up */
	int link;  /* owned */
	bool ready;
	bool condemned;	 /* killed; nothing more is read from it */
	bool adopting;	 /* there may be jobs that it does not know yet */
	bool was_ready;	 /* one front or another has been */
	unsigned deaths; /* in a row, none of them long after its start */
	uint32_t restarts;
	uint64_t start_us;
	uint64_t heard_us;     /* when its last record came */
	struct deadline clock; /* for READY, its next word, or the restart */
	struct letterbox box;
};

void front_init(struct front *front);
void front_fini(struct service *s);

/* Starts one now. */
void front_start(struct service *s);

/* Its process ended. */
void front_reap(struct service *s);

/* Its jobs are nobody's until the next front is given them; what it had begun
 * to deliver is lost. */
void front_disown_jobs(struct service *s);

/* FRONT_READY came. */
void front_is_ready(struct service *s);

/* It was not READY in time. */
void front_late(struct service *s);

/* Nothing was heard of it since it was last looked at: stopped or hung, it is
 * replaced. due_us is when it should have been looked at. */
void front_silent(struct service *s, uint64_t due_us);

/* It has missed a word, so what is not heard through it may be its silence. */
bool front_is_quiet(const struct service *s);

/* Kills it; `why` is for the log. */
void front_condemn(struct service *s, const char *why);

/* Gives it the jobs that it does not know yet, as far as the link takes them,
 * and condemns it when it has not read its letters. */
void front_tend(struct service *s);

#endif
