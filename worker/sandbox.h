/*
 * The worker's own part of its sandbox, in the order of docs/SANDBOX.md: what
 * it does between its first instruction and READY, what it narrows when it has
 * its job, and the filter before the first byte of the artifact. Required
 * layers cannot be switched off.
 */
#ifndef WORKER_SANDBOX_H
#define WORKER_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * parent: who must still be our parent. *layers_out: bits 1 << SANDBOX_x of
 * what is in force (seccomp comes later). NULL when all that is required is
 * up; else what is not, for the log.
 */
const char *sandbox_enter(pid_t parent, uint32_t *layers_out);

/* The address space and the processor time of the job: SIGXCPU when that is
 * used up. */
bool sandbox_narrow(uint64_t memory_bytes, uint64_t cpu_seconds);

/* Reads the filter whole from fd and puts it up. From here on every system
 * call that it does not list ends the process. */
bool sandbox_filter_install(int fd);

#endif
