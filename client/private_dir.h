/*
 * The directory of a private service: 0700, with a name short enough for the
 * sockets in it.
 */
#ifndef CLIENT_PRIVATE_DIR_H
#define CLIENT_PRIVATE_DIR_H

#include <limits.h>
#include <stdbool.h>

#include "proto/status.h"

/* Below $XDG_RUNTIME_DIR, $TMPDIR or /tmp, the first that will do. Says on
 * stderr why when none does. */
NODISCARD bool private_dir_make(char path_out[PATH_MAX]);

/* An unlinked file in it for what the service logs; -1 and errno. */
int private_dir_log(const char *path);

/* Removes it with the files in it. */
void private_dir_remove(const char *path);

#endif
