/*
 * A job's memory: counted, capped and dropped whole. Nothing here ever returns
 * NULL; when memory is spent, on_exhausted ends the job (the worker reports
 * LIMIT_EXCEEDED memory_bytes and exits; a test jumps out), so that no caller
 * has a failure path for memory. All memory that grows with the input comes
 * from here, also that of yajl, zlib and zstd.
 */
#ifndef WORKER_ARENA_H
#define WORKER_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

#define ARENA_TABLES_MAX 64

struct arena;

/* Must not return. actual: what would have been in use, max: the cap. */
typedef void (*arena_exhausted_fn)(struct arena *arena, uint64_t actual,
				   uint64_t max);

struct arena_table {
	void *base; /* owned: a mapping */
	size_t bytes;
};

struct arena {
	uint64_t cap_bytes;	  /* the sum of all that is held */
	uint64_t block_cap_bytes; /* one block, table or string */
	uint64_t used_bytes;
	uint64_t high_bytes; /* the most that was ever used */
	uint64_t takes;	     /* times that memory was asked for */
	uint64_t fail_at;    /* tests: that take fails, from 1; 0: none */
	arena_exhausted_fn on_exhausted; /* NULL: our bug to get there */
	void *context;			 /* borrowed: for on_exhausted */
	struct arena_block *blocks;	 /* owned: all small blocks */
	uint8_t *bump_at;		 /* the open chunk of strings */
	size_t bump_left;
	struct arena_table tables[ARENA_TABLES_MAX];
};

/* cap_bytes also becomes the cap of one block; lower block_cap_bytes
 * afterwards to have less. */
void arena_init(struct arena *arena, uint64_t cap_bytes);

/* Drops everything: blocks, strings and tables. */
void arena_fini(struct arena *arena);

/* Ends the job; for callers with a cap of their own. */
_Noreturn void arena_exhausted(struct arena *arena, uint64_t actual,
			       uint64_t max);

/* Counted blocks, for what comes and goes; aligned for any type, not cleared.
 * A block of 0 bytes is a valid one. NULL may be freed and resized. */
void *arena_alloc(struct arena *arena, size_t bytes);
void *arena_realloc(struct arena *arena, void *block, size_t bytes);
void arena_free(struct arena *arena, void *block);

/* count * size, which may not wrap; cleared. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);

/* Small things that stay until the end, without a header each. align is a
 * power of two, at most 16; 1 for text. Not cleared. */
void *arena_bump(struct arena *arena, size_t bytes, size_t align);

/* A copy of text that stays until the end. */
struct span arena_copy(struct arena *arena, struct span text);

/*
 * Grows a table in place or moves it without copying (mremap); new bytes are
 * zero. *base is NULL and old_bytes 0 at first. Whole pages are counted. A
 * table may also shrink, and goes with new_bytes 0 (*base becomes NULL).
 */
void table_grow(struct arena *arena, void **base, size_t old_bytes,
		size_t new_bytes);

/* The next size of a table that must hold `need` bytes: half as much again,
 * whole pages. */
size_t table_size(size_t old_bytes, size_t need);

#endif
