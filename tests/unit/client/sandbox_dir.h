/*
 * A folder of its own for a test, and the working directory in it.
 */
#ifndef TESTS_SANDBOX_DIR_H
#define TESTS_SANDBOX_DIR_H

/* Makes it and goes there. Its path. */
const char *sandbox_dir_enter(void);

/* Removes it with all that is in it. */
void sandbox_dir_leave(void);

void sandbox_dir_write(const char *name, const char *text);

#endif
