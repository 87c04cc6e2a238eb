/*
 * Puts the parts together and takes them apart.
 */
#include "broker/supervisor/service.h"

#include <sys/wait.h>

#include "broker/supervisor/clock.h"
#include "proto/fd.h"

/* The kernel lets go of a killed process in well under a millisecond, but for
 * one that is stuck in a system call. */
#define REAP_US (200 * US_PER_MS)

/* Of the pool, the room, the front and the way out. */
#define DEADLINES_OF_SERVICE 4

bool
service_init(struct service *s, const struct config *config)
{
	*s = (struct service){
	    .config = *config,
	    .programs = {-1, -1, -1},
	    .rundir = {.dir_fd = -1,
		       .lock_fd = -1,
		       .api_fd = -1,
		       .door_fd = -1},
	    .filter_fd = -1,
	    .signal_fd = -1,
	    .now_us = clock_us(),
	};
	s->stats.start_us = s->now_us;
	room_init(&s->room);
	front_init(&s->front);
	return jobs_init(&s->jobs,
			 config->queue + config->workers + config->spare) &&
	       pool_init(s) &&
	       deadlines_init(&s->deadlines, jobs_deadlines(&s->jobs) +
						 s->pool.places +
						 DEADLINES_OF_SERVICE);
}

/* All children were killed. Left to process 1 they would be zombies for as long
 * as it likes, and in a container for ever. */
static void
reap_children(void)
{
	const struct timespec pause = {.tv_nsec = 200000};
	uint64_t until = clock_us() + REAP_US;
	pid_t pid;

	do {
		pid = waitpid(-1, NULL, WNOHANG | __WALL);
		if (pid == 0)
			nanosleep(&pause, NULL);
	} while (pid >= 0 && clock_us() < until);
}

void
service_fini(struct service *s)
{
	front_fini(s);
	pool_fini(s);
	room_fini(&s->room);
	reap_children();
	jobs_fini(&s->jobs);
	deadlines_fini(&s->deadlines);
	programs_fini(&s->programs);
	fd_close(&s->filter_fd);
	fd_close(&s->signal_fd);
	fd_close(&s->config.lifeline_fd);
	fd_close(&s->config.ready_fd);
}
