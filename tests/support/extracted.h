/*
 * Runs extract() over bytes in memory, in chunks of a chosen size, and keeps
 * what came out: as structures for a test that looks at values, and as text so
 * that two runs can be compared whole. Memory that is spent is an outcome, too.
 */
#ifndef TESTS_SUPPORT_EXTRACTED_H
#define TESTS_SUPPORT_EXTRACTED_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/bug.h"
#include "proto/limits.h"
#include "proto/utf8.h"
#include "tests/support/spent.h"
#include "worker/extract.h"

struct extract_how {
	const struct job *job; /* NULL: as job_init makes it */
	size_t chunk;	       /* 0: whole */
	uint64_t fail_at;      /* that take of memory fails; 0: none */
	uint64_t cap_bytes;    /* of the arena; 0: plenty */
};

struct extracted {
	enum status status;
	bool spent; /* memory ran out; then there is no status */
	struct failure failure;
	unsigned selecting; /* how often progress of that phase was told */
	unsigned answers;   /* how often one came */
	struct answer answer;
	struct row *rows; /* owned: in keep */
	uint64_t rows_len;
	uint64_t high_bytes, takes; /* of the job's arena */
	struct arena keep;	    /* strings and rows */
};

static inline void
extracted_progress(void *context, const struct progress *progress)
{
	struct extracted *e = context;

	BUG_ON(progress->bytes > progress->total);
	e->selecting += progress->phase == PHASE_SELECTING;
}

static inline struct span
extracted_keep(struct extracted *e, struct span text)
{
	BUG_ON(!utf8_valid(text));
	return arena_copy(&e->keep, text);
}

/* The answer as the wire would carry it: the front must believe it. */
static inline void
extracted_answer(void *context, const struct answer *answer)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct extracted *e = context;
	struct answer *a = &e->answer;
	struct answer read;
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	answer_write(&w, answer);
	BUG_ON(w.failed || !answer_read(span_of(w.data, w.len), &read));
	e->answers++;
	*a = *answer;
	for (unsigned i = 0; i < a->metrics_len; i++) {
		a->metrics[i].name = extracted_keep(e, a->metrics[i].name);
		a->metrics[i].unit = extracted_keep(e, a->metrics[i].unit);
	}
	for (unsigned i = 0; i < a->unavailable_len; i++) {
		struct unavailable *u = &a->unavailable[i];

		u->metric = extracted_keep(e, u->metric);
		u->reason = extracted_keep(e, u->reason);
	}
}

static inline void
extracted_row(void *context, const struct row *from, unsigned metrics)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct extracted *e = context;
	struct row *row, read;
	struct reader r;
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	row_write(&w, from, metrics);
	reader_init(&r, span_of(w.data, w.len));
	BUG_ON(w.failed || w.len != row_size(from, metrics));
	BUG_ON(!row_read(&r, metrics, &read) || !reader_end(&r));
	BUG_ON(e->answers != 1 || metrics != e->answer.metrics_len);
	e->rows =
	    arena_realloc(&e->keep, e->rows, (e->rows_len + 1) * sizeof(*row));
	row = &e->rows[e->rows_len++];
	*row = *from;
	row->function = extracted_keep(e, from->function);
	row->url = extracted_keep(e, from->url);
	row->file = extracted_keep(e, from->file);
	row->script = extracted_keep(e, from->script);
	row->package = extracted_keep(e, from->package);
}

/* Listed rows and the rest make up each total; nothing exceeds it. */
static inline void
extracted_check(const struct extracted *e)
{
	const struct answer *a = &e->answer;

	BUG_ON(a->rows_returned != e->rows_len);
	BUG_ON(a->rows_returned > a->rows_total);
	BUG_ON(a->rows_total != (uint64_t)a->frames.value);
	for (unsigned m = 0; m < a->metrics_len; m++) {
		uint64_t total = a->metrics[m].total, sum = a->other_self[m];

		BUG_ON(a->metrics[m].active > total || sum > total);
		for (uint64_t i = 0; i < e->rows_len; i++) {
			const struct row *row = &e->rows[i];

			BUG_ON(__builtin_add_overflow(sum, row->self[m], &sum));
			BUG_ON(row->self[m] > row->inclusive[m]);
			BUG_ON(row->inclusive[m] > total);
		}
		BUG_ON(sum != total);
	}
}

/* Everything of a run that a jump must not lose. */
struct extract_run {
	struct arena arena;
	struct input input;
	struct spent spent;
	struct job job;
};

static inline void
extract_source(const struct source *source, const struct extract_how *how,
	       struct extracted *e)
{
	const struct extract_sink sink = {e, extracted_progress,
					  extracted_answer, extracted_row};
	static struct extract_run run;
	const uint64_t plenty = UINT64_C(1) << 32;

	*e = (struct extracted){.status = ST_OK};
	memset(&run, 0, sizeof(run));
	arena_init(&e->keep, plenty);
	arena_init(&run.arena, how->cap_bytes > 0 ? how->cap_bytes : plenty);
	run.arena.fail_at = how->fail_at;
	spent_watch(&run.spent, &run.arena);
	job_init(&run.job);
	if (how->job != NULL)
		run.job = *how->job;
	if (SPENT(&run.spent)) {
		e->spent = true;
	} else {
		e->status =
		    input_open_source(&run.input, &run.arena, source,
				      &run.job.limits,
				      run.job.digest || run.job.has_sha256,
				      &e->failure);
		if (e->status == ST_OK)
			e->status = extract(&run.job, &run.input, &run.arena,
					    &sink, &e->failure);
		input_close(&run.input);
	}
	BUG_ON(run.arena.high_bytes > run.arena.cap_bytes);
	e->high_bytes = run.arena.high_bytes;
	e->takes = run.arena.takes;
	arena_fini(&run.arena);
	if (!e->spent && e->status == ST_OK) {
		BUG_ON(e->answers != 1);
		extracted_check(e);
	} else {
		BUG_ON(!e->spent && e->answers != 0);
		BUG_ON(!e->spent && e->status != e->failure.status);
	}
}

static inline void
extract_bytes(struct span bytes, const struct extract_how *how,
	      struct extracted *e)
{
	struct source source;

	source_of_memory(&source, bytes, how->chunk);
	extract_source(&source, how, e);
}

static inline void
extracted_free(struct extracted *e)
{
	arena_fini(&e->keep);
}

#endif
