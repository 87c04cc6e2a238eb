/*
 * A node's children are gathered until its end, since its id may come behind
 * them. Links from both sides must agree.
 */
#include "worker/formats/v8_nodes.h"

#include "proto/bug.h"

void
v8_nodes_init(struct v8_nodes *n, struct profile *profile,
	      struct json_stream *stream, struct column *hits)
{
	*n = (struct v8_nodes){.profile = profile,
			       .stream = stream,
			       .hits = hits};
	tree_path_init(&n->path);
}

void
v8_nodes_fini(struct v8_nodes *n)
{
	table_grow(n->profile->arena, (void **)&n->children, n->children_bytes,
		   0);
	n->children_bytes = 0;
	tree_path_fini(&n->path, n->profile->arena);
}

static enum status
link_parent(struct v8_nodes *n, uint32_t slot)
{
	struct tree *tree = &n->profile->tree;
	uint32_t parent = tree_slot(tree, n->node.parent);

	n->parent_links = true;
	/* Named by its parent's children too. */
	if (tree_parent(tree, slot) == parent)
		return ST_OK;
	return v8_node_link(n->stream, n->profile, parent, slot);
}

static enum status
link_child(struct v8_nodes *n, uint32_t slot, uint64_t id)
{
	struct tree *tree = &n->profile->tree;
	uint32_t child = tree_slot(tree, id);

	/* The child named its parent already. */
	if (n->parent_links && tree_parent(tree, child) == slot)
		return ST_OK;
	return v8_node_link(n->stream, n->profile, slot, child);
}

static enum status
close_node(struct v8_nodes *n)
{
	struct profile *p = n->profile;
	const struct v8_node *node = &n->node;
	uint32_t slot, frame;

	if (!v8_node_has(node, V8_NODE_ID))
		return v8_node_lacks(n->stream, p, "id");
	TRY(v8_node_frame(node, n->stream, p, &frame));
	slot = tree_slot(&p->tree, node->id);
	TRY(v8_node_add(node, n->stream, p, slot, frame));
	if (v8_node_has(node, V8_NODE_PARENT))
		TRY(link_parent(n, slot));
	for (uint32_t i = 0; i < n->children_len; i++)
		TRY(link_child(n, slot, n->children[i]));
	tree_path_enter(&n->path, &p->tree, slot, p->frames.len);
	n->with_hits += v8_node_has(node, V8_NODE_VALUE);
	if (!column_add(n->hits, slot, node->value))
		return json_stream_fail(n->stream, RE_VALUE_OVERFLOW);
	n->where = V8_NODES_LIST;
	return ST_OK;
}

void
v8_nodes_child(struct v8_nodes *n, uint64_t id)
{
	size_t need = ((size_t)n->children_len + 1) * sizeof(n->children[0]);

	if (need > n->children_bytes) {
		size_t more = table_size(n->children_bytes, need);

		table_grow(n->profile->arena, (void **)&n->children,
			   n->children_bytes, more);
		n->children_bytes = more;
	}
	n->children[n->children_len++] = id;
}

static enum status
add_child(struct v8_nodes *n, struct span text)
{
	uint64_t id;

	TRY(v8_count(n->stream, text, &id));
	v8_nodes_child(n, id);
	return ST_OK;
}

/* Links the children; false, and none is linked, when one cannot be. */
static bool
take_children(struct v8_nodes *n, uint32_t slot)
{
	struct tree *tree = &n->profile->tree;
	bool parents_first = tree->parents_first;

	for (uint32_t i = 0; i < n->children_len; i++) {
		uint32_t child = tree_slot(tree, n->children[i]);

		if (tree_link(tree, slot, child) == TREE_OK)
			continue;
		while (i-- > 0)
			tree_unlink(tree, tree_slot(tree, n->children[i]));
		tree->parents_first = parents_first;
		return false;
	}
	return true;
}

bool
v8_nodes_take(struct v8_nodes *n, uint64_t id, uint32_t frame, uint64_t hits)
{
	struct tree *tree = &n->profile->tree;
	uint32_t slot;

	if (n->parent_links ||
	    tree->nodes >= n->profile->job->limits.of[LIMIT_MAX_NODES])
		return false;
	slot = tree_slot(tree, id);
	if (tree_is_node(tree, slot) || !take_children(n, slot))
		return false;
	BUG_ON(tree_add(tree, slot, frame) != TREE_OK);
	tree_path_enter(&n->path, tree, slot, n->profile->frames.len);
	n->with_hits++;
	/* hits below 10^8 of so many nodes do not overflow */
	BUG_ON(!column_add(n->hits, slot, hits));
	return true;
}

enum status
v8_nodes_scalar(struct v8_nodes *n)
{
	return json_stream_fail(n->stream, n->where == V8_NODES_LIST
					       ? RE_NOT_AN_OBJECT
					       : RE_WRONG_TYPE);
}

enum status
v8_nodes_number(struct v8_nodes *n, struct span text)
{
	if (n->where == V8_NODES_CHILDREN)
		return add_child(n, text);
	if (n->where == V8_NODES_NODE)
		return v8_node_number(&n->node, n->stream, n->profile, text);
	return v8_nodes_scalar(n);
}

enum status
v8_nodes_string(struct v8_nodes *n, struct span text)
{
	if (n->where == V8_NODES_NODE)
		return v8_node_string(&n->node, n->stream, n->profile, text);
	return v8_nodes_scalar(n);
}

enum status
v8_nodes_key(struct v8_nodes *n, struct span key)
{
	return v8_node_key(&n->node, n->stream, "hitCount", key);
}

static enum status
start_in_node(struct v8_nodes *n, enum json_kind kind)
{
	struct v8_node *node = &n->node;

	if (kind == JSON_OBJECT && node->field == V8_NODE_CALL_FRAME &&
	    !node->in_frame) {
		node->in_frame = true;
		return ST_OK;
	}
	if (kind == JSON_ARRAY && node->field == V8_NODE_CHILDREN &&
	    !node->in_frame) {
		n->where = V8_NODES_CHILDREN;
		return ST_OK;
	}
	return v8_nodes_scalar(n);
}

enum status
v8_nodes_start(struct v8_nodes *n, enum json_kind kind)
{
	if (n->where == V8_NODES_NODE)
		return start_in_node(n, kind);
	if (n->where == V8_NODES_CHILDREN || kind != JSON_OBJECT)
		return v8_nodes_scalar(n);
	v8_node_init(&n->node);
	n->children_len = 0;
	n->where = V8_NODES_NODE;
	return ST_OK;
}

enum status
v8_nodes_end(struct v8_nodes *n)
{
	switch (n->where) {
	case V8_NODES_CHILDREN:
		n->where = V8_NODES_NODE;
		return ST_OK;
	case V8_NODES_NODE:
		if (!n->node.in_frame)
			return close_node(n);
		n->node.in_frame = false;
		return ST_OK;
	default:
		n->done = true;
		return v8_seal(n->stream, n->profile, !n->path.broken);
	}
}
