/*
 * An unlinked copy on disk of what cannot be read twice: a pipe, a terminal,
 * a socket.
 */
#ifndef CLIENT_SPOOL_H
#define CLIENT_SPOOL_H

#include <stddef.h>

#include "proto/status.h"

/*
 * Copies src to its end. *fd_out is then open for reading only, owned by the
 * caller. Otherwise `message` says what went wrong. CANCELLED at a signal.
 */
NODISCARD enum status spool_copy(int src, int *fd_out, char *message,
				 size_t message_len);

#endif
