/*
 * The open path is a table, so depth costs no stack. A node becomes one of the
 * tree when its children begin, or at its end; with V8's order of keys frame
 * and id are known by then, and whether it is the topmost of its frame too. In
 * any other order the tree marks itself when it is sealed.
 */
#include "worker/formats/v8_nested.h"

#include "proto/bug.h"

static const char *const value_keys[] = {
    [V8_NESTED_CPU] = "hitCount",
    [V8_NESTED_HEAP] = "selfSize",
};

void
nested_init(struct nested *n, struct profile *profile,
	    struct json_stream *stream, enum v8_nested_kind kind,
	    struct column *values)
{
	*n = (struct nested){
	    .profile = profile,
	    .stream = stream,
	    .kind = kind,
	    .values = values,
	    .marked = true,
	};
}

static void
have_room(struct arena *arena, void **base, size_t *bytes, size_t need)
{
	size_t more;

	if (need <= *bytes)
		return;
	more = table_size(*bytes, need);
	table_grow(arena, base, *bytes, more);
	*bytes = more;
}

void
nested_fini(struct nested *n)
{
	struct arena *arena = n->profile->arena;

	table_grow(arena, (void **)&n->levels, n->levels_bytes, 0);
	table_grow(arena, (void **)&n->active, n->active_bytes, 0);
	measure_fini(&n->measure, arena);
	n->levels_bytes = 0;
	n->active_bytes = 0;
}

static struct nested_level *
top(struct nested *n)
{
	BUG_ON(n->depth == 0);
	return &n->levels[n->depth - 1];
}

/* Marks the node by its frame, which is opened on the path. */
static void
open_frame(struct nested *n, uint32_t slot, uint32_t frame)
{
	struct profile *p = n->profile;

	have_room(p->arena, (void **)&n->active, &n->active_bytes,
		  (size_t)p->frames.len * sizeof(n->active[0]));
	tree_set_frame(&p->tree, slot, frame);
	tree_mark(&p->tree, slot, n->active[frame]++ == 0);
}

static enum status
know_frame(struct nested *n, struct nested_level *level)
{
	TRY(v8_node_frame(&level->node, n->stream, n->profile, &level->frame));
	open_frame(n, level->slot, level->frame);
	level->frame_known = true;
	return ST_OK;
}

/* Makes the node one of the tree, under its parent. Its frame may follow. */
static enum status
commit(struct nested *n, struct nested_level *level)
{
	struct profile *p = n->profile;
	bool has_id = v8_node_has(&level->node, V8_NODE_ID);

	level->slot = has_id ? tree_slot(&p->tree, level->node.id)
			     : tree_slot_anonymous(&p->tree);
	TRY(v8_node_add(&level->node, n->stream, p, level->slot, 0));
	if (n->depth > 1)
		TRY(v8_node_link(n->stream, p, level[-1].slot, level->slot));
	return ST_OK;
}

static enum status
push(struct nested *n)
{
	struct profile *p = n->profile;
	uint64_t max = p->job->limits.of[LIMIT_MAX_DEPTH];

	if (n->depth >= max) {
		failure_of_limit(p->failure, LIMIT_MAX_DEPTH,
				 (uint64_t)n->depth + 1, max);
		p->failure->offset = (int64_t)json_stream_offset(n->stream);
		return ST_LIMIT_EXCEEDED;
	}
	have_room(p->arena, (void **)&n->levels, &n->levels_bytes,
		  ((size_t)n->depth + 1) * sizeof(n->levels[0]));
	if (n->depth++ > 0)
		top(n)[-1].begun++;
	*top(n) = (struct nested_level){.slot = SLOT_NONE};
	v8_node_init(&top(n)->node);
	if (n->depth > p->tree.max_depth)
		p->tree.max_depth = n->depth;
	return ST_OK;
}

static enum status
name_slot(struct nested *n, struct nested_level *level)
{
	if (tree_name(&n->profile->tree, level->slot, level->node.id) ==
	    TREE_OK)
		return ST_OK;
	return v8_node_duplicate(&level->node, n->stream, n->profile);
}

/* Adds a node with what is below it to its frame, and to what its parent has
 * below. The sum of all fits. */
static void
add_up(struct nested *n, uint32_t slot, uint32_t frame, uint64_t value,
       uint64_t below, struct nested_level *parent)
{
	struct measure *m = &n->measure;

	measure_grow(m, n->profile->arena, n->profile->frames.len);
	m->total += value;
	m->self[frame] += value;
	if (tree_topmost(&n->profile->tree, slot))
		m->inclusive[frame] += value + below;
	if (parent != NULL)
		parent->below += value + below;
}

/* The frame of an open node is no longer on the path, and its value counts. */
static bool
spend(struct nested *n, struct nested_level *level)
{
	uint64_t total, value = level->node.value;

	n->active[level->frame]--;
	n->with_value += v8_node_has(&level->node, V8_NODE_VALUE);
	if (n->values != NULL)
		return column_add(n->values, level->slot, value);
	if (__builtin_add_overflow(n->measure.total, value, &total))
		return false;
	add_up(n, level->slot, level->frame, value, level->below,
	       n->depth > 1 ? level - 1 : NULL);
	return true;
}

static enum status
close_node(struct nested *n)
{
	struct nested_level *level = top(n);
	bool has_id = v8_node_has(&level->node, V8_NODE_ID);

	if (n->kind == V8_NESTED_CPU && !has_id)
		return v8_node_lacks(n->stream, n->profile, "id");
	if (n->kind == V8_NESTED_HEAP &&
	    !v8_node_has(&level->node, V8_NODE_VALUE))
		return v8_node_lacks(n->stream, n->profile, "selfSize");
	if (level->slot == SLOT_NONE) {
		TRY(commit(n, level));
	} else if (has_id && tree_find(&n->profile->tree, level->node.id) !=
				 level->slot) {
		TRY(name_slot(n, level));
	}
	if (!level->frame_known)
		TRY(know_frame(n, level));
	if (!spend(n, level))
		return json_stream_fail(n->stream, RE_VALUE_OVERFLOW);
	n->depth--;
	if (n->depth > 0)
		return ST_OK;
	n->done = true;
	return v8_seal(n->stream, n->profile, n->marked);
}

enum status
nested_scalar(struct nested *n)
{
	if (n->depth > 0 && top(n)->in_children)
		return json_stream_fail(n->stream, RE_NOT_AN_OBJECT);
	return json_stream_fail(n->stream, RE_WRONG_TYPE);
}

enum status
nested_number(struct nested *n, struct span text)
{
	if (n->depth == 0 || top(n)->in_children)
		return nested_scalar(n);
	return v8_node_number(&top(n)->node, n->stream, n->profile, text);
}

enum status
nested_string(struct nested *n, struct span text)
{
	if (n->depth == 0 || top(n)->in_children)
		return nested_scalar(n);
	return v8_node_string(&top(n)->node, n->stream, n->profile, text);
}

enum status
nested_key(struct nested *n, struct span key)
{
	return v8_node_key(&top(n)->node, n->stream, value_keys[n->kind], key);
}

/* The children of the node at the top begin. */
static enum status
start_children(struct nested *n)
{
	struct nested_level *level = top(n);

	TRY(commit(n, level));
	/* Flat fields may still come; a callFrame is whole. */
	if (v8_node_has(&level->node, V8_NODE_CALL_FRAME))
		TRY(know_frame(n, level));
	else
		n->marked = false;
	if (!n->marked && n->values == NULL) {
		n->out_of_order = true;
		return ST_INTERNAL_ERROR;
	}
	level->in_children = true;
	return ST_OK;
}

enum status
nested_start(struct nested *n, enum json_kind kind)
{
	struct v8_node *node;

	if (n->depth == 0 || top(n)->in_children)
		return kind == JSON_OBJECT ? push(n) : nested_scalar(n);
	node = &top(n)->node;
	if (kind == JSON_OBJECT && node->field == V8_NODE_CALL_FRAME &&
	    !node->in_frame) {
		node->in_frame = true;
		return ST_OK;
	}
	if (kind == JSON_ARRAY && node->field == V8_NODE_CHILDREN &&
	    !node->in_frame)
		return start_children(n);
	return json_stream_fail(n->stream, RE_WRONG_TYPE);
}

enum status
nested_end(struct nested *n, enum json_kind kind)
{
	if (kind == JSON_ARRAY) {
		top(n)->in_children = false;
		return ST_OK;
	}
	if (top(n)->node.in_frame) {
		top(n)->node.in_frame = false;
		return ST_OK;
	}
	return close_node(n);
}

/* -- the lane -------------------------------------------------------------- */

#define ALL_OF_NODE                                                          \
	(1U << V8_NODE_ID | 1U << V8_NODE_CALL_FRAME | 1U << V8_NODE_VALUE | \
	 1U << V8_NODE_CHILDREN)

/* Whether the nodes that end behind it are whole, and all can be added up. */
static bool
can_close(const struct nested *n, const struct nested_text *text)
{
	uint64_t total = n->measure.total;

	if (__builtin_add_overflow(total, text->value, &total))
		return false;
	for (uint32_t i = 1; i <= text->closes; i++) {
		const struct nested_level *level = &n->levels[n->depth - i];

		if (!level->frame_known ||
		    !v8_node_has(&level->node, V8_NODE_VALUE) ||
		    __builtin_add_overflow(total, level->node.value, &total))
			return false;
	}
	return true;
}

static bool
fits(const struct nested *n, const struct nested_text *text)
{
	const struct limits *limits = &n->profile->job->limits;

	/* the root's end is the parser's */
	return n->depth < limits->of[LIMIT_MAX_DEPTH] &&
	       text->closes < n->depth &&
	       n->profile->tree.nodes < limits->of[LIMIT_MAX_NODES] &&
	       can_close(n, text);
}

static bool
add_node(struct nested *n, const struct nested_text *text, uint32_t *slot_out)
{
	struct tree *tree = &n->profile->tree;
	uint32_t slot = tree_slot(tree, text->id);

	if (tree_is_node(tree, slot) ||
	    tree_link(tree, top(n)->slot, slot) != TREE_OK)
		return false;
	BUG_ON(tree_add(tree, slot, text->frame) != TREE_OK);
	open_frame(n, slot, text->frame);
	*slot_out = slot;
	return true;
}

static void
open_level(struct nested *n, const struct nested_text *text, uint32_t slot)
{
	struct nested_level *level;

	have_room(n->profile->arena, (void **)&n->levels, &n->levels_bytes,
		  ((size_t)n->depth + 1) * sizeof(n->levels[0]));
	level = &n->levels[n->depth++];
	level->node.seen = ALL_OF_NODE;
	level->node.field = V8_NODE_CHILDREN;
	level->node.in_frame = false;
	level->node.frame.seen = (1U << V8_FRAME_FIELDS) - 1;
	level->node.id = text->id;
	level->node.value = text->value;
	level->slot = slot;
	level->frame_known = true;
	level->frame = text->frame;
	level->in_children = true;
	level->below = 0;
	level->begun = 0;
}

bool
nested_take(struct nested *n, const struct nested_text *text)
{
	uint32_t slot;

	BUG_ON(n->values != NULL || !n->marked || !top(n)->in_children);
	if (!fits(n, text) || !add_node(n, text, &slot))
		return false;
	top(n)->begun++;
	if (n->depth + 1 > n->profile->tree.max_depth)
		n->profile->tree.max_depth = n->depth + 1;
	if (text->has_children) {
		open_level(n, text, slot);
		return true;
	}
	n->active[text->frame]--;
	n->with_value++;
	add_up(n, slot, text->frame, text->value, 0, top(n));
	for (uint32_t i = 0; i < text->closes; i++) {
		BUG_ON(!spend(n, top(n)));
		n->depth--;
	}
	return true;
}
