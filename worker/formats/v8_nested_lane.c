/*
 * {"callFrame":{…},"selfSize":0,"id":1,"children":[{…},{…}]}, without blanks.
 *
 * A node is taken together with all that follows it up to where the next one
 * begins: that is its own first child, or, behind its end and the end of so
 * many nodes around it, the next child of the one that is open then.
 */
#include "worker/formats/v8_nested_lane.h"

#include <string.h>

#include "worker/formats/v8_frame_lane.h"

static bool
read_node(struct cursor *c, struct nested *n, struct raw_cache *known,
	  struct nested_text *out)
{
	out->closes = 0;
	if (!CURSOR_IS(c, "{\"callFrame\":") ||
	    !v8_frame_lane(c, known, n->stream, n->profile, &out->frame) ||
	    !CURSOR_IS(c, ",\"selfSize\":") || !cursor_count(c, &out->value) ||
	    !CURSOR_IS(c, ",\"id\":") || !cursor_count(c, &out->id) ||
	    !CURSOR_IS(c, ",\"children\":["))
		return false;
	out->has_children = c->at < c->end && *c->at == '{';
	if (out->has_children)
		return true;
	if (!CURSOR_IS(c, "]}"))
		return false;
	while (CURSOR_IS(c, "]}"))
		out->closes++;
	return CURSOR_IS(c, ",") && c->at < c->end && *c->at == '{';
}

static void
note(struct json_taken *taken, const struct nested_text *text)
{
	taken->behind_comma = !text->has_children;
	if (text->has_children) {
		taken->entered++;
	} else if (text->closes <= taken->entered) {
		taken->entered -= text->closes;
	} else {
		taken->left += text->closes - taken->entered;
		taken->entered = 0;
	}
}

enum status
v8_nested_lane_take(struct nested *n, struct raw_cache *known,
		    struct span bytes, struct json_taken *taken_out)
{
	uint64_t room = json_stream_room(n->stream);
	struct cursor c = {bytes.data, bytes.data + bytes.len};
	uint64_t depth = n->depth; /* where there is that much room */
	struct nested_text text;

	while (n->depth < depth + (room / V8_NESTED_LANE_LEVELS) &&
	       read_node(&c, n, known, &text) && nested_take(n, &text)) {
		taken_out->bytes = (size_t)(c.at - bytes.data);
		note(taken_out, &text);
	}
	return ST_OK;
}

size_t
v8_nested_lane_next(struct span bytes)
{
	const uint8_t *end = bytes.data + bytes.len;
	const uint8_t *at = bytes.data;

	/* the first byte is behind what was there before */
	while ((at = memchr(at, '{', (size_t)(end - at))) != NULL) {
		if (at > bytes.data && (at[-1] == ',' || at[-1] == '['))
			return (size_t)(at - bytes.data);
		at++;
	}
	return 0;
}

bool
v8_nested_lane_inside(const struct nested *n)
{
	return n->depth > 0 && n->levels[n->depth - 1].in_children;
}

uint64_t
v8_nested_lane_begun(const struct nested *n, uint64_t further_out)
{
	return n->levels[n->depth - 1 - further_out].begun;
}
