/*
 * Promises one row and sends a gigabyte of them.
 */
#include "tests/misbehave/standin.h"

#define ROWS_A_FRAME 128
#define FLOOD_BYTES GIB

int
main(int argc, char **argv)
{
	uint64_t sent = 0;

	if (argc != 3)
		return WORKER_EXIT_SETUP;
	(void)standin_take_job(argv);
	standin_result(1);
	while (sent < FLOOD_BYTES) {
		standin_rows(ROWS_A_FRAME);
		sent += ROWS_A_FRAME * (ROW_FIXED_BYTES + ROW_METRIC_BYTES);
	}
	standin_done(1);
	_exit(WORKER_EXIT_DONE);
}
