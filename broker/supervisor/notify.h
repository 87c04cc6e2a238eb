/*
 * Tells whoever started us how we are: systemd by a datagram, a parent by one
 * byte on a descriptor.
 */
#ifndef SUPERVISOR_NOTIFY_H
#define SUPERVISOR_NOTIFY_H

/* Sends `state` ("READY=1") to $NOTIFY_SOCKET, if there is one. */
void notify_systemd(const char *state);

/* Writes one byte to *fd and closes it; nothing when it is -1. */
void notify_parent(int *fd);

#endif
