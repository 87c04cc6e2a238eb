/*
 * What goes wrong, said on stderr: one line that names the thing, and what to
 * do about it. Everything in it is escaped.
 */
#ifndef CLIENT_COMPLAIN_H
#define CLIENT_COMPLAIN_H

#include "client/document.h"

/* "extract-client: " and a line. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An extractd.error/1 about `name`, which may be empty. */
void complain_error(struct span name, const struct value *error);

#endif
