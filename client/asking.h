/*
 * Requests to the service as JSON text.
 */
#ifndef CLIENT_ASKING_H
#define CLIENT_ASKING_H

#include <stdbool.h>
#include <stdint.h>

#include "client/strbuf.h"
#include "proto/limits.h"

struct path_pair {
	struct span from, to;
};

/* What the user wants; NULL, or has_* false, when it was not said. */
struct wishes {
	const char *format;
	bool has_rows;
	uint64_t rows;
	const char *sort;
	bool has_limit[LIMIT_COUNT];
	uint64_t limits[LIMIT_COUNT];
	const char *on_limit;
	const char *project_root; /* NULL: none */
	struct path_pair path_maps[JOB_PATH_MAPS_MAX];
	size_t path_maps_len;
	const char *digest;
	const char *sha256;
	bool strict;
	const char *parser;
	const char *class;
	bool detach; /* the job goes on when its client has left */
};

void asking_submit(struct strbuf *sb, const char *id, struct span name,
		   const struct wishes *wishes);
void asking_result(struct strbuf *sb, const char *id, const char *job,
		   bool wait, bool progress);

/* "ack" or "cancel" of a job. */
void asking_job(struct strbuf *sb, const char *op, const char *id,
		const char *job);

/* "status", "formats", "limits", "jobs" or "version". */
void asking_plain(struct strbuf *sb, const char *op, const char *id);

#endif
