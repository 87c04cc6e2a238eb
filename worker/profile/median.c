/*
 * Counting. Values that are not small are rare in a profile (a pause between
 * samples), so a sorted array with insertion is enough for them.
 */
#include "worker/profile/median.h"

#include <string.h>

void
median_init(struct median *m, struct arena *arena)
{
	*m = (struct median){.arena = arena};
	table_grow(arena, (void **)&m->small, 0,
		   MEDIAN_SMALL * sizeof(m->small[0]));
	m->others = arena_calloc(arena, MEDIAN_OTHERS, sizeof(m->others[0]));
	m->other_counts =
	    arena_calloc(arena, MEDIAN_OTHERS, sizeof(m->other_counts[0]));
}

void
median_fini(struct median *m)
{
	table_grow(m->arena, (void **)&m->small,
		   MEDIAN_SMALL * sizeof(m->small[0]), 0);
	arena_free(m->arena, m->others);
	arena_free(m->arena, m->other_counts);
	m->others = NULL;
	m->other_counts = NULL;
}

/* The first index whose value is not below. */
static uint32_t
lower_bound(const struct median *m, int64_t value)
{
	uint32_t low = 0, high = m->others_len;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (m->others[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
add_other(struct median *m, int64_t value)
{
	uint32_t at = lower_bound(m, value);
	size_t behind = m->others_len - at;

	if (at < m->others_len && m->others[at] == value) {
		m->other_counts[at]++;
		return;
	}
	if (m->others_len == MEDIAN_OTHERS) {
		m->overflowed = true;
		return;
	}
	memmove(m->others + at + 1, m->others + at,
		behind * sizeof(m->others[0]));
	memmove(m->other_counts + at + 1, m->other_counts + at,
		behind * sizeof(m->other_counts[0]));
	m->others[at] = value;
	m->other_counts[at] = 1;
	m->others_len++;
}

void
median_add_other(struct median *m, int64_t value)
{
	if (value < 0)
		m->negative++;
	add_other(m, value);
}

/* The value of the rank among the others from `from` on. */
static bool
rank_in_others(const struct median *m, uint32_t from, uint64_t rank,
	       int64_t *value_out)
{
	uint64_t seen = 0;

	for (uint32_t i = from; !m->overflowed && i < m->others_len; i++) {
		seen += m->other_counts[i];
		if (rank < seen) {
			*value_out = m->others[i];
			return true;
		}
	}
	return false;
}

bool
median_get(const struct median *m, int64_t *value_out)
{
	uint64_t rank, seen = m->negative;

	if (m->len == 0)
		return false;
	rank = (m->len - 1) / 2;
	if (rank < m->negative)
		return rank_in_others(m, 0, rank, value_out);
	for (int64_t value = 0; value < MEDIAN_SMALL; value++) {
		seen += m->small[value];
		if (rank < seen) {
			*value_out = value;
			return true;
		}
	}
	return rank_in_others(m, lower_bound(m, 0), rank - seen, value_out);
}
