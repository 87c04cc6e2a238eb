/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above
 * U+10FFFF.
 */
#ifndef PROTO_UTF8_H
#define PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/span.h"

/* The number of leading bytes that are valid UTF-8, whole characters only. */
size_t utf8_valid_prefix(struct span text);

bool utf8_valid(struct span text);

/* The length of the longest prefix of valid text within max bytes that does
 * not cut a character. */
size_t utf8_cut(struct span text, size_t max);

#endif
