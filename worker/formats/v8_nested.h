/*
 * A call tree of V8 that is nested: node objects in `children` arrays of node
 * objects. The heap profile, and CPU profiles of old writers. Events are handed
 * here from the value of the key `head` until nested_done.
 */
#ifndef WORKER_FORMATS_V8_NESTED_H
#define WORKER_FORMATS_V8_NESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_node.h"

/* An open node. */
struct nested_level {
	struct v8_node node;
	uint32_t slot;	  /* SLOT_NONE until it is one */
	bool frame_known; /* and counted in active */
	uint32_t frame;
	bool in_children;
	uint64_t below; /* values of the nodes under it, while no column is */
	uint64_t begun; /* children */
};

/* Whose tree it is decides which fields a node must have. */
enum v8_nested_kind {
	V8_NESTED_CPU,	/* id; perhaps hitCount */
	V8_NESTED_HEAP, /* selfSize; perhaps id */
};

struct nested {
	struct profile *profile;    /* borrowed */
	struct json_stream *stream; /* borrowed */
	enum v8_nested_kind kind;
	/* The nodes' values go to this column, or, while it is NULL, are added
	 * up as they come: that needs no memory a node, but V8's order of keys.
	 * Where a node's children come before its callFrame, out_of_order is
	 * set and the event fails; read again with a column. */
	struct column *values;	/* borrowed */
	struct measure measure; /* owned: when values is NULL */
	bool out_of_order;
	uint64_t with_value;	     /* nodes that had the key */
	struct nested_level *levels; /* owned: a table, the open path */
	size_t levels_bytes;
	uint32_t depth;
	uint32_t *active; /* owned: a table; open nodes by frame */
	size_t active_bytes;
	bool marked; /* topmost nodes could be told as they came */
	bool done;
};

void nested_init(struct nested *nested, struct profile *profile,
		 struct json_stream *stream, enum v8_nested_kind kind,
		 struct column *values);
void nested_fini(struct nested *nested);

/* The events, as in struct json_events. */
NODISCARD enum status nested_scalar(struct nested *nested);
NODISCARD enum status nested_number(struct nested *nested, struct span text);
NODISCARD enum status nested_string(struct nested *nested, struct span text);
NODISCARD enum status nested_key(struct nested *nested, struct span key);
NODISCARD enum status nested_start(struct nested *nested, enum json_kind kind);

/* For the lane: a node as V8 writes it, under the open one, whose children are
 * being read. */
struct nested_text {
	uint64_t id, value;
	uint32_t frame;
	bool has_children; /* they begin; else it has none */
	uint32_t closes;   /* so many nodes that are open end behind it */
};

/* Takes it. False, and all is as before, when something would be wrong with it:
 * then it is the parser's. Only while values is NULL and nodes are marked. */
bool nested_take(struct nested *nested, const struct nested_text *text);

/* At the end of the root the tree is sealed and nested->done. */
NODISCARD enum status nested_end(struct nested *nested, enum json_kind kind);

#endif
