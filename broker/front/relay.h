/*
 * Turns a worker's frames into the public result. The worker may be hostile:
 * order, counts and sizes are checked, and that the numbers add up. Any breach
 * is final. It reads frames that others received, and neither waits nor sends.
 */
#ifndef FRONT_RELAY_H
#define FRONT_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/front/outbox.h"
#include "broker/front/reply.h"
#include "proto/answer.h"
#include "proto/failure.h"
#include "proto/job.h"
#include "proto/status.h"

enum relay_state {
	RELAY_READING, /* nothing but PROGRESS so far */
	RELAY_ROWS,    /* RESULT came; ROWS or DONE must follow */
	RELAY_DONE,    /* a whole result */
	RELAY_FAILED,  /* a whole failure */
	RELAY_BROKEN,  /* a breach: `breach` says which */
};

/* What a frame was, for whoever reads the channel. */
enum relay_event {
	RELAY_ON_PROGRESS,
	RELAY_ON_ANSWER, /* RESULT, ROWS, DONE or FAILED */
	RELAY_ON_WORDS,	 /* the worker's last words are in `words` */
	RELAY_ON_BREACH,
};

/* A worker has one last word; a few more do no harm. */
#define RELAY_WORDS_MAX 4

struct relay {
	const struct job *job; /* borrowed: as long as the relay lives */
	uint64_t id;	       /* of the job: every frame must name it */
	enum relay_state state;
	enum reason breach;
	bool has_progress;
	struct progress progress;
	struct failure failure; /* when RELAY_FAILED */
	uint8_t *head;		/* owned: RESULT's payload */
	struct answer answer;	/* borrows from head */
	uint64_t rows_seen;
	uint64_t left[METRICS_MAX]; /* self values that rows still owe */
	struct span words;	    /* borrowed: from the last frame */
	unsigned words_seen;
	struct outbox text; /* the result so far, from ROWS on */
};

void relay_init(struct relay *relay, const struct job *job, uint64_t id);
void relay_fini(struct relay *relay);

/*
 * Takes one record from the worker's channel. After RESULT the text grows, up
 * to the job's max_result_bytes: the caller feeds no more before it has room
 * for that.
 */
enum relay_event relay_feed(struct relay *relay, struct span bytes);

/* Ends the relay with a breach that its reader saw: a record that is none. */
void relay_break(struct relay *relay, enum reason reason);

/* Completes the text of a RELAY_DONE. False when it exceeds
 * max_result_bytes; the relay is then RELAY_BROKEN. */
NODISCARD bool relay_finish(struct relay *relay, const struct run *run);

#endif
