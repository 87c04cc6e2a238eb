/*
 * Blocks come from malloc with a header that links them, so that they can be
 * counted and dropped; strings from chunks, which are blocks; tables from
 * anonymous mappings. One function, take, decides about every byte.
 */
#include "worker/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "proto/bug.h"

#define PAGE_BYTES ((size_t)4096)
#define CHUNK_BYTES ((size_t)64 * 1024)
#define ALIGN_MAX 16

struct arena_block {
	struct arena_block *next, **link; /* link: what points at this one */
	size_t bytes;			  /* header included */
};

/* With the address sanitizer a stretch that may not be touched lies behind each
 * string, so that a write over its end is seen although the block is larger. */
#if defined(__SANITIZE_ADDRESS__)
#define GUARDED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUARDED 1
#endif
#endif
#ifdef GUARDED
#include <sanitizer/asan_interface.h>
#define GUARD_BYTES ((size_t)8) /* what one byte of shadow stands for */
#define guard(at, bytes) ASAN_POISON_MEMORY_REGION(at, bytes)
#define unguard(at, bytes) ASAN_UNPOISON_MEMORY_REGION(at, bytes)
#else
#define GUARD_BYTES ((size_t)0)
#define guard(at, bytes) ((void)(at))
#define unguard(at, bytes) ((void)(at))
#endif

/* As large as keeps what follows aligned as malloc's blocks are. */
#define HEADER_BYTES ((size_t)32)
static_assert(sizeof(struct arena_block) <= HEADER_BYTES, "header fits");

_Noreturn void
arena_exhausted(struct arena *arena, uint64_t actual, uint64_t max)
{
	BUG_ON(arena->on_exhausted == NULL);
	arena->on_exhausted(arena, actual, max);
	BUG_ON(true);
}

/* The system has no more, although the cap would allow it: the address space
 * is limited, too. */
static _Noreturn void
system_exhausted(struct arena *arena, size_t bytes)
{
	arena_exhausted(arena, arena->used_bytes + bytes, arena->cap_bytes);
}

/* Asks for more bytes, of which one block will hold block_bytes. */
static void
take(struct arena *arena, size_t more, size_t block_bytes)
{
	arena->takes++;
	if (arena->takes == arena->fail_at)
		arena_exhausted(arena, arena->used_bytes + more,
				arena->cap_bytes);
	if (block_bytes > arena->block_cap_bytes)
		arena_exhausted(arena, block_bytes, arena->block_cap_bytes);
	if (more > arena->cap_bytes - arena->used_bytes)
		arena_exhausted(arena, arena->used_bytes + more,
				arena->cap_bytes);
}

static void
count(struct arena *arena, size_t bytes)
{
	arena->used_bytes += bytes;
	if (arena->used_bytes > arena->high_bytes)
		arena->high_bytes = arena->used_bytes;
}

/* The sum, or more than any cap when it would wrap. */
static size_t
add(size_t a, size_t b)
{
	const size_t most = SIZE_MAX / 2;

	return a > most || b > most - a ? most : a + b;
}

static void
link_block(struct arena *arena, struct arena_block *block)
{
	block->next = arena->blocks;
	block->link = &arena->blocks;
	if (block->next != NULL)
		block->next->link = &block->next;
	arena->blocks = block;
}

static void
unlink_block(struct arena_block *block)
{
	*block->link = block->next;
	if (block->next != NULL)
		block->next->link = block->link;
}

static void *
inside(struct arena_block *block)
{
	return (char *)block + HEADER_BYTES;
}

static struct arena_block *
block_of(void *memory)
{
	return (void *)((char *)memory - HEADER_BYTES);
}

void
arena_init(struct arena *arena, uint64_t cap_bytes)
{
	if (cap_bytes > SIZE_MAX / 2)
		cap_bytes = SIZE_MAX / 2 - 1;
	*arena = (struct arena){.cap_bytes = cap_bytes,
				.block_cap_bytes = cap_bytes};
}

void
arena_fini(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block != NULL) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	arena->blocks = NULL;
	for (unsigned i = 0; i < ARENA_TABLES_MAX; i++) {
		struct arena_table *t = &arena->tables[i];

		if (t->base != NULL)
			munmap(t->base, t->bytes);
		*t = (struct arena_table){0};
	}
	arena->used_bytes = 0;
	arena->bump_at = NULL;
	arena->bump_left = 0;
}

void *
arena_alloc(struct arena *arena, size_t bytes)
{
	struct arena_block *block;
	size_t whole = add(bytes, HEADER_BYTES);

	take(arena, whole, whole);
	block = malloc(whole);
	if (block == NULL)
		system_exhausted(arena, whole);
	block->bytes = whole;
	link_block(arena, block);
	count(arena, whole);
	return inside(block);
}

void *
arena_realloc(struct arena *arena, void *memory, size_t bytes)
{
	struct arena_block *block, *moved;
	size_t whole = add(bytes, HEADER_BYTES);
	size_t old;

	if (memory == NULL)
		return arena_alloc(arena, bytes);
	block = block_of(memory);
	old = block->bytes;
	take(arena, whole > old ? whole - old : 0, whole);
	/* While it moves nothing may point at it; if it cannot, all stays. */
	unlink_block(block);
	moved = realloc(block, whole);
	if (moved == NULL) {
		link_block(arena, block);
		system_exhausted(arena, whole - old);
	}
	moved->bytes = whole;
	link_block(arena, moved);
	arena->used_bytes -= old;
	count(arena, whole);
	return inside(moved);
}

void
arena_free(struct arena *arena, void *memory)
{
	struct arena_block *block;

	if (memory == NULL)
		return;
	block = block_of(memory);
	unlink_block(block);
	arena->used_bytes -= block->bytes;
	free(block);
}

void *
arena_calloc(struct arena *arena, size_t n, size_t size)
{
	size_t bytes;
	void *memory;

	if (__builtin_mul_overflow(n, size, &bytes))
		arena_exhausted(arena, UINT64_MAX, arena->cap_bytes);
	memory = arena_alloc(arena, bytes);
	memset(memory, 0, bytes);
	return memory;
}

static void
open_chunk(struct arena *arena)
{
	arena->bump_left = CHUNK_BYTES - HEADER_BYTES;
	arena->bump_at = arena_alloc(arena, arena->bump_left);
	guard(arena->bump_at, arena->bump_left);
}

void *
arena_bump(struct arena *arena, size_t bytes, size_t align)
{
	size_t pad, room;
	void *memory;

	BUG_ON(align == 0 || align > ALIGN_MAX || (align & (align - 1)) != 0);
	/* One that would waste much of a chunk gets a block of its own. */
	if (bytes > CHUNK_BYTES / 8)
		return arena_alloc(arena, bytes);
#ifdef GUARDED
	align = align > GUARD_BYTES ? align : GUARD_BYTES;
#endif
	room = bytes + GUARD_BYTES;
	pad = (size_t) - (uintptr_t)arena->bump_at & (align - 1);
	if (arena->bump_at == NULL || arena->bump_left < pad ||
	    room > arena->bump_left - pad) {
		open_chunk(arena);
		pad = 0;
	}
	memory = arena->bump_at + pad;
	arena->bump_at += pad + room;
	arena->bump_left -= pad + room;
	unguard(memory, bytes);
	return memory;
}

struct span
arena_copy(struct arena *arena, struct span text)
{
	uint8_t *copy;

	if (text.len == 0)
		return span_of("", 0);
	copy = arena_bump(arena, text.len, 1);
	memcpy(copy, text.data, text.len);
	return span_of(copy, text.len);
}

static size_t
whole_pages(size_t bytes)
{
	return (add(bytes, PAGE_BYTES - 1)) & ~(PAGE_BYTES - 1);
}

/* The entry of a table, or an empty one for NULL. */
static struct arena_table *
find_table(struct arena *arena, const void *base)
{
	for (unsigned i = 0; i < ARENA_TABLES_MAX; i++)
		if (arena->tables[i].base == base)
			return &arena->tables[i];
	BUG_ON(true); /* not a table of this arena, or too many of them */
	return NULL;
}

static void *
map_again(struct arena_table *table, size_t bytes)
{
	if (table->base == NULL)
		return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mremap(table->base, table->bytes, bytes, MREMAP_MAYMOVE);
}

void
table_grow(struct arena *arena, void **base, size_t old_bytes, size_t new_bytes)
{
	struct arena_table *table = find_table(arena, *base);
	size_t bytes = whole_pages(new_bytes);
	void *moved = NULL;

	BUG_ON(table->bytes != whole_pages(old_bytes));
	if (bytes > table->bytes)
		take(arena, bytes - table->bytes, bytes);
	/* What is given up must be zero if it comes back in the same page. */
	if (new_bytes < old_bytes && bytes > new_bytes)
		memset((char *)*base + new_bytes, 0, bytes - new_bytes);
	if (bytes == table->bytes)
		return;
	if (bytes == 0) {
		munmap(table->base, table->bytes);
	} else {
		moved = map_again(table, bytes);
		if (moved == MAP_FAILED)
			system_exhausted(arena, bytes - table->bytes);
	}
	arena->used_bytes -= table->bytes;
	*table = (struct arena_table){.base = moved, .bytes = bytes};
	*base = moved;
	count(arena, bytes);
}

size_t
table_size(size_t old_bytes, size_t need)
{
	size_t more = add(old_bytes, old_bytes / 2);

	return whole_pages(more > need ? more : need);
}
