/*
 * Landlock as worker and front use it: everything is denied, nothing granted.
 */
#ifndef PROTO_LANDLOCK_H
#define PROTO_LANDLOCK_H

#include <stdbool.h>

/* Denies every right that the running kernel can deny. False when the kernel
 * has no Landlock, or it is switched off. Needs no_new_privs. */
bool landlock_deny_all(void);

#endif
