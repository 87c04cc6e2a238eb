/*
 * What a format is to the rest of the worker. An extractor turns its input's
 * events into calls on the neutral model and knows nothing of rows, sockets or
 * compression. A new format is one file here, one line in proto/format.def and
 * one in formats.c, one page of docs/formats/, samples, and a fuzz target.
 */
#ifndef WORKER_FORMATS_EXTRACTOR_H
#define WORKER_FORMATS_EXTRACTOR_H

#include "proto/failure.h"
#include "proto/job.h"
#include "proto/status.h"
#include "proto/terms.h"
#include "worker/extract.h"
#include "worker/input/input.h"
#include "worker/profile/profile.h"

/* How a JSON document wraps the profile in it. */
enum envelope {
	ENVELOPE_NONE,
	ENVELOPE_PROFILE, /* {"profile": …} */
	ENVELOPE_RESULT, /* {"result": {"profile": …}}, an inspector's reply */
};

struct extraction {
	const struct job *job;		 /* borrowed */
	struct arena *arena;		 /* borrowed */
	struct input *input;		 /* borrowed: read to its last byte */
	const struct extract_sink *sink; /* borrowed */
	struct failure *failure;	 /* borrowed */
	uint64_t first_offset;		 /* of the first byte behind a BOM */
	enum envelope envelope;
	struct profile *profile; /* borrowed: to be filled */
	uint64_t nodes, samples; /* so far, for progress */
};

struct extractor {
	enum format format;
	/* Reads the input to the end and fills the profile. */
	enum status (*run)(struct extraction *extraction);
};

/* The extractor of a format; never NULL. */
const struct extractor *extractor_of(enum format format);

/* Tells the tree what to expect of an input in which a node takes about so many
 * bytes. */
void extraction_expect_nodes(const struct extraction *extraction,
			     uint64_t node_bytes);

/* How far the extraction is. */
struct progress extraction_state(const struct extraction *extraction,
				 enum phase phase);

/* Tells the sink how far the reading is; once a chunk is often enough. */
void extraction_progress(const struct extraction *extraction, enum phase phase);

/* The input's next chunk behind the byte-order mark, none at the end; tells
 * progress. */
NODISCARD enum status extraction_read(struct extraction *extraction,
				      struct span *chunk_out);

enum status v8_cpu_run(struct extraction *extraction);
enum status v8_heap_run(struct extraction *extraction);

#endif
