/*
 * What we tell the front. A letter goes out at once when the link takes it;
 * else it waits in a bounded box, so that a front that does not read costs
 * neither time nor memory without end: it is killed.
 */
#ifndef SUPERVISOR_LETTERS_H
#define SUPERVISOR_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/supervisor/jobs.h"
#include "proto/link.h"

/* A front that is so far behind does not work. */
#define LETTERBOX_BYTES_MAX (512 * KIB)
#define LETTERBOX_LETTERS_MAX 1024

struct letter;

struct letterbox {
	int link;	      /* borrowed: the front's; -1: no front is up */
	struct letter *first; /* owned list */
	struct letter **last;
	size_t bytes, letters;
	bool overflowed; /* or the link broke: the front has to go */
	bool starved;	 /* what waits is tried again in CHAN_SHORT_MS */
};

void letterbox_init(struct letterbox *box, int link);

/* Throws away what was not sent. */
void letterbox_fini(struct letterbox *box);

/* Sends what waits, as far as the link takes it. */
void letterbox_flush(struct letterbox *box);

static inline bool
letterbox_empty(const struct letterbox *box)
{
	return box->first == NULL;
}

void letter_config(struct letterbox *box, const struct config_record *config);
void letter_admitted(struct letterbox *box, const struct live_job *job,
		     uint64_t request);
void letter_refused(struct letterbox *box,
		    const struct refused_record *refused);
/* The job's channel rides along. */
void letter_channel(struct letterbox *box, const struct live_job *job);
void letter_obituary(struct letterbox *box, const struct live_job *job);
/* With its channel as long as we have it: then as running, even if it ended
 * while no front was there to read. */
void letter_adopt(struct letterbox *box, const struct live_job *job,
		  uint64_t now_us);
void letter_status(struct letterbox *box, const struct status_record *status);
void letter_drain(struct letterbox *box);

#endif
