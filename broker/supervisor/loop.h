/*
 * The service's only loop.
 */
#ifndef SUPERVISOR_LOOP_H
#define SUPERVISOR_LOOP_H

struct service;

/* Serves until drained. */
void loop_run(struct service *s);

/* Waits for the first worker's first words before anything is offered to
 * anybody: a worker that lacks a required layer ends the service here. */
void loop_prove_sandbox(struct service *s);

#endif
