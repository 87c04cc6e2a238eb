/*
 * The table for people: what the profile is, what its totals are, then a line
 * a frame. Columns are fitted to the width; on a narrow terminal the less
 * telling ones are left out. A mark in a column of its own tells the states
 * of the VM, since a function may bear any name.
 */
#include "client/render.h"

#include <inttypes.h>
#include <stdlib.h>

#include "client/escape.h"
#include "client/grab.h"
#include "client/quantity.h"
#include "client/result_view.h"
#include "client/table_head.h"
#include "client/wrap.h"

#define GAP 2		 /* columns between columns */
#define PLACE_ROOM 30	 /* least for function and location together */
#define FUNCTION_ROOM 16 /* least for the function alone */

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define NORMAL "\033[0m"

enum column {
	COLUMN_SELF,
	COLUMN_SELF_SHARE,
	COLUMN_INCLUSIVE,
	COLUMN_INCLUSIVE_SHARE,
	COLUMN_FUNCTION,
	COLUMN_LOCATION,
	COLUMN_COUNT
};

struct line {
	struct strbuf cells[COLUMN_COUNT];
	uint64_t self;
	size_t position; /* as given */
	bool vm;
};

struct table {
	struct line *lines; /* owned */
	size_t len;
	size_t widths[COLUMN_COUNT]; /* 0: left out */
	bool any_vm;
};

/* What is left out, from wide to narrow. */
static const struct {
	bool shares, inclusive, location;
} layouts[] = {
    {true, true, true},
    {false, true, true},
    {false, true, false},
    {false, false, false},
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static void
put_function(struct strbuf *sb, const struct value *row)
{
	struct span name = value_text(value_get(row, "function"));

	if (name.len == 0)
		strbuf_puts(sb, "(anonymous)");
	else
		escape_put(sb, name, ESCAPE_NAME_CHARS);
}

static void
put_location(struct strbuf *sb, const struct value *row)
{
	const struct value *line = value_get(row, "line");
	struct span place = value_text(value_get(row, "file"));
	struct span script = value_text(value_get(row, "script"));

	if (place.len == 0)
		place = value_text(value_get(row, "url"));
	if (place.len == 0 && script.len > 0) {
		strbuf_puts(sb, "script ");
		place = script;
	}
	if (place.len == 0)
		return;
	escape_put(sb, place, ESCAPE_TEXT_CHARS);
	if (value_is_number(line))
		strbuf_printf(sb, ":%" PRIu64, value_number(line));
}

static void
fill_line(struct line *line, const struct value *row,
	  const struct metric_view *metric, const struct scale *scale)
{
	struct pair values = row_values(row, metric->name);
	struct strbuf *cells = line->cells;

	line->self = values.self;
	line->vm = row_is_vm(row);
	quantity_put(&cells[COLUMN_SELF], scale, values.self);
	quantity_put(&cells[COLUMN_INCLUSIVE], scale, values.inclusive);
	if (span_is(value_text(value_get(row, "category")), "idle")) {
		/* shares are of the time that is not idle */
		strbuf_puts(&cells[COLUMN_SELF_SHARE], "-");
		strbuf_puts(&cells[COLUMN_INCLUSIVE_SHARE], "-");
	} else {
		quantity_share(&cells[COLUMN_SELF_SHARE], values.self,
			       metric->active);
		quantity_share(&cells[COLUMN_INCLUSIVE_SHARE], values.inclusive,
			       metric->active);
	}
	put_function(&cells[COLUMN_FUNCTION], row);
	put_location(&cells[COLUMN_LOCATION], row);
}

static void
fill_titles(struct line *line, const struct scale *scale)
{
	strbuf_printf(&line->cells[COLUMN_SELF], "SELF%s%s",
		      scale->unit[0] != '\0' ? " " : "", scale->unit);
	strbuf_puts(&line->cells[COLUMN_SELF_SHARE], "%");
	strbuf_printf(&line->cells[COLUMN_INCLUSIVE], "INCL%s%s",
		      scale->unit[0] != '\0' ? " " : "", scale->unit);
	strbuf_puts(&line->cells[COLUMN_INCLUSIVE_SHARE], "%");
	strbuf_puts(&line->cells[COLUMN_FUNCTION], "FUNCTION");
	strbuf_puts(&line->cells[COLUMN_LOCATION], "LOCATION");
}

/* Rows that are not listed. */
struct others {
	uint64_t rows, self;
};

/* False when there are none. */
static bool
fill_others(struct line *line, const struct others *others,
	    const struct metric_view *metric, const struct scale *scale)
{
	if (others->rows == 0)
		return false;
	quantity_put(&line->cells[COLUMN_SELF], scale, others->self);
	quantity_share(&line->cells[COLUMN_SELF_SHARE], others->self,
		       metric->active);
	strbuf_printf(&line->cells[COLUMN_FUNCTION],
		      "(%" PRIu64 " more, not listed)", others->rows);
	return true;
}

static int
by_self(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* A line a row that is listed, in the order given; the others are counted. */
static void
fill_rows(struct table *table, const struct value *result, uint64_t most,
	  const struct metric_view *metric, const struct scale *scale,
	  struct others *others)
{
	uint64_t last = result_last_turn(result, most);
	size_t position = 0;

	for (const struct value *row = value_get(result, "rows")->first;
	     row != NULL; row = row->next) {
		struct line *line = &table->lines[table->len];

		if (row_turn(result, row, position++) > last) {
			others->rows++;
			others->self += row_values(row, metric->name).self;
			continue;
		}
		line->position = table->len++;
		fill_line(line, row, metric, scale);
		table->any_vm |= line->vm;
	}
}

/* The title, a line a row, and what is left. Heaviest first, unless the user
 * named an order. */
static void
fill(struct table *table, const struct value *result, uint64_t most,
     const struct metric_view *metric, const struct scale *scale)
{
	const struct value *other = value_get(result, "other");
	const struct value *sort =
	    value_get(value_get(result, "options"), "sort");
	size_t count = value_count(value_get(result, "rows"));
	struct others others = {
	    .rows = value_number(value_get(other, "rows")),
	    .self = row_values(other, metric->name).self,
	};

	table->lines = grab((count + 2) * sizeof(*table->lines));
	fill_titles(&table->lines[table->len++], scale);
	fill_rows(table, result, most, metric, scale, &others);
	if (sort->type != VALUE_STRING)
		qsort(table->lines + 1, table->len - 1, sizeof(*table->lines),
		      by_self);
	if (fill_others(&table->lines[table->len], &others, metric, scale))
		table->len++;
}

/* Columns taken by all but function and location, and by the mark. */
static size_t
numbers_width(const struct table *table, size_t layout)
{
	size_t width = table->widths[COLUMN_SELF] + GAP +
		       table->widths[COLUMN_SELF_SHARE] + GAP + 2;

	if (layouts[layout].inclusive)
		width += table->widths[COLUMN_INCLUSIVE] + GAP;
	if (layouts[layout].shares)
		width += table->widths[COLUMN_INCLUSIVE_SHARE] + GAP;
	return width;
}

static size_t
choose_layout(const struct table *table, size_t width)
{
	size_t layout = 0;

	for (; layout + 1 < LAYOUTS; layout++) {
		size_t taken = numbers_width(table, layout);
		size_t room =
		    layouts[layout].location ? PLACE_ROOM : FUNCTION_ROOM;

		if (width >= taken + room)
			break;
	}
	return layout;
}

/* Function and location share what is left; neither takes more than it needs,
 * nor, when both need more, much more than half. */
static void
share_room(struct table *table, size_t room, bool location)
{
	size_t *function = &table->widths[COLUMN_FUNCTION];
	size_t *place = &table->widths[COLUMN_LOCATION];

	if (!location || *place == 0) {
		*place = 0;
		if (*function > room)
			*function = room;
		return;
	}
	room = room > GAP ? room - GAP : 0;
	if (*function + *place <= room)
		return;
	if (*function < room / 2)
		*place = room - *function;
	else if (*place < room - room / 2)
		*function = room - *place;
	else {
		*function = room / 2;
		*place = room - *function;
	}
}

/* As wide as the widest cell; nothing for locations when there are none. */
static void
measure(struct table *table)
{
	size_t *widths = table->widths;

	for (size_t i = table->len; i-- > 0;) {
		for (unsigned c = 0; c < COLUMN_COUNT; c++) {
			size_t w = escape_width(
			    strbuf_span(&table->lines[i].cells[c]));

			if (i == 0 && c == COLUMN_LOCATION && widths[c] == 0)
				continue;
			if (w > widths[c])
				widths[c] = w;
		}
	}
}

static void
fit(struct table *table, size_t width)
{
	size_t layout, taken;

	measure(table);
	layout = choose_layout(table, width);
	taken = numbers_width(table, layout);
	if (!layouts[layout].inclusive)
		table->widths[COLUMN_INCLUSIVE] = 0;
	if (!layouts[layout].shares)
		table->widths[COLUMN_INCLUSIVE_SHARE] = 0;
	share_room(table, width > taken ? width - taken : 1,
		   layouts[layout].location);
}

static void
put_number(struct strbuf *sb, const struct line *line, enum column column,
	   size_t width)
{
	struct span text = strbuf_span(&line->cells[column]);

	if (width == 0)
		return;
	strbuf_pad(sb, width - escape_width(text));
	strbuf_put(sb, text);
	strbuf_pad(sb, GAP);
}

/* A function without a location may take its room too. */
static void
put_line(struct strbuf *sb, const struct table *table, const struct line *line)
{
	struct span place = strbuf_span(&line->cells[COLUMN_LOCATION]);
	size_t room = table->widths[COLUMN_FUNCTION];
	size_t place_room = table->widths[COLUMN_LOCATION], used;

	for (unsigned c = COLUMN_SELF; c <= COLUMN_INCLUSIVE_SHARE; c++)
		put_number(sb, line, c, table->widths[c]);
	strbuf_puts(sb, line->vm ? "* " : "  ");
	if (place_room > 0 && place.len == 0)
		room += GAP + place_room;
	used = escape_fit(sb, strbuf_span(&line->cells[COLUMN_FUNCTION]), room);
	if (place_room == 0 || place.len == 0)
		return;
	strbuf_pad(sb, room - used + GAP);
	escape_fit_tail(sb, place, place_room);
}

static void
put_lines(struct strbuf *sb, const struct table *table, bool color)
{
	for (size_t i = 0; i < table->len; i++) {
		const struct line *line = &table->lines[i];
		bool styled = color && (i == 0 || line->vm);

		if (styled)
			strbuf_puts(sb, i == 0 ? BOLD : DIM);
		put_line(sb, table, line);
		strbuf_puts(sb, styled ? NORMAL "\n" : "\n");
	}
}

static void
put_notes(struct strbuf *sb, const struct value *result,
	  const struct table *table, size_t width)
{
	const struct value *list = value_get(result, "limitations");

	if (table->any_vm || list->first != NULL)
		strbuf_puts(sb, "\n");
	if (table->any_vm)
		wrap_hang(sb, span_str("* a state of the VM, not a function"),
			  2, width);
	for (const struct value *v = list->first; v != NULL; v = v->next) {
		struct strbuf note = {0};

		strbuf_puts(&note, "note: ");
		escape_put(&note, value_text(value_get(v, "text")),
			   ESCAPE_TEXT_CHARS);
		wrap_hang(sb, strbuf_span(&note), 6, width);
		strbuf_free(&note);
	}
}

void
render_table(struct strbuf *sb, const struct value *result,
	     const struct table_style *style)
{
	struct table table = {0};
	struct metric_view metric;

	table_head(sb, result, style->width);
	if (result_metric(result, &metric) && style->rows > 0 &&
	    value_get(result, "rows")->first != NULL) {
		struct scale scale = quantity_scale(metric.unit, metric.total);

		fill(&table, result, style->rows, &metric, &scale);
		fit(&table, style->width);
		strbuf_puts(sb, "\n");
		put_lines(sb, &table, style->color);
	}
	put_notes(sb, result, &table, style->width);
	for (size_t i = 0; i < table.len; i++)
		for (unsigned c = 0; c < COLUMN_COUNT; c++)
			strbuf_free(&table.lines[i].cells[c]);
	free(table.lines);
}
