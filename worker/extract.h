/*
 * The extraction itself: from an opened input to an answer and its rows. Knows
 * nothing of sockets and of the sandbox; what it finds goes to a sink.
 */
#ifndef WORKER_EXTRACT_H
#define WORKER_EXTRACT_H

#include "proto/answer.h"
#include "proto/failure.h"
#include "proto/job.h"
#include "proto/status.h"
#include "worker/arena.h"
#include "worker/input/input.h"

/*
 * Where an extraction reports to. progress may be called as often as one
 * likes, at least once a chunk and every few thousand steps of any other long
 * work; the sink sends when it is time. Then answer once, and as many rows as
 * answer.rows_returned says. Spans need to live only during the call.
 */
struct extract_sink {
	void *context; /* borrowed: the first argument of each call */
	void (*progress)(void *context, const struct progress *progress);
	void (*answer)(void *context, const struct answer *answer);
	void (*row)(void *context, const struct row *row, unsigned metrics);
};

/*
 * Reads the input to its end (input_finish included), unless it fails. The
 * input was opened with the same failure, arena and job limits, and is closed
 * by the caller. When it fails, no answer was given, and failure says why.
 *
 * The input has a digest when job->digest or job->has_sha256 is set; one that
 * differs from job->sha256 is ARTIFACT_CHANGED digest_mismatch, found here
 * after input_finish. The answer shows it only with job->digest.
 */
NODISCARD enum status extract(const struct job *job, struct input *input,
			      struct arena *arena,
			      const struct extract_sink *sink,
			      struct failure *failure);

#endif
