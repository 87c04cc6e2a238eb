/*
 * Everything that a library does only the first time, done before the filter
 * and before a job waits for it.
 */
#ifndef WORKER_WARM_H
#define WORKER_WARM_H

void warm_up(void);

#endif
