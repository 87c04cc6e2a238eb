/*
 * The service that a command talks to: one that is there, or a private one.
 */
#ifndef CLIENT_CONTACT_H
#define CLIENT_CONTACT_H

#include <stdbool.h>

#include "client/connect.h"
#include "client/embedded.h"
#include "client/endpoint.h"

enum contact_need {
	CONTACT_ANY,	  /* a private one when there is none */
	CONTACT_RUNNING,  /* one that is there */
	CONTACT_EMBEDDED, /* a private one in any case */
};

struct contact {
	char path[PATH_MAX];	 /* of its socket */
	struct embedded private; /* when we started it */
	bool is_private;
	struct connection connection;
};

/*
 * Finds or starts it, and makes sure that it answers. The exit status for a
 * failure, which was said, or 0. option is the value of --endpoint or NULL.
 */
int contact_open(struct contact *service, const char *option,
		 enum contact_need need);

void contact_close(struct contact *service);

/*
 * Sends a request and waits for the reply with its id; asks again after a
 * while, since a reply may be lost when the front is restarted. False, said,
 * when none comes, or, unsaid, at a signal.
 */
NODISCARD bool contact_ask(struct contact *service, struct span request,
			   const char *id, struct envelope *reply_out);

/* False once nobody listens any more, or the private one has ended. */
bool contact_lives(struct contact *service);

#endif
