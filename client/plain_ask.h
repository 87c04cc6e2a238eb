/*
 * Commands that are one question to the service: their command line, the
 * question, and errors told.
 */
#ifndef CLIENT_PLAIN_ASK_H
#define CLIENT_PLAIN_ASK_H

#include "client/arguments.h"
#include "client/envelope.h"
#include "client/contact.h"
#include "client/strbuf.h"

enum {
	PLAIN_JSON = 1,
	PLAIN_ENDPOINT,
	PLAIN_EMBEDDED,
	PLAIN_OWN, /* from here on flags of the command's own */
};

#define PLAIN_FLAG_JSON                                       \
	{                                                     \
		PLAIN_JSON, 0, "json", NULL, "print the JSON" \
	}
#define PLAIN_FLAG_ENDPOINT                                     \
	{                                                       \
		PLAIN_ENDPOINT, 0, "endpoint", "URL",           \
		    "the service: ipc:// and its socket's path" \
	}
#define PLAIN_FLAG_EMBEDDED                                         \
	{                                                           \
		PLAIN_EMBEDDED, 0, "embedded", NULL,                \
		    "ask a private service, even if one is running" \
	}

struct plain {
	const struct command_spec *spec; /* borrowed */
	enum contact_need need;
	const char *endpoint; /* borrowed */
	const char *job;      /* borrowed: the operand, NULL if none is taken */
	bool json;
	unsigned
	    own; /* bits of its own flags that were given, from PLAIN_OWN */
	struct envelope reply; /* owned */
};

/* Reads a command line; takes_job when its one operand is a job. False when
 * there is nothing more to do, with the exit status. */
NODISCARD bool plain_read(struct plain *plain, int argc, char **argv,
			  bool takes_job, int *status_out);

/* Asks `request`, whose id is its op, and closes the service again. True when
 * a reply of that type came, which the caller frees; else the exit status,
 * and what was wrong was said. */
NODISCARD bool plain_ask(struct plain *plain, const char *op,
			 enum envelope_type type, int *status_out);

/* Writes what was rendered on stdout. */
void plain_print(struct strbuf *sb);

/* Prints an object, or a list as the member `key` of one. */
void plain_print_json(const struct value *body, const char *key);

/* "j-" and 16 hex digits. */
bool plain_is_job(const char *text);

#endif
