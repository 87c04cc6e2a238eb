/*
 * One artifact on its way through the service, as a state machine over the
 * shared connection. It ends with exactly one reply: a result or an error, or
 * for a job to be detached the acceptance, once its file was handed over.
 *
 *            start        accepted            result, error
 *   IDLE ───────────▶ ASKED ───────▶ RUNNING ───────────────▶ ENDED
 *    ▲                  │ BUSY          │ FRONT_LOST, once
 *    └──────────────────┴───────────────┘
 */
#ifndef CLIENT_SUBMISSION_H
#define CLIENT_SUBMISSION_H

#include "client/asking.h"
#include "client/inputs.h"
#include "client/progress_line.h"
#include "client/contact.h"

enum submission_state {
	SUBMISSION_IDLE,    /* not sent; from act_ms on it may be */
	SUBMISSION_ASKED,   /* submit was sent */
	SUBMISSION_RUNNING, /* the file was handed over */
	SUBMISSION_ENDED,   /* reply is there */
};

struct submission {
	enum submission_state state;
	struct input *input;	     /* borrowed */
	const struct wishes *wishes; /* borrowed */
	size_t number;		     /* position, for its request ids */
	unsigned attempt;
	bool sent_again;  /* after FRONT_LOST */
	bool given_up;	  /* nobody wants its result any more */
	uint64_t act_ms;  /* when to send, or to ask again */
	uint64_t busy_ms; /* since when the service is busy; 0: it is not */
	char job[JOB_ID_BYTES + 1];
	int door; /* owned: the lease */
	struct progress_view progress;
	struct envelope reply; /* owned */
};

void submission_init(struct submission *s, size_t number, struct input *input,
		     const struct wishes *wishes);
void submission_free(struct submission *s);

/* Does what is due: sends, or asks again. */
void submission_act(struct submission *s, struct contact *service);

/* True when the reply was for this one; then it was taken over. */
bool submission_hear(struct submission *s, struct contact *service,
		     struct envelope *reply);

/* Ends with an error of our own. */
void submission_fail(struct submission *s, enum status status,
		     const char *message);

/* Gives the job up, on the service too; also one that was detached. While
 * submission_waits, a last reply may come, which is acknowledged so that the
 * service forgets the job. */
void submission_cancel(struct submission *s, struct contact *service);
bool submission_waits(const struct submission *s);

#endif
