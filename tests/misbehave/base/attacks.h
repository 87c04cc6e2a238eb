/*
 * What a worker that turned hostile would try, each by its name. The attacks
 * do not know which layers are up.
 */
#ifndef MISBEHAVE_ATTACKS_H
#define MISBEHAVE_ATTACKS_H

#include <sys/types.h>

/* Sixty-four bytes that hold a report. */
#define ATTACK_REPORT_BYTES 64

/* The exit status of what was exec'd. */
#define ATTACK_EXIT_EXECED 77

/* argument: a path, a name, a port or a process id, as the attack wants it.
 * Negative, with errno, when it was refused. Unknown names are -2. */
long attack(const char *name, const char *argument, pid_t parent);

/* "result R errno E" */
void attack_report(char out[ATTACK_REPORT_BYTES], long result, int error);

/* Families of attacks; -2: not one of theirs. */
long attack_files(const char *name, const char *argument);
long attack_processes(const char *name, const char *argument, pid_t parent);
long attack_memory(const char *name);
long attack_network(const char *name, const char *argument);
long attack_input(const char *name);

#endif
