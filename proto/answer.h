/*
 * A worker's answer: PROGRESS while it works; then RESULT (all but the rows),
 * ROWS records and one DONE, or a FAILED (failure.h). The worker writes them;
 * the front reads them as hostile input. DONE is the number of rows sent, as a
 * u32; LAST_WORDS, which may come at any time, is one string for the log.
 */
#ifndef PROTO_ANSWER_H
#define PROTO_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/job.h"
#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"
#include "proto/terms.h"

#define FRAME_ID_BYTES 16

enum phase {
	PHASE_READING,	 /* the first pass */
	PHASE_TIMING,	 /* times, by a second reading */
	PHASE_SELECTING, /* inclusive values and rows */
	PHASE_COUNT
};

struct progress {
	enum phase phase;
	uint64_t bytes; /* stored bytes read */
	uint64_t total; /* stored bytes in all */
	uint64_t nodes;
	uint64_t samples;
};

struct metric {
	struct span name; /* "wall.time" */
	struct span unit; /* "microseconds" */
	uint64_t total;	  /* sum of self over all frames */
	uint64_t active;  /* the same without idle */
};

struct unavailable {
	struct span metric;
	struct span reason; /* "no_time_deltas" */
};

/* A number that a file may not give. */
struct maybe {
	bool known;
	int64_t value;
};

/* All of a result but its rows and what the front knows by itself. */
struct answer {
	enum format format; /* never FORMAT_ANY */
	bool partial;
	bool has_digest; /* then sha256 and profile_id are set */
	uint8_t sha256[32];
	uint8_t profile_id[FRAME_ID_BYTES];
	enum encoding encoding;
	uint64_t bytes; /* stored */
	uint64_t decoded_bytes;
	struct span producer_name, producer_version, producer_source;
	struct maybe start_us, end_us, duration_us, interval_us;
	uint8_t metrics_len;
	struct metric metrics[METRICS_MAX];
	uint8_t unavailable_len;
	struct unavailable unavailable[METRICS_MAX];
	struct maybe nodes, samples, frames, max_depth;
	uint64_t rows_total;
	uint64_t rows_returned;		  /* exactly so many follow */
	uint64_t other_self[METRICS_MAX]; /* what is not in a listed row */
	uint64_t coverage[COVERAGE_COUNT];
	uint32_t limitations; /* bits, 1 << LIMITATION_x */
};

/* One frame of the profile. Strings are UTF-8, already cut. */
struct row {
	uint8_t frame_id[FRAME_ID_BYTES];
	bool has_function_id;
	uint8_t function_id[FRAME_ID_BYTES];
	enum language language;
	enum frame_type frame_type;
	enum category category;
	enum symbolization symbolization;
	struct span function, url;
	bool has_file, has_script, has_package;
	struct span file, script, package;
	uint32_t line, column;		    /* from 1; 0: unknown */
	uint32_t rank_self, rank_inclusive; /* from 1 */
	uint64_t self[METRICS_MAX]; /* as many as the answer's metrics */
	uint64_t inclusive[METRICS_MAX];
};

/* The lengths of a row's fixed fields and of one metric's pair of values. */
#define ROW_FIXED_BYTES (2 * FRAME_ID_BYTES + 4 + 4 + 4 * 4 + 5 * 2)
#define ROW_METRIC_BYTES 16

void progress_write(struct writer *w, const struct progress *progress);
NODISCARD bool progress_read(struct span payload,
			     struct progress *progress_out);

void answer_write(struct writer *w, const struct answer *answer);

/* Spans borrow from payload. False when a field is out of range, a metric's
 * name is not of [a-z0-9_.], or bytes are left. */
NODISCARD bool answer_read(struct span payload, struct answer *answer_out);

/* One row, as ROWS holds them: a 16-bit count, then so many rows. */
void row_write(struct writer *w, const struct row *row, unsigned metrics);
NODISCARD bool row_read(struct reader *r, unsigned metrics,
			struct row *row_out);

/* Bytes that row_write will take. */
size_t row_size(const struct row *row, unsigned metrics);

/*
 * Bytes of the public JSON, at most: of all but the rows, whatever the answer
 * to this job, and of one row, with its comma. The worker keeps the reply
 * within max_result_bytes by them, and the front's renderer is tested against
 * them. metric_names is the sum of the names' lengths.
 */
size_t answer_json_size(const struct job *job);
size_t row_json_size(const struct row *row, unsigned metrics,
		     size_t metric_names);

#endif
