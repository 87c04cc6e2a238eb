/*
 * A source whose reads fail, are interrupted or come short as a test wants
 * it. One at a time.
 */
#ifndef TESTS_SUPPORT_FAULTY_SOURCE_H
#define TESTS_SUPPORT_FAULTY_SOURCE_H

#include <errno.h>
#include <string.h>

#include "worker/input/source.h"

struct read_fault {
	uint64_t at;	 /* that read fails, from 1; 0: none */
	int error;	 /* with this errno */
	size_t most;	 /* bytes a read gives; 0: as many as asked for */
	bool interrupts; /* every other read is EINTR */
};

static struct read_fault faulty_plan;
static uint64_t faulty_count;

static inline ssize_t
faulty_read_at(const struct source *source, void *room, size_t len, uint64_t at)
{
	const struct read_fault *f = &faulty_plan;

	faulty_count++;
	if (faulty_count == f->at || (f->interrupts && faulty_count % 2 == 1)) {
		errno = faulty_count == f->at ? f->error : EINTR;
		return -1;
	}
	if (at >= source->size)
		return 0;
	if (len > source->size - at)
		len = (size_t)(source->size - at);
	if (f->most > 0 && len > f->most)
		len = f->most;
	memcpy(room, source->memory.data + at, len);
	return (ssize_t)len;
}

/* As source_of_memory, and each read counted from here on. */
static inline void
faulty_source(struct source *source, struct span bytes, size_t chunk,
	      const struct read_fault *fault)
{
	faulty_plan = *fault;
	faulty_count = 0;
	source_of_memory(source, bytes, chunk);
	source->read_at = faulty_read_at;
}

static inline uint64_t
faulty_reads(void)
{
	return faulty_count;
}

#endif
