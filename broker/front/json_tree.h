/*
 * A strict reading of one small JSON document, a client's request, into a
 * tree of at most JSON_NODES_MAX values. Stricter than yajl: the whole text
 * must be UTF-8, escapes of surrogates must pair up, white space is what RFC
 * 8259 says, no key may appear twice in its object.
 */
#ifndef FRONT_JSON_TREE_H
#define FRONT_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/failure.h"
#include "proto/span.h"
#include "proto/status.h"

#define JSON_TEXT_MAX (64 * 1024) /* the longest submit is under 40 KiB */
#define JSON_DEPTH_MAX 8	  /* requests need four */
#define JSON_NODES_MAX 256	  /* the largest submit has under 120 */

enum json_kind {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_OBJECT,
	JSON_ARRAY,
};

struct json_node {
	enum json_kind kind;
	bool truth;	  /* of a JSON_BOOL */
	struct span key;  /* of a member of an object */
	struct span text; /* of a string, unescaped; of a number, as written */
	uint16_t parent;  /* all three: 0 is none, since the root is nobody's
			   * child, sibling or parent's parent */
	uint16_t child;	  /* the first */
	uint16_t next;	  /* sibling */
};

struct json_tree {
	struct json_node nodes[JSON_NODES_MAX]; /* [0] is the root */
	size_t nodes_len;
	uint8_t bytes[JSON_TEXT_MAX]; /* keys and texts, unescaped */
	size_t bytes_len;
};

/* INVALID_REQUEST with its reason in *failure_out, or OK. */
NODISCARD enum status json_tree_read(struct json_tree *tree, struct span text,
				     struct failure *failure_out);

/* The member of an object; NULL when there is none. */
const struct json_node *json_tree_find(const struct json_tree *tree,
				       const struct json_node *object,
				       const char *key);

/* The first child of an object or array, and the next of a child; NULL at the
 * end. */
const struct json_node *json_tree_first(const struct json_tree *tree,
					const struct json_node *node);
const struct json_node *json_tree_next(const struct json_tree *tree,
				       const struct json_node *node);

/* An integer as written, without fraction or exponent, that fits 64 bits. */
NODISCARD bool json_integer(const struct json_node *node, int64_t *value_out);

#endif
