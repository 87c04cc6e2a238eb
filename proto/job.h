/*
 * What a client wants done with one artifact: the job record. The front makes
 * it from a request; the supervisor keeps and forwards its bytes without
 * reading them; the worker reads it again as hostile input.
 */
#ifndef PROTO_JOB_H
#define PROTO_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buf.h"
#include "proto/limits.h"
#include "proto/span.h"
#include "proto/status.h"
#include "proto/terms.h"

enum on_limit {
	ON_LIMIT_FAIL,
	ON_LIMIT_TRUNCATE, /* max_samples only: a prefix, said so */
	ON_LIMIT_COUNT
};

enum parser {
	PARSER_LANES,
	PARSER_YAJL,
	PARSER_COUNT
};

enum sort_by {
	SORT_TAKE_TURNS, /* self and inclusive of the main metric in turn */
	SORT_SELF,
	SORT_INCLUSIVE,
	SORT_COUNT
};

struct path_map {
	struct span from, to; /* borrowed: from the job's bytes */
};

struct job {
	enum format format; /* FORMAT_ANY: by content */
	enum on_limit on_limit;
	enum parser parser;
	bool digest; /* SHA-256 of the stored bytes */
	bool strict; /* an anomaly is an error */
	bool has_sha256;
	uint8_t sha256[32]; /* the input must have this digest */
	uint32_t rows;	    /* at most so many rows */
	enum sort_by sort_by;
	struct span sort_metric;  /* empty: the main metric */
	struct span name;	  /* the artifact's, for the result */
	struct span project_root; /* empty: none */
	uint32_t path_maps_len;
	struct path_map path_maps[JOB_PATH_MAPS_MAX];
	struct limits limits;
};

/* By content, with digest, default limits, 1000 rows, no root and no maps. */
void job_init(struct job *job_out);

void job_write(struct writer *w, const struct job *job);

/* Spans of job_out borrow from bytes. False unless every field is in range,
 * every limit is within the table's floor and ceiling and nothing is left. */
NODISCARD bool job_read(struct span bytes, struct job *job_out);

#endif
