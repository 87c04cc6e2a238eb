/*
 * Who the children run as, and what we keep of root's powers.
 */
#ifndef SUPERVISOR_PRIVILEGES_H
#define SUPERVISOR_PRIVILEGES_H

#include <stdbool.h>
#include <sys/types.h>

struct identity {
	bool change; /* started as root: the child takes this uid and gid */
	uid_t uid;
	gid_t gid;
};

struct identities {
	struct identity worker;
	struct identity front;
};

void identities_find(struct identities *out);

/*
 * For good: as root nothing but CAP_KILL, CAP_SETUID and CAP_SETGID is kept,
 * as anybody else nothing; no program that is exec'd gains a privilege, and
 * nobody of our uid may trace us or read our memory. Dies when it fails.
 */
void privileges_drop(bool root);

#endif
