/*
 * The store of results: its budget of bytes, their time, and which ids were
 * kept and went. A job reserves its whole max_result_bytes before its rows are
 * read and keeps what its result really took, until it is acknowledged, its
 * time is over, or its room is needed.
 */
#ifndef FRONT_RESULTS_H
#define FRONT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/front/ledger.h"

#define RESULTS_GONE_MAX 8192 /* ids remembered */

struct results {
	size_t used; /* by live jobs and by kept ones */
	size_t kept; /* of it, by kept ones */
	size_t max;
	int64_t ttl_ms;
	uint64_t gone[RESULTS_GONE_MAX]; /* a ring; 0: none */
	size_t gone_next;
};

void results_init(struct results *results, size_t max, int64_t ttl_ms);

/* Reserves room for the job's whole result, once; one that may take more than
 * the store gets all of it. False: not now. */
NODISCARD bool results_reserve(struct results *results, struct tracked *job);

/* Sets what the job, which ends, holds to its final text. Errors, which
 * reserved nothing, may so exceed the budget, until a kept job is forgotten. */
void results_settle(struct results *results, struct tracked *job);

/* Gives back all that the job holds. */
void results_release(struct results *results, struct tracked *job);

/*
 * The kept job that goes when the live one finds no room: the oldest that
 * somebody was sent; else, when waiting for live ones to end would not help,
 * the oldest. Never one that somebody waits for. NULL: none.
 */
struct tracked *results_in_the_way(const struct results *results,
				   const struct ledger *ledger,
				   const struct tracked *job);

/* The next kept job that has to go: its time is over, or there are too many, or
 * the budget is exceeded; NULL. */
struct tracked *results_expired(const struct results *results,
				const struct ledger *ledger, int64_t now_ms);

/* Remembers that it went without an acknowledgement, and whether one did. */
void results_remember(struct results *results, uint64_t job);
NODISCARD bool results_went(const struct results *results, uint64_t job);

#endif
