/*
 * Strings as JSON text. The worker counts with it what the front will write,
 * so that a result keeps its cap; front and client write with it.
 */
#ifndef PROTO_JSON_TEXT_H
#define PROTO_JSON_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

/*
 * Bytes of the string as a JSON literal, quotes included. Escaped are the
 * quote, the backslash and C0 controls (\n, \t, \r, \b, \f short; the rest as
 * \u00XX), DEL and C1 as \u00XX; all else is copied, so text must be UTF-8.
 */
size_t json_text_size(struct span text);

/* Writes exactly json_text_size bytes; returns how many. */
size_t json_text_write(uint8_t *out, struct span text);

#endif
