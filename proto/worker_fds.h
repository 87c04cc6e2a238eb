/*
 * Where a worker finds its descriptors. The numbers are fixed because the
 * system-call filter names them.
 */
#ifndef PROTO_WORKER_FDS_H
#define PROTO_WORKER_FDS_H

#define WORKER_CHANNEL_FD 3 /* SEQPACKET to the broker */
#define WORKER_FILTER_FD 4  /* the seccomp program, a sealed memfd */
#define WORKER_INPUT_FD 5   /* the artifact, once the client has sent it */

/* Exit statuses, for the obituary. */
#define WORKER_EXIT_DONE 0     /* an answer was sent whole */
#define WORKER_EXIT_PROTOCOL 2 /* no job came, or a malformed one */
#define WORKER_EXIT_SETUP 3    /* a required layer could not be put up */

/* The record with which a client hands over its file: one byte and the
 * descriptor. */
#define DOOR_FILE_BYTE 'F'

#endif
