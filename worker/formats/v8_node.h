/*
 * A node object of V8's call trees, as far as it was read: its frame, its id
 * and its value, in any order of keys. Shared by flat and nested trees.
 */
#ifndef WORKER_FORMATS_V8_NODE_H
#define WORKER_FORMATS_V8_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/formats/v8_frame.h"

enum v8_node_field {
	V8_NODE_ID,
	V8_NODE_CALL_FRAME,
	V8_NODE_CHILDREN,
	V8_NODE_PARENT,
	V8_NODE_VALUE, /* hitCount or selfSize */
	V8_NODE_FLAT,  /* one of the frame's own, see flat_field */
	V8_NODE_FIELDS /* none that is known */
};

struct v8_node {
	unsigned seen;			/* bits, 1 << V8_NODE_x */
	enum v8_node_field field;	/* whose value comes next */
	enum v8_frame_field flat_field; /* with V8_NODE_FLAT, and in a
					 * callFrame */
	bool in_frame;			/* inside the callFrame object */
	struct v8_frame frame;
	uint64_t id, parent, value;
};

void v8_node_init(struct v8_node *node);

static inline bool
v8_node_has(const struct v8_node *node, enum v8_node_field field)
{
	return (node->seen & (1U << field)) != 0;
}

/* A key of the node or of its callFrame: what is not known is skipped.
 * value_key is "hitCount" or "selfSize". */
NODISCARD enum status v8_node_key(struct v8_node *node,
				  struct json_stream *stream,
				  const char *value_key, struct span key);

/* A scalar of the node or its callFrame. */
NODISCARD enum status v8_node_string(struct v8_node *node,
				     struct json_stream *stream,
				     struct profile *profile, struct span text);
NODISCARD enum status v8_node_number(struct v8_node *node,
				     struct json_stream *stream,
				     struct profile *profile, struct span text);

/* The node's frame; MISSING_FIELD when it has neither callFrame nor
 * functionName. */
NODISCARD enum status v8_node_frame(const struct v8_node *node,
				    struct json_stream *stream,
				    struct profile *profile,
				    uint32_t *frame_out);

/* MISSING_FIELD, at the node's end. */
NODISCARD enum status v8_node_lacks(struct json_stream *stream,
				    struct profile *profile, const char *field);

/* The failure of a node whose id is taken. */
NODISCARD enum status v8_node_duplicate(const struct v8_node *node,
					struct json_stream *stream,
					struct profile *profile);

/* Makes the slot a node with that frame, within max_nodes. */
NODISCARD enum status v8_node_add(const struct v8_node *node,
				  struct json_stream *stream,
				  struct profile *profile, uint32_t slot,
				  uint32_t frame);

/* Links, and says what is wrong when it cannot be. */
NODISCARD enum status v8_node_link(struct json_stream *stream,
				   struct profile *profile, uint32_t parent,
				   uint32_t child);

/* Seals the tree; what is wrong with it is told at the stream's place. */
NODISCARD enum status v8_seal(struct json_stream *stream,
			      struct profile *profile, bool marked);

#endif
