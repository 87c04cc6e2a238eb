/*
 * Keys that are not plain names are written as JSON strings in brackets, so a
 * path is always one line of printable text.
 */
#include "worker/json/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/json_text.h"
#include "proto/utf8.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define ELLIPSIS_BYTES 3

/* A key as text: an escape takes six bytes for one. */
#define KEY_TEXT_BYTES (6 * PATH_KEY_BYTES + 16)

void
path_keep(struct json_path *path)
{
	for (uint64_t i = 1; i <= path->depth && i <= PATH_LEVELS; i++) {
		struct json_path_level *level = &path->levels[i];

		if (!level->has_key || level->key.data == level->copy)
			continue;
		level->key.len = utf8_cut(level->key, PATH_KEY_BYTES);
		if (level->key.len > 0)
			memcpy(level->copy, level->key.data, level->key.len);
		level->key.data = level->copy;
	}
}

static bool
is_name_byte(uint8_t byte, bool first)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       byte == '_' || byte == '$' ||
	       (!first && byte >= '0' && byte <= '9');
}

static bool
is_name(struct span key)
{
	for (size_t i = 0; i < key.len; i++)
		if (!is_name_byte(key.data[i], i == 0))
			return false;
	return key.len > 0;
}

static size_t
write_key(const struct json_path_level *level, char out[KEY_TEXT_BYTES])
{
	struct span key =
	    span_of(level->key.data, utf8_cut(level->key, PATH_KEY_BYTES));
	bool cut = key.len < level->key_len;
	size_t len;

	if (!cut && is_name(key))
		return (size_t)snprintf(out, KEY_TEXT_BYTES, ".%.*s",
					(int)key.len, (const char *)key.data);
	out[0] = '[';
	len = 1 + json_text_write((uint8_t *)out + 1, key);
	len--; /* the ellipsis goes inside the quotes */
	return len + (size_t)snprintf(out + len, KEY_TEXT_BYTES - len, "%s\"]",
				      cut ? ELLIPSIS : "");
}

/* One step; 0 bytes when the level holds nothing yet. */
static size_t
write_step(const struct json_path_level *level, char out[KEY_TEXT_BYTES])
{
	if (!level->array)
		return level->has_key ? write_key(level, out) : 0;
	if (level->count == 0)
		return 0;
	return (size_t)snprintf(out, KEY_TEXT_BYTES, "[%" PRIu64 "]",
				level->count - 1);
}

void
path_format(const struct json_path *path, char *out, size_t size)
{
	char text[KEY_TEXT_BYTES];
	size_t len = 1;
	bool all = path->depth <= PATH_LEVELS;

	out[0] = '$';
	for (uint64_t i = 1; i <= path->depth && i <= PATH_LEVELS; i++) {
		size_t step = write_step(&path->levels[i], text);

		if (step > size - len - ELLIPSIS_BYTES - 1) {
			all = false;
			break;
		}
		memcpy(out + len, text, step);
		len += step;
	}
	memcpy(out + len, all ? "" : ELLIPSIS, all ? 1 : ELLIPSIS_BYTES + 1);
}
