/*
 * Keeps workers warm: started ahead, in the background, and more and more
 * slowly while they die before they are of use.
 */
#ifndef SUPERVISOR_RECRUIT_H
#define SUPERVISOR_RECRUIT_H

struct service;

/* Starts as many workers as should be warm. */
void recruit_fill(struct service *s);

/* The worker at a place wrote its first record, or closed its channel. */
void recruit_hear(struct service *s, unsigned place);

/* It was not READY in time. */
void recruit_late(struct service *s, unsigned place);

/* A start came to nothing: the next one waits, longer each time. */
void recruit_failed(struct service *s);

/* A warm worker was killed from outside: it is replaced at once, unless that
 * happens all the time. */
void recruit_lost(struct service *s);

#endif
