/*
 * Boxed in exactly as the real worker, by its own code and in its order, and
 * then hostile. The artifact's name is ATTACK@@ARGUMENT.
 */
#include "tests/misbehave/base/attacks.h"
#include "tests/misbehave/standin.h"
#include "worker/sandbox.h"

#define BY_PARENT (1u << SANDBOX_OWN_UID | 1u << SANDBOX_ROOM)
#define MEMORY_BYTES (256 * MIB)
#define CPU_SECONDS 10

int
main(int argc, char **argv)
{
	char report[ATTACK_REPORT_BYTES];
	char *name, *argument;
	uint32_t layers = 0;
	pid_t parent;
	long result;

	if (argc != 3)
		return ATTACK_EXIT_EXECED;
	parent = (pid_t)strtol(argv[1], NULL, 10);
	if (sandbox_enter(parent, &layers) != NULL)
		return WORKER_EXIT_SETUP;
	standin_say_ready(layers |
			  ((uint32_t)strtoul(argv[2], NULL, 10) & BY_PARENT));
	name = strdup(standin_receive_job());
	argument = strstr(name, "@@");
	if (argument == NULL || !sandbox_narrow(MEMORY_BYTES, CPU_SECONDS) ||
	    !sandbox_filter_install(WORKER_FILTER_FD))
		return WORKER_EXIT_SETUP;
	*argument = '\0';
	result = attack(name, argument + 2, parent);
	attack_report(report, result, errno);
	standin_fail(ST_ARTIFACT_PARSE_FAILED, RE_INVALID_JSON, report);
	_exit(WORKER_EXIT_DONE);
}
