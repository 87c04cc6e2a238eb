/*
 * Fields of a node, each at most once. The frame's fields may stand in a
 * callFrame or flat on the node, and the same field in both is a duplicate.
 */
#include "worker/formats/v8_node.h"

#include <inttypes.h>
#include <string.h>

void
v8_node_init(struct v8_node *node)
{
	*node = (struct v8_node){.field = V8_NODE_FIELDS};
	v8_frame_init(&node->frame);
}

static enum v8_node_field
field_of(struct span key, const char *value_key)
{
	if (span_is(key, "id"))
		return V8_NODE_ID;
	if (span_is(key, "callFrame"))
		return V8_NODE_CALL_FRAME;
	if (span_is(key, "children"))
		return V8_NODE_CHILDREN;
	if (span_is(key, "parent"))
		return V8_NODE_PARENT;
	if (span_is(key, value_key))
		return V8_NODE_VALUE;
	return V8_NODE_FIELDS;
}

enum status
v8_node_key(struct v8_node *node, struct json_stream *stream,
	    const char *value_key, struct span key)
{
	enum v8_node_field field = V8_NODE_FIELDS;
	enum v8_frame_field flat = v8_frame_field(key);

	if (!node->in_frame)
		field = field_of(key, value_key);
	if (field == V8_NODE_FIELDS && flat == V8_FRAME_FIELDS) {
		json_stream_skip(stream);
		return ST_OK;
	}
	if (field == V8_NODE_FIELDS) {
		node->field = V8_NODE_FLAT;
		node->flat_field = flat;
		return v8_frame_begin_field(&node->frame, stream, flat);
	}
	if (v8_node_has(node, field))
		return json_stream_fail(stream, RE_DUPLICATE_KEY);
	node->seen |= 1U << field;
	node->field = field;
	return ST_OK;
}

enum status
v8_node_string(struct v8_node *node, struct json_stream *stream,
	       struct profile *profile, struct span text)
{
	if (node->field != V8_NODE_FLAT)
		return json_stream_fail(stream, RE_WRONG_TYPE);
	return v8_frame_string(&node->frame, stream, profile, node->flat_field,
			       text);
}

enum status
v8_node_number(struct v8_node *node, struct json_stream *stream,
	       struct profile *profile, struct span text)
{
	switch (node->field) {
	case V8_NODE_ID:
		return v8_count(stream, text, &node->id);
	case V8_NODE_PARENT:
		return v8_count(stream, text, &node->parent);
	case V8_NODE_VALUE:
		return v8_count(stream, text, &node->value);
	case V8_NODE_FLAT:
		return v8_frame_number(&node->frame, stream, profile,
				       node->flat_field, text);
	default:
		return json_stream_fail(stream, RE_WRONG_TYPE);
	}
}

enum status
v8_node_lacks(struct json_stream *stream, struct profile *profile,
	      const char *field)
{
	enum status status = json_stream_fail(stream, RE_MISSING_FIELD);

	failure_say(profile->failure, "a node has no %s", field);
	return status;
}

enum status
v8_node_frame(const struct v8_node *node, struct json_stream *stream,
	      struct profile *profile, uint32_t *frame_out)
{
	bool flat = !v8_node_has(node, V8_NODE_CALL_FRAME);

	if (flat && (node->frame.seen & (1U << V8_FUNCTION_NAME)) == 0)
		return v8_node_lacks(stream, profile, "callFrame");
	return v8_frame_intern(&node->frame, flat, profile, frame_out);
}

enum status
v8_node_duplicate(const struct v8_node *node, struct json_stream *stream,
		  struct profile *profile)
{
	enum status status = json_stream_fail(stream, RE_DUPLICATE_NODE_ID);

	failure_say(profile->failure, "node id %" PRIu64 " appears twice",
		    node->id);
	return status;
}

enum status
v8_node_add(const struct v8_node *node, struct json_stream *stream,
	    struct profile *profile, uint32_t slot, uint32_t frame)
{
	uint64_t max = profile->job->limits.of[LIMIT_MAX_NODES];

	if (profile->tree.nodes >= max) {
		failure_of_limit(profile->failure, LIMIT_MAX_NODES,
				 (uint64_t)profile->tree.nodes + 1, max);
		profile->failure->offset = (int64_t)json_stream_offset(stream);
		return ST_LIMIT_EXCEEDED;
	}
	if (tree_add(&profile->tree, slot, frame) == TREE_OK)
		return ST_OK;
	return v8_node_duplicate(node, stream, profile);
}

enum status
v8_node_link(struct json_stream *stream, struct profile *profile,
	     uint32_t parent, uint32_t child)
{
	enum tree_result result = tree_link(&profile->tree, parent, child);
	enum status status;
	uint64_t id;

	if (result == TREE_OK)
		return ST_OK;
	status = json_stream_fail(stream, result == TREE_SELF
					      ? RE_CYCLE
					      : RE_NODE_HAS_TWO_PARENTS);
	if (tree_id(&profile->tree, child, &id))
		failure_say(profile->failure,
			    result == TREE_SELF
				? "node %" PRIu64 " is its own parent"
				: "node %" PRIu64 " has two parents",
			    id);
	return status;
}

enum status
v8_seal(struct json_stream *stream, struct profile *profile, bool marked)
{
	struct failure *failure = profile->failure;
	enum status status =
	    tree_seal(&profile->tree, profile->frames.len, marked, failure);
	char message[FAILURE_TEXT_BYTES];

	profile->tree_sealed = status == ST_OK;
	if (status != ST_ARTIFACT_PARSE_FAILED)
		return status;
	memcpy(message, failure->message, sizeof(message));
	status = json_stream_fail(stream, failure->reason);
	memcpy(failure->message, message, sizeof(message));
	return status;
}
