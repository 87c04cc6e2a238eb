/*
 * Descriptors: clients' connections take most of them, and libzmq gives up,
 * process and all, when none is left for the next.
 */
#ifndef FRONT_FILES_H
#define FRONT_FILES_H

#include <stdbool.h>

/* As many as we may have; once, at the start. */
void files_raise(void);

/* True while so few are left that it is time to start anew. */
bool files_short(void);

#endif
