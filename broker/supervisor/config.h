/*
 * The command line, checked, with every default filled in.
 */
#ifndef SUPERVISOR_CONFIG_H
#define SUPERVISOR_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/supervisor/log.h"
#include "broker/supervisor/machine.h"
#include "proto/limits.h"

#define CONFIG_WORKERS_MAX 1024
#define CONFIG_QUEUE_MAX 4096
/* Tickets beyond the places, each of another client: more than well-behaved
 * clients hold at once. While one comes to the door, so many others must have
 * submitted before its ticket is given away. Each is a record, and a
 * descriptor once its client has come. */
#define CONFIG_SPARE 256
/* sun_path is 108 bytes, and "/extractd.sock" must fit behind this */
#define CONFIG_DIR_BYTES 94

#define API_SOCKET_NAME "extractd.sock"
#define DOOR_SOCKET_NAME "door.sock"

struct config {
	char runtime_dir[CONFIG_DIR_BYTES];
	const char *libexec_dir; /* NULL: beside extractd, or ../libexec */
	unsigned workers_wanted; /* as asked for, or one a core */
	unsigned workers;	 /* of those, as many as memory is for */
	unsigned queue;		 /* jobs that may wait */
	unsigned spare;		 /* tickets beyond queue and workers */
	uint64_t total_memory_bytes;
	unsigned result_ttl_seconds;
	uint64_t result_store_bytes;
	struct limits defaults, ceilings;
	int lifeline_fd; /* -1: none */
	int ready_fd;	 /* -1: none */
	unsigned drain_seconds;
	enum log_level log_level;
};

enum config_result {
	CONFIG_RUN,
	CONFIG_HELP,
	CONFIG_VERSION,
	CONFIG_WRONG, /* error says why */
};

#define CONFIG_ERROR_BYTES 256

enum config_result config_parse(int argc, char **argv,
				const struct machine *machine,
				struct config *config_out,
				char error_out[CONFIG_ERROR_BYTES]);

extern const char config_help[];

#endif
