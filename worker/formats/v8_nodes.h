/*
 * The call tree of V8's CPU profiles: a flat array of node objects, each naming
 * its children by id, or its parent (newer writers), or both. Events are handed
 * here from the array's opening bracket until v8_nodes.done.
 */
#ifndef WORKER_FORMATS_V8_NODES_H
#define WORKER_FORMATS_V8_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_node.h"
#include "worker/profile/tree_path.h"

enum v8_nodes_where {
	V8_NODES_LIST, /* between two nodes */
	V8_NODES_NODE,
	V8_NODES_CHILDREN,
};

struct v8_nodes {
	struct profile *profile;    /* borrowed */
	struct json_stream *stream; /* borrowed */
	struct column *hits;	    /* borrowed: of hitCount */
	uint64_t with_hits;	    /* nodes that had one */
	enum v8_nodes_where where;
	struct v8_node node; /* the open one */
	struct tree_path path;
	uint64_t *children; /* owned: a table; ids of the open node's */
	size_t children_bytes;
	uint32_t children_len;
	bool parent_links; /* some node named its parent */
	bool done;
};

void v8_nodes_init(struct v8_nodes *nodes, struct profile *profile,
		   struct json_stream *stream, struct column *hits);
void v8_nodes_fini(struct v8_nodes *nodes);

/* The events, as in struct json_events. */
NODISCARD enum status v8_nodes_scalar(struct v8_nodes *nodes);
NODISCARD enum status v8_nodes_number(struct v8_nodes *nodes, struct span text);
NODISCARD enum status v8_nodes_string(struct v8_nodes *nodes, struct span text);
NODISCARD enum status v8_nodes_key(struct v8_nodes *nodes, struct span key);
NODISCARD enum status v8_nodes_start(struct v8_nodes *nodes,
				     enum json_kind kind);

/* For the lane. One more child of the node that is being read; and that node
 * with its children. False, and all is as before, when something would be wrong
 * with it: then it is the parser's. */
void v8_nodes_child(struct v8_nodes *nodes, uint64_t id);
bool v8_nodes_take(struct v8_nodes *nodes, uint64_t id, uint32_t frame,
		   uint64_t hits);

/* At the end of the array the tree is sealed and nodes->done. */
NODISCARD enum status v8_nodes_end(struct v8_nodes *nodes);

#endif
