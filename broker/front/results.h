/*
 * The memory that results may take: a budget. A job reserves its whole
 * max_result_bytes before its rows are read and keeps what its result really
 * took, until it is acknowledged or its time is over.
 */
#ifndef FRONT_RESULTS_H
#define FRONT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/front/ledger.h"

#define RESULTS_BYTES_MAX (256 * MIB) /* a quarter of the front's memory */
#define RESULTS_KEPT_MS 60000	      /* without an acknowledgement */

struct results {
	size_t used;
	size_t max;
};

void results_init(struct results *results, size_t max);

/* Reserves room for the job's whole result, once. False: not now. */
NODISCARD bool results_reserve(struct results *results, struct tracked *job);

/* Sets what the job holds to its final text. Errors, which reserved nothing,
 * may so exceed the budget, until the oldest kept job is forgotten. */
void results_settle(struct results *results, struct tracked *job);

/* Gives back all that the job holds. */
void results_release(struct results *results, struct tracked *job);

/* The oldest kept job that was sent to somebody, and so may go first when
 * room is needed; NULL when there is none. */
struct tracked *results_oldest_told(const struct ledger *ledger);

/* The next kept job that has to go: its time is over, or there are too many, or
 * errors exceed the budget; NULL. */
struct tracked *results_expired(const struct results *results,
				const struct ledger *ledger, int64_t now_ms);

#endif
