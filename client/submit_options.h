/*
 * The command line of `submit`.
 */
#ifndef CLIENT_SUBMIT_OPTIONS_H
#define CLIENT_SUBMIT_OPTIONS_H

#include "client/arguments.h"
#include "client/asking.h"
#include "client/printer.h"
#include "client/contact.h"

struct submit_options {
	struct wishes wishes;
	struct print_options print;
	char *project_root; /* owned: wishes.project_root */
	const char *endpoint;
	enum contact_need need;
	bool quiet;
	const char **operands; /* owned array, borrowed strings */
	size_t operands_len;
};

/* True when there is something to do; else *status_out is the exit status. */
NODISCARD bool submit_options_read(struct submit_options *options, int argc,
				   char **argv, int *status_out);
void submit_options_free(struct submit_options *options);

#endif
