/*
 * What a service counts since its start, for `status` and for metrics. All of
 * it counts events; nothing in it was written by a client or a profile.
 */
#ifndef PROTO_TALLY_H
#define PROTO_TALLY_H

#include <assert.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/status.h"
#include "proto/terms.h"

#define HISTOGRAM_BOUNDS 12

/* Each value is counted in the first bucket whose bound is not below it; the
 * last bucket takes those above all bounds. */
struct histogram {
	uint64_t bucket[HISTOGRAM_BOUNDS + 1];
	uint64_t sum; /* stays at the largest number there is */
};

extern const uint64_t histogram_job_us[HISTOGRAM_BOUNDS];
extern const uint64_t histogram_input_bytes[HISTOGRAM_BOUNDS];

struct tallies {
	/* jobs by what their client was told, FORMAT_ANY: not found out; the
	 * sum over all is the number of jobs that are over */
	uint64_t ended[FORMAT_COUNT][ST_COUNT];
	uint64_t rejected[REJECTED_COUNT];
	uint64_t deaths[DEATH_COUNT];
	struct histogram job_us;      /* from ADMIT to the end */
	struct histogram input_bytes; /* of artifacts that were opened */
	uint64_t peak_rss_bytes;      /* the highest of any worker */
};

/* On the wire, where each is a u64. */
#define TALLIES_BYTES                                                  \
	(8 * (FORMAT_COUNT * ST_COUNT + REJECTED_COUNT + DEATH_COUNT + \
	      2 * (HISTOGRAM_BOUNDS + 2) + 1))
static_assert(sizeof(struct tallies) == TALLIES_BYTES, "nothing but u64");

void histogram_add(struct histogram *histogram,
		   const uint64_t bounds[HISTOGRAM_BOUNDS], uint64_t value);

void tallies_write(struct writer *w, const struct tallies *tallies);
void tallies_read(struct reader *r, struct tallies *tallies_out);

#endif
