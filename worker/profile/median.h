/*
 * The exact median of many small integers in fixed memory: a count for each
 * value below MEDIAN_SMALL, and a table of at most MEDIAN_OTHERS distinct other
 * values. When there are more of them and it would lie there, there is none.
 */
#ifndef WORKER_PROFILE_MEDIAN_H
#define WORKER_PROFILE_MEDIAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/arena.h"

#define MEDIAN_SMALL 65536
#define MEDIAN_OTHERS 4096

struct median {
	struct arena *arena;	/* borrowed */
	uint32_t *small;	/* owned: a table of counts */
	int64_t *others;	/* owned: distinct values, ascending */
	uint64_t *other_counts; /* owned: beside others */
	uint32_t others_len;
	bool overflowed; /* more distinct others than are kept */
	uint64_t negative;
	uint64_t len;
};

void median_init(struct median *median, struct arena *arena);
void median_fini(struct median *median);
/* median_add of a value that is not small. */
void median_add_other(struct median *median, int64_t value);

static inline void
median_add(struct median *median, int64_t value)
{
	median->len++;
	if (value >= 0 && value < MEDIAN_SMALL)
		median->small[value]++;
	else
		median_add_other(median, value);
}

static inline void
median_add_all(struct median *median, const int64_t *values, size_t n)
{
	uint32_t *small = median->small;

	median->len += n;
	for (size_t i = 0; i < n; i++) {
		if ((uint64_t)values[i] < MEDIAN_SMALL)
			small[values[i]]++;
		else
			median_add_other(median, values[i]);
	}
}

/* The lower median; false when there is none, or it is not known exactly. */
bool median_get(const struct median *median, int64_t *value_out);

#endif
