/*
 * The order of preference among metrics is the documented one.
 */
#include "client/result_view.h"

#include <stdlib.h>

#include "client/grab.h"

static const char *const main_metrics[] = {"wall.time", "cpu.samples",
					   "cpu.hit_count", "memory.self_size"};

static const struct value *
find_metric(const struct value *result, struct span name)
{
	const struct value *list = value_get(result, "metrics");

	for (const struct value *v = list->first; v != NULL; v = v->next)
		if (span_equal(value_text(value_get(v, "name")), name))
			return v;
	return NULL;
}

static const struct value *
choose(const struct value *result)
{
	struct span sort =
	    value_text(value_get(value_get(result, "options"), "sort"));
	const struct value *found = NULL;

	for (size_t i = 0; i < sort.len; i++)
		if (sort.data[i] == ':')
			sort.len = i;
	if (sort.len > 0)
		found = find_metric(result, sort);
	for (size_t i = 0; found == NULL && i < 4; i++)
		found = find_metric(result, span_str(main_metrics[i]));
	if (found == NULL)
		found = value_get(result, "metrics")->first;
	return found;
}

bool
result_metric(const struct value *result, struct metric_view *metric_out)
{
	const struct value *metric = choose(result);

	if (metric == NULL)
		return false;
	*metric_out = (struct metric_view){
	    .name = value_text(value_get(metric, "name")),
	    .unit = value_text(value_get(metric, "unit")),
	    .total = value_number(value_get(metric, "total")),
	    .active = value_number(value_get(metric, "active")),
	};
	return true;
}

struct pair
row_values(const struct value *row, struct span metric)
{
	const struct value *values = value_get(row, "values");

	for (const struct value *v = values->first; v != NULL; v = v->next)
		if (span_equal(v->key, metric))
			return (struct pair){value_number(value_get(v, "self")),
					     value_number(
						 value_get(v, "inclusive"))};
	return (struct pair){0, 0};
}

uint64_t
row_turn(const struct value *result, const struct value *row, size_t position)
{
	const struct value *sort =
	    value_get(value_get(result, "options"), "sort");
	uint64_t self = value_number(value_get(row, "rank_self"));
	uint64_t inclusive = value_number(value_get(row, "rank_inclusive"));

	if (sort->type == VALUE_STRING)
		return position;
	return self <= inclusive ? 2 * self : 2 * inclusive + 1;
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

uint64_t
result_last_turn(const struct value *result, uint64_t rows)
{
	const struct value *list = value_get(result, "rows");
	size_t count = value_count(list), i = 0;
	uint64_t *turns, last;

	if (rows >= count)
		return UINT64_MAX;
	turns = grab(count * sizeof(*turns));
	for (const struct value *row = list->first; row != NULL;
	     row = row->next, i++)
		turns[i] = row_turn(result, row, i);
	qsort(turns, count, sizeof(*turns), by_number);
	last = turns[rows - 1];
	free(turns);
	return last;
}

bool
row_is_vm(const struct value *row)
{
	static const char *const states[] = {"program", "idle", "gc", "root",
					     "unknown"};
	struct span category = value_text(value_get(row, "category"));

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (span_is(category, states[i]))
			return true;
	return false;
}
