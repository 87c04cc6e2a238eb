/*
 * {"id":1,"callFrame":{…},"hitCount":0,"children":[2,3],"positionTicks":[
 * {"line":1,"ticks":2}]}, the last two only where there are any, without
 * blanks.
 */
#include "worker/formats/v8_nodes_lane.h"

#include "worker/formats/v8_frame_lane.h"

struct node_text {
	uint64_t id, hits;
	uint32_t frame;
};

/* What follows the opening bracket, up to the closing one. */
static bool
read_children(struct cursor *c, struct v8_nodes *n)
{
	uint64_t id;

	do {
		if (!cursor_count(c, &id))
			return false;
		v8_nodes_child(n, id);
	} while (CURSOR_IS(c, ","));
	return CURSOR_IS(c, "]");
}

static bool
read_ticks(struct cursor *c)
{
	uint64_t value;

	do {
		if (!CURSOR_IS(c, "{\"line\":") || !cursor_count(c, &value) ||
		    !CURSOR_IS(c, ",\"ticks\":") || !cursor_count(c, &value) ||
		    !CURSOR_IS(c, "}"))
			return false;
	} while (CURSOR_IS(c, ","));
	return CURSOR_IS(c, "]");
}

static bool
read_node(struct cursor *c, struct v8_nodes *n, struct raw_cache *known,
	  struct node_text *out)
{
	n->children_len = 0;
	if (!CURSOR_IS(c, "{\"id\":") || !cursor_count(c, &out->id) ||
	    !CURSOR_IS(c, ",\"callFrame\":") ||
	    !v8_frame_lane(c, known, n->stream, n->profile, &out->frame) ||
	    !CURSOR_IS(c, ",\"hitCount\":") || !cursor_count(c, &out->hits))
		return false;
	if (CURSOR_IS(c, ",\"children\":[") && !read_children(c, n))
		return false;
	if (CURSOR_IS(c, ",\"positionTicks\":[") && !read_ticks(c))
		return false;
	/* the next one is needed, and is whose turn it will be */
	return CURSOR_IS(c, "},") && c->at < c->end && *c->at == '{';
}

enum status
v8_nodes_lane_take(struct v8_nodes *n, struct raw_cache *known,
		   struct span bytes, struct json_taken *taken_out)
{
	struct cursor c = {bytes.data, bytes.data + bytes.len};
	struct node_text node;

	while (read_node(&c, n, known, &node) &&
	       v8_nodes_take(n, node.id, node.frame, node.hits)) {
		taken_out->bytes = (size_t)(c.at - bytes.data);
		taken_out->elements++;
	}
	return ST_OK;
}

size_t
v8_nodes_lane_next(struct span bytes)
{
	const uint8_t *end = bytes.data + bytes.len;
	const uint8_t *at = bytes.data;

	while ((at = memchr(at, '}', (size_t)(end - at))) != NULL) {
		at++;
		if (end - at >= 2 && at[0] == ',' && at[1] == '{')
			return (size_t)(at - bytes.data) + 1;
		if (end - at >= 1 && at[0] == ']')
			return (size_t)(at - bytes.data) + 1;
	}
	return 0;
}
