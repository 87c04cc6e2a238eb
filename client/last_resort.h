/*
 * The end of a program that cannot go on: says why, takes along what would
 * outlive it, and exits with LEAVE_FAULT. libzmq aborts when it gets no memory
 * or no descriptor; with last_resort_watch that ends here, too.
 */
#ifndef CLIENT_LAST_RESORT_H
#define CLIENT_LAST_RESORT_H

enum last_resort_file {
	LAST_RESORT_DRAFT,
	LAST_RESORT_DIR, /* removed if it is empty; else extractd has it */
	LAST_RESORT_FILES
};

/* From now on abort() is such an end, in any thread. */
void last_resort_watch(void);

/* path is borrowed, until another or NULL is given. */
void last_resort_remove(enum last_resort_file file, const char *path);

/* words: a static text without a newline. Never allocates. */
_Noreturn void last_resort(const char *words);

#endif
