/*
 * The worker's system-call filter: compiled once from proto/syscalls.def and
 * handed to every worker as a program in a sealed memory file.
 */
#ifndef SUPERVISOR_FILTER_H
#define SUPERVISOR_FILTER_H

#include "proto/status.h"

/* *fd_out: owned by the caller. ST_CAPABILITY_UNAVAILABLE when the kernel or
 * the library does not go along; errno says why. */
NODISCARD enum status filter_compile(int *fd_out);

#endif
