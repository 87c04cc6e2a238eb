/*
 * Stored bytes that are in memory already. Nothing can change them.
 */
#include "worker/input/source.h"

static ssize_t
memory_read_at(const struct source *source, void *room, size_t len, uint64_t at)
{
	if (at >= source->size)
		return 0;
	if (len > source->size - at)
		len = (size_t)(source->size - at);
	memcpy(room, source->memory.data + at, len);
	return (ssize_t)len;
}

static bool
memory_same(const struct source *source)
{
	(void)source;
	return true;
}

void
source_of_memory(struct source *source, struct span bytes, size_t chunk_cap)
{
	*source = (struct source){.read_at = memory_read_at,
				  .same = memory_same,
				  .size = bytes.len,
				  .chunk_cap = chunk_cap,
				  .fd = -1,
				  .memory = bytes};
}
