/*
 * The lines above a table: what the profile is, and its totals.
 */
#ifndef CLIENT_TABLE_HEAD_H
#define CLIENT_TABLE_HEAD_H

#include "client/document.h"
#include "client/strbuf.h"

void table_head(struct strbuf *sb, const struct value *result, size_t width);

#endif
