/*
 * What the front gives up before it reads a byte of a client: new privileges,
 * and, where the kernel has Landlock, every file by name.
 */
#ifndef FRONT_CONFINE_H
#define FRONT_CONFINE_H

#include <stdbool.h>

/* False when no_new_privs, which is required, cannot be set. Must be called
 * while there is one thread: those started later inherit it. */
bool confine_self(bool *landlock_out);

#endif
