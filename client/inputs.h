/*
 * What the command line names, as one list of files in the order given:
 * folders are opened up, and what has no descriptor of a regular file gets
 * one.
 */
#ifndef CLIENT_INPUTS_H
#define CLIENT_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/envelope.h"

struct folder {
	char *name;	 /* owned */
	size_t files;	 /* regular files in it */
	size_t left_out; /* of these, not recognised */
};

struct input {
	char *name;	       /* owned: as the user knows it; also its path */
	int fd;		       /* owned: already open, or -1 */
	size_t folder;	       /* 1 + its position in folders; 0: none */
	bool failed;	       /* then error says why */
	struct envelope error; /* owned */
};

struct inputs {
	struct input *list; /* owned */
	size_t len;
	struct folder *folders; /* owned */
	size_t folders_len;
	bool several; /* more than one file can come of it */
};

void inputs_init(struct inputs *inputs);
void inputs_free(struct inputs *inputs);

/* Adds one operand of the command line. Reads standard input for "-". A
 * signal while that is copied ends it early; the caller looks. */
void inputs_add(struct inputs *inputs, const char *operand);

/*
 * Opens an input's file if it is not open yet. The descriptor, which the
 * caller owns, or -1 with input->error filled in.
 */
int inputs_open(struct input *input);

#endif
