/*
 * All that a running service has: each part is defined by its own module.
 */
#ifndef SUPERVISOR_SERVICE_H
#define SUPERVISOR_SERVICE_H

#include "broker/supervisor/config.h"
#include "broker/supervisor/deadline.h"
#include "broker/supervisor/drain.h"
#include "broker/supervisor/fronts.h"
#include "broker/supervisor/jobs.h"
#include "broker/supervisor/pool.h"
#include "broker/supervisor/privileges.h"
#include "broker/supervisor/programs.h"
#include "broker/supervisor/queue.h"
#include "broker/supervisor/room.h"
#include "broker/supervisor/rundir.h"
#include "broker/supervisor/stats.h"

struct service {
	struct config config;
	struct programs programs;
	struct identities identities;
	struct rundir rundir;
	struct room room;
	int filter_fd;	 /* owned; the workers' seccomp program */
	int signal_fd;	 /* owned */
	uint64_t now_us; /* as of this turn of the loop */
	struct deadlines deadlines;
	struct jobs jobs;
	struct queue queue;
	struct pool pool;
	struct front front;
	struct drain drain;
	struct stats stats;
	bool announced;	 /* systemd was told that we are ready */
	int exit_status; /* once drained */
};

/* The parts that need no process and no file: tables and clocks. False
 * without memory. config is copied. */
bool service_init(struct service *s, const struct config *config);
void service_fini(struct service *s);

#endif
