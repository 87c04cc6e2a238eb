/*
 * A worker's life after its sandbox stands: READY, one job, its descriptor,
 * the filter, the extraction, one answer.
 */
#ifndef WORKER_SERVE_H
#define WORKER_SERVE_H

#include <stdint.h>

/* layers: what is in force, for READY. Returns the exit status, one of those
 * in proto/worker_fds.h. */
int serve(uint32_t layers);

/* Instead of READY: a required layer is not up. Returns the exit status. */
int serve_refuse(const char *layer);

#endif
