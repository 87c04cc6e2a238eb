/*
 * The neutral model of a profile: what an extractor fills and what rows are
 * selected from. Knows no format.
 *
 * An extractor interns frames, adds and links nodes, adds values to columns,
 * seals the tree, folds each column into a metric, and notes what is odd. The
 * values of what has no node (a sample that names none) go to the frame
 * `unknown`.
 */
#ifndef WORKER_PROFILE_PROFILE_H
#define WORKER_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/answer.h"
#include "proto/failure.h"
#include "proto/job.h"
#include "proto/status.h"
#include "worker/arena.h"
#include "worker/profile/column.h"
#include "worker/profile/frames.h"
#include "worker/profile/tree.h"

struct profile_metric {
	const char *name; /* borrowed: a literal */
	const char *unit; /* borrowed: a literal */
	struct measure measure;
};

struct profile_gap {
	const char *metric; /* borrowed: a literal */
	const char *reason; /* borrowed: a literal */
};

struct profile {
	struct arena *arena;	 /* borrowed */
	const struct job *job;	 /* borrowed */
	struct failure *failure; /* borrowed */
	struct frames frames;
	struct tree tree;
	bool tree_sealed; /* all nodes are there */
	uint32_t unknown; /* the frame for what has no node; FRAME_NONE */
	unsigned metrics_len;
	struct profile_metric metrics[METRICS_MAX];
	unsigned gaps_len;
	struct profile_gap gaps[METRICS_MAX];
	struct maybe start_us, end_us, duration_us, interval_us;
	struct maybe samples;
	uint64_t coverage[COVERAGE_COUNT];
	uint32_t limitations; /* bits, 1 << LIMITATION_x */
	bool partial;
};

void profile_init(struct profile *profile, struct arena *arena,
		  const struct job *job, struct failure *failure);

/* Folds the column into the metric. VALUE_OVERFLOW as a status with the
 * failure filled in when `unknown_value`, the part without a node, makes the
 * sum overflow. The frame `unknown` is made when it is first needed. */
NODISCARD enum status profile_metric(struct profile *profile, const char *name,
				     const char *unit, struct column *column,
				     uint64_t unknown_value,
				     enum language language,
				     enum frame_type type);

/* The same of values that were added up already; the measure is taken over. */
NODISCARD enum status profile_measured(struct profile *profile,
				       const char *name, const char *unit,
				       struct measure *measure,
				       uint64_t unknown_value,
				       enum language language,
				       enum frame_type type);

/* The metric cannot be had from this file. */
void profile_lacks(struct profile *profile, const char *metric,
		   const char *reason);

void profile_limitation(struct profile *profile, enum limitation limitation);

#endif
