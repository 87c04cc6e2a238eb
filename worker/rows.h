/*
 * The bounded selection: from a whole profile to the rows of one reply, and
 * what is left of it.
 */
#ifndef WORKER_ROWS_H
#define WORKER_ROWS_H

#include "proto/status.h"
#include "worker/extract.h"
#include "worker/input/input.h"
#include "worker/profile/profile.h"

/*
 * Ranks all frames, selects rows within the job's rows and max_result_bytes,
 * and gives answer and rows to the sink, which is told that progress meanwhile.
 * INVALID_REQUEST/no_such_metric when the job sorts by a metric that the
 * profile lacks.
 */
NODISCARD enum status rows_send(struct profile *profile, enum format format,
				const struct input_end *end,
				const struct extract_sink *sink,
				const struct progress *progress);

#endif
