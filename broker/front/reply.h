/*
 * The public result (extractd.result/1) as JSON text, key for key, in three
 * pieces: all before the rows, one row, all after. Text from a profile is
 * escaped; everything else is ours.
 */
#ifndef FRONT_REPLY_H
#define FRONT_REPLY_H

#include <stdint.h>

#include "broker/front/outbox.h"
#include "proto/answer.h"
#include "proto/job.h"

/* What the supervisor says about how a job ran. */
struct run {
	uint64_t job;
	uint64_t wall_ms;
	uint64_t cpu_ms;
	uint64_t peak_rss_bytes;
	uint32_t sandbox; /* layers, 1 << SANDBOX_x */
};

void reply_head(struct outbox *o, const struct job *job,
		const struct answer *answer);
void reply_row(struct outbox *o, const struct answer *answer,
	       const struct row *row);
void reply_tail(struct outbox *o, const struct job *job,
		const struct answer *answer, const struct run *run);

/* ["seccomp", …]: the names of those layers whose bit is set. */
void reply_layers(struct outbox *o, uint32_t layers);

#endif
