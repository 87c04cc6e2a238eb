/*
 * The worker's code alone, without sandbox, sockets and service: extracts one
 * file in this process and prints what it found in plain lines. For benchmarks
 * and for profiling with perf or callgrind.
 *
 * bench-extract_file [--no-digest] [--yajl] [--limit NAME=VALUE]… FILE
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "worker/extract.h"

static void
on_exhausted(struct arena *arena, uint64_t actual, uint64_t max)
{
	(void)arena;
	fprintf(stderr, "memory: %" PRIu64 " of %" PRIu64 "\n", actual, max);
	exit(5);
}

static void
on_progress(void *context, const struct progress *progress)
{
	(void)context;
	(void)progress;
}

static void
on_answer(void *context, const struct answer *a)
{
	(void)context;
	printf("format %s nodes %" PRId64 " samples %" PRId64 " frames %" PRId64
	       " depth %" PRId64 "\n",
	       format_info(a->format)->name, a->nodes.value, a->samples.value,
	       a->frames.value, a->max_depth.value);
	for (unsigned i = 0; i < a->metrics_len; i++)
		printf("metric %.*s total %" PRIu64 " active %" PRIu64
		       " other %" PRIu64 "\n",
		       (int)a->metrics[i].name.len,
		       (const char *)a->metrics[i].name.data,
		       a->metrics[i].total, a->metrics[i].active,
		       a->other_self[i]);
	for (unsigned i = 0; i < a->unavailable_len; i++)
		printf("unavailable %.*s %.*s\n",
		       (int)a->unavailable[i].metric.len,
		       (const char *)a->unavailable[i].metric.data,
		       (int)a->unavailable[i].reason.len,
		       (const char *)a->unavailable[i].reason.data);
}

static void
on_row(void *context, const struct row *row, unsigned metrics)
{
	(void)context;
	printf("row %.*s %.*s:%u:%u", (int)row->function.len,
	       (const char *)row->function.data,
	       row->has_file ? (int)row->file.len : (int)row->url.len,
	       row->has_file ? (const char *)row->file.data
			     : (const char *)row->url.data,
	       row->line, row->column);
	for (unsigned i = 0; i < metrics; i++)
		printf(" %" PRIu64 "/%" PRIu64, row->self[i],
		       row->inclusive[i]);
	printf("\n");
}

/* The file's name; job is changed by the options. */
static const char *
read_options(int argc, char **argv, struct job *job)
{
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--no-digest") == 0) {
			job->digest = false;
		} else if (strcmp(argv[i], "--yajl") == 0) {
			job->parser = PARSER_YAJL;
		} else if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc) {
			char *value = strchr(argv[++i], '=');
			enum limit limit;

			if (value == NULL ||
			    !limit_from_name(span_of(argv[i],
						     (size_t)(value - argv[i])),
					     &limit) ||
			    !limit_parse(limit, span_str(value + 1),
					 &job->limits.of[limit]))
				return NULL;
		} else {
			return NULL;
		}
	}
	return i + 1 == argc ? argv[i] : NULL;
}

static enum status
extract_fd(const struct job *job, int fd, struct failure *failure)
{
	static const struct extract_sink sink = {
	    .progress = on_progress,
	    .answer = on_answer,
	    .row = on_row,
	};
	struct arena arena;
	struct input input = {0};
	enum status status;

	arena_init(&arena, job->limits.of[LIMIT_MEMORY_BYTES]);
	arena.on_exhausted = on_exhausted;
	status =
	    input_open(&input, &arena, fd, &job->limits, job->digest, failure);
	if (status == ST_OK)
		status = extract(job, &input, &arena, &sink, failure);
	input_close(&input);
	fprintf(stderr, "arena_high_bytes %" PRIu64 "\n", arena.high_bytes);
	arena_fini(&arena);
	return status;
}

int
main(int argc, char **argv)
{
	struct job job;
	struct failure failure;
	struct rusage usage;
	const char *name;
	enum status status;
	int fd;

	job_init(&job);
	job.rows = 25;
	name = read_options(argc, argv, &job);
	fd = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fprintf(stderr,
			"usage: %s [--no-digest] [--yajl] "
			"[--limit NAME=VALUE] FILE\n",
			argv[0]);
		return 2;
	}
	status = extract_fd(&job, fd, &failure);
	if (status != ST_OK)
		printf("failed %s %s offset %" PRId64 " path %s: %s\n",
		       status_name(status), reason_name(failure.reason),
		       failure.offset, failure.path, failure.message);
	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr, "peak_rss_kib %ld\n", usage.ru_maxrss);
	return status_exit_code(status, failure.limit);
}
