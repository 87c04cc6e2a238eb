/*
 * Writes only the options that were asked for, so that the service's defaults
 * stay the service's.
 */
#include "client/asking.h"

#include <inttypes.h>

#include "proto/utf8.h"

static void
begin(struct strbuf *sb, const char *op, const char *id)
{
	strbuf_puts(sb, "{\"op\":");
	strbuf_json(sb, span_str(op));
	strbuf_puts(sb, ",\"id\":");
	strbuf_json(sb, span_str(id));
}

/* The separator before a member of an object that has `count` so far. */
static void
member(struct strbuf *sb, const char *key, unsigned *count)
{
	strbuf_printf(sb, "%s\"%s\":", (*count)++ > 0 ? "," : "", key);
}

static void
put_text(struct strbuf *sb, const char *key, const char *text, unsigned *count)
{
	if (text == NULL)
		return;
	member(sb, key, count);
	strbuf_json(sb, span_str(text));
}

/* More rows than max_rows usually allows raise it. */
static bool
raises_rows(const struct wishes *wishes)
{
	return wishes->has_rows && !wishes->has_limit[LIMIT_MAX_ROWS] &&
	       wishes->rows > limit_default(LIMIT_MAX_ROWS);
}

static void
put_limits(struct strbuf *sb, const struct wishes *wishes, unsigned *count)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		bool raise = i == LIMIT_MAX_ROWS && raises_rows(wishes);

		if (!wishes->has_limit[i] && !raise)
			continue;
		if (n == 0) {
			member(sb, "limits", count);
			strbuf_puts(sb, "{");
		}
		member(sb, limit_name((enum limit)i), &n);
		strbuf_printf(sb, "%" PRIu64,
			      raise ? wishes->rows : wishes->limits[i]);
	}
	if (n > 0)
		strbuf_puts(sb, "}");
}

static void
put_path_maps(struct strbuf *sb, const struct wishes *wishes, unsigned *count)
{
	if (wishes->path_maps_len == 0)
		return;
	member(sb, "path_map", count);
	for (size_t i = 0; i < wishes->path_maps_len; i++) {
		strbuf_puts(sb, i == 0 ? "[[" : ",[");
		strbuf_json(sb, wishes->path_maps[i].from);
		strbuf_puts(sb, ",");
		strbuf_json(sb, wishes->path_maps[i].to);
		strbuf_puts(sb, "]");
	}
	strbuf_puts(sb, "]");
}

/* A name that is longer than the service takes loses its beginning. */
static struct span
fitting_name(struct span name)
{
	size_t skip;

	if (name.len <= JOB_NAME_BYTES_MAX / 2)
		return name;
	skip = name.len - JOB_NAME_BYTES_MAX / 2;
	while (skip < name.len && (name.data[skip] & 0xc0) == 0x80)
		skip++;
	return span_of(name.data + skip, name.len - skip);
}

void
asking_submit(struct strbuf *sb, const char *id, struct span name,
	      const struct wishes *wishes)
{
	unsigned count = 0;

	begin(sb, "submit", id);
	strbuf_puts(sb, ",\"name\":");
	strbuf_json(sb, fitting_name(name));
	strbuf_puts(sb, ",\"options\":{");
	put_text(sb, "format", wishes->format, &count);
	if (wishes->has_rows) {
		member(sb, "rows", &count);
		strbuf_printf(sb, "%" PRIu64, wishes->rows);
	}
	put_text(sb, "sort", wishes->sort, &count);
	put_limits(sb, wishes, &count);
	put_text(sb, "on_limit", wishes->on_limit, &count);
	put_text(sb, "project_root", wishes->project_root, &count);
	put_path_maps(sb, wishes, &count);
	put_text(sb, "digest", wishes->digest, &count);
	put_text(sb, "sha256", wishes->sha256, &count);
	if (wishes->strict) {
		member(sb, "strict", &count);
		strbuf_puts(sb, "true");
	}
	put_text(sb, "parser", wishes->parser, &count);
	put_text(sb, "class", wishes->class, &count);
	if (wishes->detach) {
		member(sb, "detach", &count);
		strbuf_puts(sb, "true");
	}
	strbuf_puts(sb, "}}");
}

void
asking_result(struct strbuf *sb, const char *id, const char *job, bool wait,
	      bool progress)
{
	begin(sb, "result", id);
	strbuf_puts(sb, ",\"job\":");
	strbuf_json(sb, span_str(job));
	strbuf_printf(sb, ",\"wait\":%s,\"progress\":%s}",
		      wait ? "true" : "false", progress ? "true" : "false");
}

void
asking_job(struct strbuf *sb, const char *op, const char *id, const char *job)
{
	begin(sb, op, id);
	strbuf_puts(sb, ",\"job\":");
	strbuf_json(sb, span_str(job));
	strbuf_puts(sb, "}");
}

void
asking_plain(struct strbuf *sb, const char *op, const char *id)
{
	begin(sb, op, id);
	strbuf_puts(sb, "}");
}
