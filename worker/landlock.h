/*
 * Landlock as the worker uses it: everything is denied, nothing is granted.
 */
#ifndef WORKER_LANDLOCK_H
#define WORKER_LANDLOCK_H

#include <stdbool.h>

/* Denies every right that the running kernel can deny. False when the kernel
 * has no Landlock, or it is switched off. Needs no_new_privs. */
bool landlock_deny_all(void);

#endif
