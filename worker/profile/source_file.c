/*
 * Everything here works on whole path segments and copies into the arena only
 * when a url has to be changed.
 */
#include "worker/profile/source_file.h"

#include <ctype.h>
#include <string.h>

#include "proto/utf8.h"

/* Schemes whose code comes with the runtime, not from the user. */
static const char *const builtin_schemes[] = {
    "node:", "bun:", "deno:", "ext:", "internal:", "electron:", "internal/",
};

static struct span
span_from(struct span text, size_t at)
{
	return span_of(text.data + at, text.len - at);
}

/* The index of byte at or behind `from`; text.len when there is none. */
static size_t
find_byte(struct span text, size_t from, uint8_t byte)
{
	const uint8_t *at;

	if (from >= text.len)
		return text.len;
	at = memchr(text.data + from, byte, text.len - from);
	return at == NULL ? text.len : (size_t)(at - text.data);
}

static int
hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (uint8_t)tolower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Percent-decodes into out, which holds text.len. False when a decoded byte
 * is NUL or /, or the result is not UTF-8. A % that starts no escape stays.
 */
static bool
percent_decode(struct span text, uint8_t *out, size_t *len_out)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		uint8_t byte = text.data[i];

		if (byte == '%' && i + 2 < text.len &&
		    hex_digit(text.data[i + 1]) >= 0 &&
		    hex_digit(text.data[i + 2]) >= 0) {
			byte = (uint8_t)(hex_digit(text.data[i + 1]) * 16 +
					 hex_digit(text.data[i + 2]));
			if (byte == '\0' || byte == '/')
				return false;
			i += 2;
		} else if (byte == '\0') {
			return false;
		}
		out[n++] = byte;
	}
	*len_out = n;
	return utf8_valid(span_of(out, n));
}

/* Resolves . and .. segments of an absolute path, in place. Empty segments
 * stay; .. at the root is dropped, as in a URL. */
static size_t
resolve_dots(uint8_t *path, size_t len, size_t root)
{
	size_t n = root, i = root;

	while (i < len) {
		size_t end = find_byte(span_of(path, len), i, '/');
		size_t part = end - i;
		bool last = end == len;

		if (part == 1 && path[i] == '.') {
			/* stays where it is */
		} else if (part == 2 && path[i] == '.' && path[i + 1] == '.') {
			if (n > root) {
				n--; /* the slash behind the last segment */
				while (n > root && path[n - 1] != '/')
					n--;
			}
		} else {
			memmove(path + n, path + i, part);
			n += part;
			if (!last)
				path[n++] = '/';
		}
		i = end + 1;
	}
	return n;
}

static bool
is_drive(struct span path)
{
	return path.len >= 2 && isalpha(path.data[0]) && path.data[1] == ':' &&
	       (path.len == 2 || path.data[2] == '/');
}

/* Cuts the host, with its slashes, off what follows "file:"; there may be none.
 * localhost is none. */
static struct span
take_host(struct span *rest)
{
	struct span host = span_of(NULL, 0);

	if (span_starts(*rest, "//")) {
		size_t slash = find_byte(*rest, 2, '/');

		host = span_of(rest->data, slash);
		*rest = span_from(*rest, slash);
		if (host.len == 2 || span_is(host, "//localhost"))
			host.len = 0;
	}
	return host;
}

/* What follows "file:", in all its spellings, as a path; false when it cannot
 * be one. */
static bool
file_url_path(struct arena *arena, struct span rest, struct span *path_out)
{
	struct span host;
	uint8_t *out;
	size_t len, root;

	rest.len = find_byte(rest, 0, '?');
	rest.len = find_byte(rest, 0, '#');
	host = take_host(&rest);
	/* there may be a slash more before it, and behind a drive */
	out = arena_bump(arena, host.len + 1 + rest.len + 1, 1);
	root = host.len;
	if (host.len > 0)
		memcpy(out, host.data, host.len);
	if (rest.len == 0 || rest.data[0] != '/')
		out[root++] = '/'; /* a path of a file: url is absolute */
	if (!percent_decode(rest, out + root, &len))
		return false;
	len += root;
	root = host.len;
	if (root == 0 && is_drive(span_of(out + 1, len - 1))) {
		out++; /* file:///c:/x is C:/x */
		len--;
		out[0] = (uint8_t)toupper(out[0]);
		root = 2;
		if (len == root)
			out[len++] = '/';
	}
	*path_out = span_of(out, resolve_dots(out, len, root + 1));
	return true;
}

static struct span
without_slashes(struct span folder)
{
	while (folder.len > 0 && folder.data[folder.len - 1] == '/')
		folder.len--;
	return folder;
}

/* What follows the folder in path, its slash included or nothing at all; false
 * when it is not inside. */
static bool
inside(struct span path, struct span folder, struct span *rest_out)
{
	folder = without_slashes(folder);
	if (path.len < folder.len ||
	    !span_equal(span_of(path.data, folder.len), folder))
		return false;
	*rest_out = span_from(path, folder.len);
	return rest_out->len == 0 || rest_out->data[0] == '/';
}

/* The path with a folder of the map replaced; false when it is not in it. */
static bool
map_path(struct arena *arena, struct span path, const struct path_map *map,
	 struct span *out)
{
	struct span to = without_slashes(map->to);
	struct span rest;
	uint8_t *mapped;

	if (map->from.len == 0 || !inside(path, map->from, &rest))
		return false;
	mapped = arena_bump(arena, to.len + rest.len, 1);
	if (to.len > 0)
		memcpy(mapped, to.data, to.len);
	if (rest.len > 0)
		memcpy(mapped + to.len, rest.data, rest.len);
	*out = span_of(mapped, to.len + rest.len);
	return true;
}

static struct span
below_root(struct span path, struct span root)
{
	struct span rest;

	if (root.len == 0 || !inside(path, root, &rest))
		return path;
	/* with // behind the root it would look absolute */
	while (rest.len > 0 && rest.data[0] == '/')
		rest = span_from(rest, 1);
	return rest.len > 0 ? rest : path;
}

/* The length of a scheme and its colon, 0 when there is none. A single letter
 * is a drive. */
static size_t
scheme_length(struct span url)
{
	size_t i = 0;

	if (url.len == 0 || !isalpha(url.data[0]))
		return 0;
	while (i < url.len && (isalnum(url.data[i]) || url.data[i] == '+' ||
			       url.data[i] == '-' || url.data[i] == '.'))
		i++;
	return i > 1 && i < url.len && url.data[i] == ':' ? i + 1 : 0;
}

static bool
starts_with_scheme(struct span url, const char *scheme)
{
	size_t len = strlen(scheme);

	return url.len >= len &&
	       strncasecmp((const char *)url.data, scheme, len) == 0;
}

/* The position behind the last such folder, its slash included, that is a
 * whole segment; 0 when there is none. */
static size_t
behind_folder(struct span path, const char *folder)
{
	const size_t len = strlen(folder);

	for (size_t i = path.len; i >= len; i--) {
		size_t start = i - len;

		if (memcmp(path.data + start, folder, len) == 0 &&
		    (start == 0 || path.data[start - 1] == '/'))
			return i;
	}
	return 0;
}

static size_t
behind_node_modules(struct span path)
{
	return behind_folder(path, "node_modules/");
}

/* The name of a package at the start of path: one segment, two for a scope. */
static struct span
package_name(struct span path)
{
	size_t end = find_byte(path, 0, '/');

	if (path.len > 0 && path.data[0] == '@' && end < path.len)
		end = find_byte(path, end + 1, '/');
	return span_of(path.data, end);
}

/* The version of a package in pnpm's store: node_modules/.pnpm/
 * NAME@VERSION[_peers]/node_modules/NAME, a + for the / of a scope. */
static struct span
pnpm_version(struct span before, struct span name)
{
	static const char store[] = ".pnpm/", modules[] = "/node_modules/";
	const struct span none = span_of(NULL, 0);
	size_t at = behind_folder(before, store);
	struct span folder, version;
	size_t end;

	/* Directly in the store, and it in node_modules: what a package brings
	 * along further down has a version of its own. */
	if (at == 0 || behind_node_modules(
			   span_of(before.data, at - (sizeof(store) - 1))) !=
			   at - (sizeof(store) - 1))
		return none;
	folder = span_from(before, at);
	folder.len = find_byte(folder, 0, '/');
	if (!span_is(span_from(before, at + folder.len), modules))
		return none;
	if (folder.len <= name.len + 1 || folder.data[name.len] != '@')
		return none;
	for (size_t i = 0; i < name.len; i++)
		if (folder.data[i] != name.data[i] &&
		    !(folder.data[i] == '+' && name.data[i] == '/'))
			return none;
	version = span_from(folder, name.len + 1);
	end = find_byte(version, 0, '_');
	version.len = end;
	version.len = find_byte(version, 0, '(');
	return version;
}

static void
find_package(struct arena *arena, struct span path, struct source_file *out)
{
	size_t at = behind_node_modules(path);
	struct span name, version;
	uint8_t *both;

	if (at == 0)
		return;
	out->category = CATEGORY_DEPENDENCY;
	name = package_name(span_from(path, at));
	if (name.len == 0)
		return;
	out->has_package = true;
	version = pnpm_version(span_of(path.data, at), name);
	if (version.len == 0) {
		out->package = name;
		return;
	}
	both = arena_bump(arena, name.len + 1 + version.len, 1);
	memcpy(both, name.data, name.len);
	both[name.len] = '@';
	memcpy(both + name.len + 1, version.data, version.len);
	out->package = span_of(both, name.len + 1 + version.len);
}

static enum category
category_of_scheme(struct span url)
{
	if (span_starts(url, "wasm:"))
		return CATEGORY_WASM;
	for (size_t i = 0;
	     i < sizeof(builtin_schemes) / sizeof(builtin_schemes[0]); i++)
		if (span_starts(url, builtin_schemes[i]))
			return CATEGORY_NODE;
	if (span_starts(url, "native "))
		return CATEGORY_NATIVE;
	if (span_starts(url, "evalmachine."))
		return CATEGORY_EVAL;
	return CATEGORY_USER;
}

void
source_file_of(struct arena *arena, const struct job *job, struct span url,
	       struct source_file *out)
{
	struct span path = url;
	bool is_path = scheme_length(url) == 0;

	*out = (struct source_file){.category = category_of_scheme(url)};
	if (url.len == 0)
		return;
	if (starts_with_scheme(url, "file:")) {
		if (!file_url_path(arena, span_from(url, 5), &path)) {
			if (out->category == CATEGORY_USER)
				find_package(arena, url, out);
			return;
		}
		is_path = out->from_file_url = true;
	}
	out->has_file = true;
	for (uint32_t i = 0; is_path && i < job->path_maps_len; i++)
		if (map_path(arena, path, &job->path_maps[i], &path))
			break;
	if (out->category == CATEGORY_USER)
		find_package(arena, path, out);
	out->file = is_path ? below_root(path, job->project_root) : path;
}
