/*
 * Where stored bytes come from: a regular file read at offsets of our own, or
 * memory (unit tests and fuzz targets, which also choose how few bytes come at
 * a time). Knows nothing of compression.
 */
#ifndef WORKER_INPUT_SOURCE_H
#define WORKER_INPUT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"

struct source;

/* As pread: up to len bytes, 0 at the end, -1 and errno. Bytes behind the size
 * at the opening are never given: a file that grows must have an end. */
typedef ssize_t (*source_read_fn)(const struct source *source, void *room,
				  size_t len, uint64_t at);

/* False when the bytes may be others than at the opening. */
typedef bool (*source_same_fn)(const struct source *source);

/* Holds nothing that needs to be given back, so it may be copied. */
struct source {
	source_read_fn read_at;
	source_same_fn same;
	uint64_t size;	    /* at the opening */
	size_t chunk_cap;   /* bytes a chunk, at most; 0: as the reader likes */
	int fd;		    /* borrowed; -1 for memory */
	struct span memory; /* borrowed; empty for a file */
	struct timespec modified, changed;
};

/* INPUT_KIND unless fd is a regular file that is open for reading. Asks more
 * of the kernel than the filter allows, so it comes before the filter. */
NODISCARD enum status source_check_fd(int fd, struct failure *failure);

/* INPUT_KIND unless fd is a regular file. fd stays the caller's. */
NODISCARD enum status source_of_file(struct source *source, int fd,
				     struct failure *failure);

/* chunk_cap 0: all at once. */
void source_of_memory(struct source *source, struct span bytes,
		      size_t chunk_cap);

/*
 * Fills room as far as the source goes, through short reads and EINTR;
 * *got_out < len means the end. INPUT_KIND not_readable when reading fails.
 */
NODISCARD enum status source_fill(const struct source *source, void *room,
				  size_t len, uint64_t at, size_t *got_out,
				  struct failure *failure);

#endif
