/*
 * Finding one's way in a result object: the metric that is shown, and the
 * values of its rows.
 */
#ifndef CLIENT_RESULT_VIEW_H
#define CLIENT_RESULT_VIEW_H

#include "client/document.h"

struct metric_view {
	struct span name;
	struct span unit;
	uint64_t total;
	uint64_t active;
};

/* The metric that --sort named, else the main one. False when the result has
 * no metric at all. */
NODISCARD bool result_metric(const struct value *result,
			     struct metric_view *metric_out);

struct pair {
	uint64_t self, inclusive;
};

/* A row's values of a metric. */
struct pair row_values(const struct value *row, struct span metric);

/*
 * When a row is taken: one with a lower turn is taken before it. By self and
 * inclusive rank in turn, or by its position where --sort named an order.
 */
uint64_t row_turn(const struct value *result, const struct value *row,
		  size_t position);

/* The last turn of the first `rows` rows to be taken; rows is above 0. */
uint64_t result_last_turn(const struct value *result, uint64_t rows);

/* States of the VM: program, idle, gc, root and unknown. */
bool row_is_vm(const struct value *row);

#endif
