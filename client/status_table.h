/*
 * The service's status for people.
 */
#ifndef CLIENT_STATUS_TABLE_H
#define CLIENT_STATUS_TABLE_H

#include "client/document.h"
#include "client/strbuf.h"

/* status is an extractd.status/1; what it does not hold is left out, or 0. */
void status_table(struct strbuf *sb, const struct value *status, size_t width);

#endif
