/*
 * Counters on the wire, in the order of their declaration.
 */
#include "proto/tally.h"

#define MS UINT64_C(1000)
#define S UINT64_C(1000000)
#define K UINT64_C(1024)

const uint64_t histogram_job_us[HISTOGRAM_BOUNDS] = {
    5 * MS,   10 * MS, 25 * MS, 50 * MS, 100 * MS, 250 * MS,
    500 * MS, 1 * S,   5 * S,	30 * S,	 120 * S,  600 * S,
};

const uint64_t histogram_input_bytes[HISTOGRAM_BOUNDS] = {
    K,	      4 * K,	 16 * K,    64 * K,	256 * K, K *K,
    4 * K *K, 16 * K *K, 64 * K *K, 256 * K *K, K *K *K, 16 * K *K *K,
};

void
histogram_add(struct histogram *histogram,
	      const uint64_t bounds[HISTOGRAM_BOUNDS], uint64_t value)
{
	unsigned i = 0;

	while (i < HISTOGRAM_BOUNDS && value > bounds[i])
		i++;
	histogram->bucket[i]++;
	histogram->sum = value > UINT64_MAX - histogram->sum
			     ? UINT64_MAX
			     : histogram->sum + value;
}

static void
put_all(struct writer *w, const uint64_t *values, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		writer_put_u64(w, values[i]);
}

static void
get_all(struct reader *r, uint64_t *values, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		values[i] = reader_get_u64(r);
}

static void
put_histogram(struct writer *w, const struct histogram *histogram)
{
	put_all(w, histogram->bucket, HISTOGRAM_BOUNDS + 1);
	writer_put_u64(w, histogram->sum);
}

static void
get_histogram(struct reader *r, struct histogram *histogram)
{
	get_all(r, histogram->bucket, HISTOGRAM_BOUNDS + 1);
	histogram->sum = reader_get_u64(r);
}

void
tallies_write(struct writer *w, const struct tallies *t)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		put_all(w, t->ended[i], ST_COUNT);
	put_all(w, t->rejected, REJECTED_COUNT);
	put_all(w, t->deaths, DEATH_COUNT);
	put_histogram(w, &t->job_us);
	put_histogram(w, &t->input_bytes);
	writer_put_u64(w, t->peak_rss_bytes);
}

void
tallies_read(struct reader *r, struct tallies *t)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		get_all(r, t->ended[i], ST_COUNT);
	get_all(r, t->rejected, REJECTED_COUNT);
	get_all(r, t->deaths, DEATH_COUNT);
	get_histogram(r, &t->job_us);
	get_histogram(r, &t->input_bytes);
	t->peak_rss_bytes = reader_get_u64(r);
}
