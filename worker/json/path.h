/*
 * Where in the document the parser stands, as "$.nodes[3].callFrame.url", for
 * errors. Kept up with every event, so each step is a few stores; only the
 * first levels are kept, and keys are copied late.
 */
#ifndef WORKER_JSON_PATH_H
#define WORKER_JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/span.h"

#define PATH_LEVELS 24	  /* deeper ones are shown as an ellipsis */
#define PATH_KEY_BYTES 40 /* longer keys are cut */

struct json_path_level {
	bool array;
	bool has_key;
	uint64_t count;	 /* elements or values begun */
	struct span key; /* borrowed: until path_keep; then of copy */
	size_t key_len;	 /* uncut */
	uint8_t copy[PATH_KEY_BYTES];
};

/* levels[0] is the document, the last one stands for all that are too deep;
 * both are written and never read. */
struct json_path {
	uint64_t depth;
	struct json_path_level *at; /* the open one, of levels */
	struct json_path_level levels[PATH_LEVELS + 2];
};

/* The path points into itself, so it must not be copied. */
static inline void
path_init(struct json_path *path)
{
	*path = (struct json_path){.at = path->levels};
}

static inline void
path_value(struct json_path *path)
{
	path->at->count++;
}

/* The key's bytes must stay until path_keep. */
static inline void
path_key(struct json_path *path, struct span key)
{
	struct json_path_level *level = path->at;

	level->has_key = true;
	level->key = key;
	level->key_len = key.len;
}

static inline void
path_enter(struct json_path *path, bool array)
{
	if (path->depth++ <= PATH_LEVELS)
		path->at++;
	path->at->array = array;
	path->at->has_key = false;
	path->at->count = 0;
}

static inline void
path_leave(struct json_path *path)
{
	if (--path->depth <= PATH_LEVELS)
		path->at--;
}

/* Copies the keys that are still borrowed: their bytes go away. */
void path_keep(struct json_path *path);

/* Writes the path as a string, cut with an ellipsis where there is no room.
 * size is at least 8. */
void path_format(const struct json_path *path, char *out, size_t size);

#endif
