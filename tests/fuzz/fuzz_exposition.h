/*
 * Prometheus' text format, as far as a line can be judged by itself.
 */
#ifndef TESTS_FUZZ_EXPOSITION_H
#define TESTS_FUZZ_EXPOSITION_H

#include <stdbool.h>
#include <string.h>

#include "proto/bug.h"

/* Behind the labels' last brace; strings end at a quote that is not escaped. */
static inline const char *
skip_labels(const char *at)
{
	bool quoted = false;

	for (; *at != '}' || quoted; at++) {
		BUG_ON(*at == '\0' || *at == '\n');
		quoted ^= *at == '"';
		at += quoted && *at == '\\';
	}
	return at + 1;
}

/* Lines that are comments, or samples of ours. */
static inline void
check_samples(const char *at)
{
	while (*at != '\0') {
		size_t len;

		if (*at == '#') {
			at = strchr(at, '\n') + 1;
			continue;
		}
		BUG_ON(strncmp(at, "extractd_", 9) != 0);
		at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
		at = *at == '{' ? skip_labels(at) : at;
		len = strspn(at, " 0123456789.eE+-");
		BUG_ON(len < 2 || *at != ' ' || at[len] != '\n');
		at += len + 1;
	}
}

#endif
