/*
 * JSON and JSON lines: cut out of the reply's own bytes, so that numbers and
 * strings stay exactly what the service wrote.
 */
#include "client/render.h"

#include <string.h>

static void
new_line(struct strbuf *sb, size_t depth)
{
	strbuf_puts(sb, "\n");
	strbuf_pad(sb, 2 * depth);
}

/* The bytes of a string literal at the start of text, quotes included. */
static size_t
literal_len(struct span text)
{
	size_t i = 1;

	while (i < text.len && text.data[i] != '"')
		i += text.data[i] == '\\' ? 2 : 1;
	return i < text.len ? i + 1 : text.len;
}

/* Bytes up to the next one that has a meaning for the layout. */
static size_t
plain_len(struct span text)
{
	size_t i = 1;

	while (i < text.len && strchr("{}[],:\" \t\r\n", text.data[i]) == NULL)
		i++;
	return i;
}

static size_t
skip_blanks(struct span text, size_t i)
{
	while (i < text.len && text.data[i] != 0 &&
	       strchr(" \t\r\n", text.data[i]) != NULL)
		i++;
	return i;
}

/* Lays out one token at text.data[i]; returns its length. */
static size_t
put_token(struct strbuf *sb, struct span text, size_t i, size_t *depth)
{
	struct span rest = span_of(text.data + i, text.len - i);
	uint8_t c = rest.data[0];
	size_t after;

	switch (c) {
	case '{':
	case '[':
		after = skip_blanks(text, i + 1);
		strbuf_put(sb, span_of(&c, 1));
		if (after < text.len && text.data[after] == c + 2) {
			strbuf_put(sb, span_of(&text.data[after], 1));
			return after + 1 - i;
		}
		new_line(sb, ++*depth);
		return 1;
	case '}':
	case ']':
		new_line(sb, *depth > 0 ? --*depth : 0);
		strbuf_put(sb, span_of(&c, 1));
		return 1;
	case ',':
		strbuf_puts(sb, ",");
		new_line(sb, *depth);
		return 1;
	case ':':
		strbuf_puts(sb, ": ");
		return 1;
	default:
		after = c == '"' ? literal_len(rest) : plain_len(rest);
		strbuf_put(sb, span_of(rest.data, after));
		return after;
	}
}

void
render_json(struct strbuf *sb, const struct value *object, bool indent)
{
	struct span text = object->raw;
	size_t depth = 0;

	if (!indent)
		strbuf_put(sb, text);
	for (size_t i = 0; indent && i < text.len;) {
		i = skip_blanks(text, i);
		if (i < text.len)
			i += put_token(sb, text, i, &depth);
	}
	strbuf_puts(sb, "\n");
}

static void
put_row_line(struct strbuf *sb, const struct value *row,
	     const struct value *profile_id)
{
	struct span members = row->raw;

	strbuf_puts(sb, "{\"type\":\"row\",\"profile_id\":");
	if (profile_id->raw.len > 0)
		strbuf_put(sb, profile_id->raw);
	else
		strbuf_puts(sb, "null");
	if (row->type == VALUE_MAP && row->first != NULL) {
		strbuf_puts(sb, ",");
		strbuf_put(sb, span_of(members.data + 1, members.len - 1));
	} else {
		strbuf_puts(sb, "}");
	}
	strbuf_puts(sb, "\n");
}

/* All members but the one named `but`, behind a type. */
static void
put_header_line(struct strbuf *sb, const struct value *object, const char *type,
		const char *but)
{
	strbuf_printf(sb, "{\"type\":\"%s\"", type);
	for (const struct value *v = object->first; v != NULL; v = v->next) {
		if (span_is(v->key, but))
			continue;
		strbuf_puts(sb, ",");
		strbuf_json(sb, v->key);
		strbuf_puts(sb, ":");
		strbuf_put(sb, v->raw);
	}
	strbuf_puts(sb, "}\n");
}

void
render_jsonl(struct strbuf *sb, const struct value *result)
{
	const struct value *rows = value_get(result, "rows");
	const struct value *profile_id = value_get(result, "profile_id");

	put_header_line(sb, result, "result", "rows");
	for (const struct value *v = rows->first; v != NULL; v = v->next)
		put_row_line(sb, v, profile_id);
}

void
render_jsonl_error(struct strbuf *sb, const struct value *error)
{
	put_header_line(sb, error, "error", "type");
}
