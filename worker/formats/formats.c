/*
 * The table of extractors, and what they share.
 */
#include "proto/bug.h"
#include "worker/formats/extractor.h"

/* Profiles in a container are about so many times as long. */
#define PACKED_RATIO 16

static const struct extractor extractors[] = {
    {FORMAT_V8_CPUPROFILE, v8_cpu_run},
    {FORMAT_V8_HEAPPROFILE, v8_heap_run},
};

const struct extractor *
extractor_of(enum format format)
{
	for (size_t i = 0; i < sizeof(extractors) / sizeof(extractors[0]); i++)
		if (extractors[i].format == format)
			return &extractors[i];
	BUG_ON(true); /* a format of the table has no extractor */
	return NULL;
}

void
extraction_expect_nodes(const struct extraction *e, uint64_t node_bytes)
{
	const struct input *in = e->input;
	uint64_t packed = in->encoding == ENCODING_IDENTITY ? 1 : PACKED_RATIO;

	tree_expect(&e->profile->tree, in->stored_total / node_bytes * packed);
}

struct progress
extraction_state(const struct extraction *e, enum phase phase)
{
	return (struct progress){
	    .phase = phase,
	    .bytes = e->input->stored_bytes,
	    .total = e->input->stored_total,
	    .nodes = e->nodes,
	    .samples = e->samples,
	};
}

void
extraction_progress(const struct extraction *e, enum phase phase)
{
	struct progress progress = extraction_state(e, phase);

	e->sink->progress(e->sink->context, &progress);
}

enum status
extraction_read(struct extraction *e, struct span *chunk_out)
{
	struct span chunk;
	bool mark;

	do {
		uint64_t at = e->input->decoded_bytes;
		uint64_t skip = at < e->first_offset ? e->first_offset - at : 0;

		TRY(input_read(e->input, &chunk));
		/* The mark may be all of a small chunk, which is no end. */
		mark = chunk.len > 0 && chunk.len <= skip;
		if (skip > chunk.len)
			skip = chunk.len;
		if (skip > 0)
			chunk = span_of(chunk.data + skip, chunk.len - skip);
	} while (mark);
	extraction_progress(e, PHASE_READING);
	*chunk_out = chunk;
	return ST_OK;
}
