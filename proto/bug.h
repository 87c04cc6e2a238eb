/*
 * Our own mistakes. BUG_ON stays in release builds: the process says where it
 * stood and dies at once by a trap, since a process that is wrong about itself
 * must not go on. Bad input is never a bug; it is an enum status.
 */
#ifndef PROTO_BUG_H
#define PROTO_BUG_H

/*
 * What to do with the last words. NULL writes them to standard error. A
 * sandboxed worker cannot write there, and sends them on its channel.
 */
typedef void (*bug_fn)(const char *text);
extern bug_fn bug_last_words;

_Noreturn void bug_at(const char *file, int line, const char *text);

#define BUG_ON(cond)                                       \
	do {                                               \
		if (__builtin_expect(!!(cond), 0))         \
			bug_at(__FILE__, __LINE__, #cond); \
	} while (0)

#endif
