/*
 * Drops privileges by the raw system call, since three bits do not need a
 * library.
 */
#include "broker/supervisor/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <pwd.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker/supervisor/log.h"

/* Unprivileged ids for a system on which the users were not made. Workers and
 * the front must differ, so that neither can touch the other. */
#define WORKER_ID_FALLBACK 65534
#define FRONT_ID_FALLBACK 65533

static struct identity
identity_of(const char *user, unsigned fallback)
{
	const struct passwd *pw;

	if (geteuid() != 0)
		return (struct identity){.uid = geteuid(), .gid = getegid()};
	pw = getpwnam(user);
	if (pw == NULL)
		return (struct identity){.change = true,
					 .uid = fallback,
					 .gid = fallback};
	return (struct identity){.change = true,
				 .uid = pw->pw_uid,
				 .gid = pw->pw_gid};
}

void
identities_find(struct identities *out)
{
	out->worker = identity_of("extractd-worker", WORKER_ID_FALLBACK);
	out->front = identity_of("extractd-front", FRONT_ID_FALLBACK);
	if (out->worker.change && (out->worker.uid == 0 || out->front.uid == 0))
		die(EXIT_STATUS_NO_SANDBOX,
		    "the users extractd-worker and extractd-front must not "
		    "be root");
}

static bool
keep_only(unsigned kept)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {
	    {.effective = kept, .permitted = kept}};

	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (cap >= 32 || (kept & (1U << cap)) == 0)
			(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	return syscall(SYS_capset, &header, data) == 0;
}

void
privileges_drop(bool root)
{
	unsigned kept =
	    root ? 1U << CAP_KILL | 1U << CAP_SETUID | 1U << CAP_SETGID : 0;

	if (!keep_only(kept))
		die(EXIT_STATUS_NO_SANDBOX, "cannot drop capabilities: %s",
		    strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		die(EXIT_STATUS_NO_SANDBOX, "cannot set no_new_privs: %s",
		    strerror(errno));
	/* The kernel does the same to us each time a child that still shares
	 * our memory changes its credentials; better always than sometimes. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		die(EXIT_STATUS_NO_SANDBOX, "cannot become undumpable: %s",
		    strerror(errno));
}
