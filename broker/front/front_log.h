/*
 * One logfmt line an event on standard error, and few of them: the supervisor
 * logs what happens to jobs.
 */
#ifndef FRONT_LOG_H
#define FRONT_LOG_H

#include <stdint.h>

#include "proto/span.h"

/* event=… and the rest as printf says it, which must be logfmt already. */
void front_log(const char *event, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text that a worker wrote: quoted, all but printable ASCII escaped. */
void front_log_words(uint64_t job, struct span words);

#endif
