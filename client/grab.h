/*
 * Memory that is always there: a client that cannot allocate says so and
 * ends. Nothing is lost by it; the service cancels what we had asked for, and
 * a private service ends with us.
 */
#ifndef CLIENT_GRAB_H
#define CLIENT_GRAB_H

#include <stddef.h>

#include "proto/span.h"

/* Zeroed; never NULL. */
void *grab(size_t size);

/* realloc to count elements of size; never NULL. */
void *grab_more(void *old, size_t count, size_t size);

/* The bytes of a span with a NUL behind them. */
char *grab_text(struct span text);

#endif
