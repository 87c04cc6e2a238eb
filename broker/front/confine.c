/*
 * The listening sockets were bound by the supervisor, so nothing needs a name
 * any more.
 */
#include "broker/front/confine.h"

#include <sys/prctl.h>

#include "proto/landlock.h"

bool
confine_self(bool *landlock_out)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	*landlock_out = landlock_deny_all();
	return true;
}
