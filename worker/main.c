/*
 * extract-worker: started by extractd, with the descriptors of
 * proto/worker_fds.h, as
 *
 *   extract-worker PARENT_PID LAYERS
 *
 * LAYERS are the bits of the sandbox layers that the parent arranged before
 * the exec. The process extracts one artifact, and ends.
 */
#include <stdlib.h>
#include <unistd.h>

#include "proto/terms.h"
#include "proto/worker_fds.h"
#include "worker/sandbox.h"
#include "worker/serve.h"

#define BY_PARENT (1u << SANDBOX_OWN_UID | 1u << SANDBOX_ROOM)

int
main(int argc, char **argv)
{
	const char *missing;
	uint32_t layers = 0;
	uint32_t given;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	given = (uint32_t)strtoul(argv[2], NULL, 10) & BY_PARENT;
	missing = sandbox_enter((pid_t)strtol(argv[1], NULL, 10), &layers);
	/* _exit: nothing is to be flushed, and nothing may be written */
	if (missing != NULL)
		_exit(serve_refuse(missing));
	_exit(serve(given | layers));
}
