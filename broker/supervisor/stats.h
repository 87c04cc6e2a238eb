/*
 * Counters, and the answer to ASK_STATUS.
 */
#ifndef SUPERVISOR_STATS_H
#define SUPERVISOR_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/supervisor/obituary.h"
#include "proto/link.h"

struct service;

struct stats {
	uint64_t start_us;
	uint64_t jobs_accepted, jobs_refused, jobs_ended;
	uint64_t workers_started, workers_failed_start;
	uint64_t mean_job_us; /* of late */
	struct tallies tallies;
};

/* A job ended, and a worker had it, or not. */
void stats_count_job(struct stats *stats,
		     const struct obituary_record *obituary, bool had_worker);

/* What its client is told; over_us is the time from ADMIT to its end. */
void stats_count_verdict(struct stats *stats,
			 const struct verdict_record *verdict,
			 uint64_t over_us);

void stats_report(const struct service *s, uint64_t request,
		  struct status_record *out);

#endif
