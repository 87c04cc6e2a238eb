/*
 * Hostile with only some layers of its own up: the artifact's name is
 * ATTACK@LAYERS@ARGUMENT. Each is the worker's real one; no program that is
 * installed can leave one out.
 */
#include "tests/misbehave/base/attacks.h"
#include "tests/misbehave/standin.h"
/* for its parts, which it does not show */
#include "worker/sandbox.c" /* NOLINT(bugprone-suspicious-include) */

#define MEMORY_BYTES (256 * MIB)
#define CPU_SECONDS 10

static bool
put_up(const char *layers)
{
	bool done = true;

	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (strstr(layers, "rlimits") != NULL)
		done = set_rlimits() && done;
	if (strstr(layers, "mdwe") != NULL)
		done = prctl(SET_MDWE, MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) == 0 &&
		       done;
	if (strstr(layers, "landlock") != NULL)
		done = landlock_deny_all() && done;
	if (strstr(layers, "rlimits") != NULL)
		done = sandbox_narrow(MEMORY_BYTES, CPU_SECONDS) && done;
	if (strstr(layers, "seccomp") != NULL)
		done = sandbox_filter_install(WORKER_FILTER_FD) && done;
	return done;
}

static int
tell(long result, int error)
{
	char report[ATTACK_REPORT_BYTES];

	attack_report(report, result, error);
	standin_fail(ST_ARTIFACT_PARSE_FAILED, RE_INVALID_JSON, report);
	_exit(WORKER_EXIT_DONE);
}

int
main(int argc, char **argv)
{
	char *name, *layers, *argument;
	pid_t parent;
	long result;

	if (argc != 3)
		return ATTACK_EXIT_EXECED;
	parent = (pid_t)strtol(argv[1], NULL, 10);
	name = strdup(standin_take_job(argv));
	layers = strchr(name, '@');
	argument = layers == NULL ? NULL : strchr(layers + 1, '@');
	if (argument == NULL)
		return WORKER_EXIT_SETUP;
	*layers++ = '\0';
	*argument++ = '\0';
	if (!put_up(layers))
		return WORKER_EXIT_SETUP;
	result = attack(name, argument, parent);
	return tell(result, errno);
}
