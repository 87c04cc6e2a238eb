/*
 * Comma-separated values after RFC 4180, but with "\n" line ends: a line a row
 * and metric, or, wide, a line a row. A spreadsheet takes a cell that begins
 * with = + - @ for a formula, so such text gets a quote in front.
 */
#include "client/render.h"

#include <string.h>

static void
put_cell(struct strbuf *sb, struct span text, const struct csv_style *style)
{
	bool formula = text.len > 0 && text.data[0] != 0 &&
		       strchr("=+-@", text.data[0]) != NULL;
	bool quote = false;

	for (size_t i = 0; i < text.len && !quote; i++)
		quote = text.data[i] != 0 &&
			strchr(",\"\r\n", text.data[i]) != NULL;
	if (quote)
		strbuf_puts(sb, "\"");
	if (formula && !style->raw)
		strbuf_puts(sb, "'");
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '"')
			strbuf_puts(sb, "\"");
		strbuf_put(sb, span_of(text.data + i, 1));
	}
	if (quote)
		strbuf_puts(sb, "\"");
}

/* Strings as text, numbers as they are, anything else empty. */
static void
put_value(struct strbuf *sb, const struct value *value,
	  const struct csv_style *style)
{
	if (value->type == VALUE_NUMBER)
		strbuf_put(sb, value->text);
	else
		put_cell(sb, value_text(value), style);
}

static const char *const row_columns[] = {"frame_id", "function_id", "function",
					  "file",     "line",	     "column",
					  "category", "package"};
#define ROW_COLUMNS (sizeof(row_columns) / sizeof(row_columns[0]))

static void
put_row_cells(struct strbuf *sb, const struct value *result,
	      const struct value *row, const struct csv_style *style)
{
	put_value(sb, value_get(result, "profile_id"), style);
	for (size_t i = 0; i < ROW_COLUMNS; i++) {
		strbuf_puts(sb, ",");
		put_value(sb, value_get(row, row_columns[i]), style);
	}
}

/* "wall.time" to "wall_time". */
static void
put_metric_column(struct strbuf *sb, struct span name, const char *which)
{
	strbuf_puts(sb, ",");
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

		strbuf_put(sb, letter ? span_of(&c, 1) : span_str("_"));
	}
	strbuf_printf(sb, "_%s", which);
}

void
render_csv_header(struct strbuf *sb, const struct value *result,
		  const struct csv_style *style)
{
	const struct value *metrics = value_get(result, "metrics");

	strbuf_puts(sb, "profile_id");
	for (size_t i = 0; i < ROW_COLUMNS; i++)
		strbuf_printf(sb, ",%s", row_columns[i]);
	if (!style->wide)
		strbuf_puts(sb, ",metric,unit,self,inclusive");
	for (const struct value *m = metrics->first; style->wide && m != NULL;
	     m = m->next) {
		struct span name = value_text(value_get(m, "name"));

		put_metric_column(sb, name, "self");
		put_metric_column(sb, name, "inclusive");
	}
	strbuf_puts(sb, "\n");
}

/* The two values of a metric, ",self,inclusive". */
static void
put_pair(struct strbuf *sb, const struct value *row, struct span metric,
	 const struct csv_style *style)
{
	const struct value *v = value_get(row, "values")->first;

	while (v != NULL && !span_equal(v->key, metric))
		v = v->next;
	strbuf_puts(sb, ",");
	if (v != NULL)
		put_value(sb, value_get(v, "self"), style);
	strbuf_puts(sb, ",");
	if (v != NULL)
		put_value(sb, value_get(v, "inclusive"), style);
}

static void
put_row_wide(struct strbuf *sb, const struct value *result,
	     const struct value *row, const struct csv_style *style)
{
	const struct value *m = value_get(result, "metrics")->first;

	put_row_cells(sb, result, row, style);
	for (; m != NULL; m = m->next)
		put_pair(sb, row, value_text(value_get(m, "name")), style);
	strbuf_puts(sb, "\n");
}

static void
put_row_long(struct strbuf *sb, const struct value *result,
	     const struct value *row, const struct csv_style *style)
{
	const struct value *m = value_get(result, "metrics")->first;

	for (; m != NULL; m = m->next) {
		put_row_cells(sb, result, row, style);
		strbuf_puts(sb, ",");
		put_value(sb, value_get(m, "name"), style);
		strbuf_puts(sb, ",");
		put_value(sb, value_get(m, "unit"), style);
		put_pair(sb, row, value_text(value_get(m, "name")), style);
		strbuf_puts(sb, "\n");
	}
}

void
render_csv_rows(struct strbuf *sb, const struct value *result,
		const struct csv_style *style)
{
	const struct value *row = value_get(result, "rows")->first;

	for (; row != NULL; row = row->next) {
		if (style->wide)
			put_row_wide(sb, result, row, style);
		else
			put_row_long(sb, result, row, style);
	}
}
