/*
 * Dies loudly. Must not allocate and must not return, whatever state the
 * process is in.
 */
#include "proto/bug.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bug_fn bug_last_words;

_Noreturn void
bug_at(const char *file, int line, const char *text)
{
	char words[256];

	snprintf(words, sizeof(words), "bug: %s:%d: %s\n", file, line, text);
	if (bug_last_words != NULL) {
		bug_last_words(words);
	} else {
		ssize_t ignored = write(STDERR_FILENO, words, strlen(words));
		(void)ignored;
	}
	__builtin_trap();
}
