/*
 * Signals that end us: noted, so that whoever waits can tidy up first and
 * then let the same signal finish the job.
 */
#ifndef CLIENT_INTERRUPT_H
#define CLIENT_INTERRUPT_H

/* Watches SIGINT, SIGTERM and SIGHUP, but not those that our parent had us
 * ignore, and ignores SIGPIPE: writes report it. */
void interrupt_watch(void);

/* Readable once a signal came; -1 before interrupt_watch. */
int interrupt_fd(void);

/* The signal that came first; 0 when none did. */
int interrupt_caught(void);

/* From here on the signal is being seen to: interrupt_fd is quiet again. A
 * second one ends us at once. */
void interrupt_seen(void);

/* Ends by the signal, as if it had never been caught. */
_Noreturn void interrupt_die(int signal);

#endif
