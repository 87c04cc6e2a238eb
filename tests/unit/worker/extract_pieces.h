/*
 * What tests of the formats share: extract a text whole and in pieces of 1 to
 * 31 bytes, which must come to the same, and look at rows by function name.
 */
#ifndef TESTS_UNIT_WORKER_EXTRACT_PIECES_H
#define TESTS_UNIT_WORKER_EXTRACT_PIECES_H

#include <criterion/criterion.h>

#include "tests/support/extracted_text.h"

#define PIECES_MAX 31

/* The outcome, which was the same for all pieces; to be freed. */
static inline char *
extract_pieces(struct span bytes, const struct job *job)
{
	struct extract_how how = {.job = job};
	char *whole = extract_text(bytes, &how);

	for (how.chunk = 1; how.chunk <= PIECES_MAX; how.chunk++) {
		char *text = extract_text(bytes, &how);

		cr_assert_str_eq(text, whole, "in pieces of %zu: %.*s",
				 how.chunk, (int)bytes.len,
				 (const char *)bytes.data);
		free(text);
	}
	return whole;
}

/* The outcome as a structure, with that of all pieces compared before. */
static inline struct extracted
extract_good(const char *json, const struct job *job)
{
	struct extract_how how = {.job = job};
	struct extracted e;

	free(extract_pieces(span_str(json), job));
	extract_bytes(span_str(json), &how, &e);
	cr_assert_eq(e.status, ST_OK, "%s: %s", json, e.failure.message);
	return e;
}

/* It fails with this reason; the offset is that of the last place in json where
 * `at` begins (NULL: none), and with this path. */
static inline void
expect_failure_of(const char *json, const struct job *job, enum reason reason,
		  const char *at, const char *path, const char *message)
{
	struct extract_how how = {.job = job};
	struct extracted e;
	int64_t offset = -1;

	free(extract_pieces(span_str(json), job));
	extract_bytes(span_str(json), &how, &e);
	cr_assert_eq(e.status, ST_ARTIFACT_PARSE_FAILED, "%s: %s", json,
		     status_name(e.status));
	cr_assert_eq(e.failure.reason, reason, "%s: %s", json,
		     reason_name(e.failure.reason));
	/* The last place of it; nothing at all is at the end. */
	if (at != NULL && at[0] == '\0')
		offset = (int64_t)strlen(json);
	else if (at != NULL)
		for (const char *p = json; (p = strstr(p, at)) != NULL; p++)
			offset = p - json;
	cr_assert_eq(e.failure.offset, offset, "%s: %lld", json,
		     (long long)e.failure.offset);
	cr_assert_str_eq(e.failure.path, path, "%s", json);
	if (message != NULL)
		cr_assert_str_eq(e.failure.message, message, "%s", json);
	extracted_free(&e);
}

static inline void
expect_failure(const char *json, enum reason reason, const char *at,
	       const char *path)
{
	expect_failure_of(json, NULL, reason, at, path, NULL);
}

/* NULL when there is none of that function. */
static inline const struct row *
row_of(const struct extracted *e, const char *function)
{
	for (uint64_t i = 0; i < e->rows_len; i++)
		if (span_is(e->rows[i].function, function))
			return &e->rows[i];
	return NULL;
}

/* The metric's place; metrics_len when it is not there. */
static inline unsigned
metric_of(const struct extracted *e, const char *name)
{
	unsigned i = 0;

	while (i < e->answer.metrics_len &&
	       !span_is(e->answer.metrics[i].name, name))
		i++;
	return i;
}

static inline void
expect_values(const struct extracted *e, const char *function,
	      const char *metric, uint64_t self, uint64_t inclusive)
{
	unsigned m = metric_of(e, metric);
	const struct row *row = row_of(e, function);

	cr_assert_lt(m, e->answer.metrics_len, "no %s", metric);
	cr_assert_not_null(row, "no %s", function);
	cr_assert_eq(row->self[m], self, "%s %s self %lu", function, metric,
		     row->self[m]);
	cr_assert_eq(row->inclusive[m], inclusive, "%s %s inclusive %lu",
		     function, metric, row->inclusive[m]);
}

static inline void
expect_total(const struct extracted *e, const char *metric, uint64_t total,
	     uint64_t active)
{
	unsigned m = metric_of(e, metric);

	cr_assert_lt(m, e->answer.metrics_len, "no %s", metric);
	cr_assert_eq(e->answer.metrics[m].total, total, "%s total %lu", metric,
		     e->answer.metrics[m].total);
	cr_assert_eq(e->answer.metrics[m].active, active, "%s active %lu",
		     metric, e->answer.metrics[m].active);
}

static inline void
expect_unavailable(const struct extracted *e, const char *metric,
		   const char *reason)
{
	cr_assert_eq(metric_of(e, metric), e->answer.metrics_len);
	for (unsigned i = 0; i < e->answer.unavailable_len; i++) {
		const struct unavailable *u = &e->answer.unavailable[i];

		if (span_is(u->metric, metric)) {
			cr_assert(span_is(u->reason, reason), "%s: %.*s",
				  metric, (int)u->reason.len,
				  (const char *)u->reason.data);
			return;
		}
	}
	cr_assert_fail("%s is not among the unavailable", metric);
}

static inline bool
has_limitation(const struct extracted *e, enum limitation limitation)
{
	return (e->answer.limitations >> limitation & 1) != 0;
}

#endif
