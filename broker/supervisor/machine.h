/*
 * What the machine, or the control group that we are in, gives us.
 */
#ifndef SUPERVISOR_MACHINE_H
#define SUPERVISOR_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

struct machine {
	unsigned cores;	       /* that we may run on */
	uint64_t memory_bytes; /* of the machine, or less if a cgroup says so */
	uint64_t process_bytes;	      /* that a process may map; ulimit -v */
	uint64_t process_cpu_seconds; /* that it may run; ulimit -t */
	bool root;
	const char *user_runtime_dir; /* XDG_RUNTIME_DIR; NULL: none */
};

void machine_look(struct machine *machine_out);

#endif
