/*
 * Idle time is known exactly (total less active). The other states of the VM
 * are rows like any; one that is not listed weighs at most as much as the
 * lightest row that is listed for its own weight, and "≤" says so.
 */
#include "client/table_head.h"

#include <inttypes.h>
#include <stdlib.h>

#include "client/escape.h"
#include "client/grab.h"
#include "client/quantity.h"
#include "client/result_view.h"
#include "client/wrap.h"

#define UNKNOWN UINT64_MAX

static void
put_text(struct strbuf *sb, const char *before, const struct value *value)
{
	struct span text = value_text(value);

	if (text.len == 0)
		return;
	strbuf_puts(sb, before);
	escape_put(sb, text, ESCAPE_NAME_CHARS);
}

static void
put_name(struct strbuf *sb, const struct value *result, size_t width)
{
	const struct value *artifact = value_get(result, "artifact");
	const struct value *producer = value_get(result, "producer");
	struct strbuf line = {0};

	escape_put(&line, value_text(value_get(artifact, "name")),
		   ESCAPE_NAME_CHARS);
	put_text(&line, "  ", value_get(result, "format"));
	put_text(&line, "  ", value_get(producer, "name"));
	put_text(&line, " ", value_get(producer, "version"));
	if (span_is(value_text(value_get(result, "status")), "partial"))
		strbuf_puts(&line, "  partial");
	wrap_items(sb, strbuf_span(&line), 2, width);
	strbuf_free(&line);
}

/*
 * The most that a row which is not listed can have by itself: the value of
 * the last row of the unbroken run of ranks from 1. UNKNOWN when there is no
 * such run, 0 when all rows are listed.
 */
static uint64_t
unlisted_bound(const struct value *result, struct span metric)
{
	const struct value *rows = value_get(result, "rows");
	const struct value *sort =
	    value_get(value_get(result, "options"), "sort");
	size_t count = value_count(rows), run = 0;
	uint64_t *by_rank, bound;

	if (value_number(value_get(value_get(result, "other"), "rows")) == 0)
		return 0;
	if (sort->type == VALUE_STRING || count == 0)
		return UNKNOWN;
	by_rank = grab(count * sizeof(*by_rank));
	for (size_t i = 0; i < count; i++)
		by_rank[i] = UNKNOWN;
	for (const struct value *row = rows->first; row != NULL;
	     row = row->next) {
		uint64_t rank = value_number(value_get(row, "rank_self"));

		if (rank >= 1 && rank <= count)
			by_rank[rank - 1] = row_values(row, metric).self;
	}
	while (run < count && by_rank[run] != UNKNOWN)
		run++;
	bound = run > 0 ? by_rank[run - 1] : UNKNOWN;
	free(by_rank);
	return bound;
}

/* The sum of the listed rows of a category. False when there are none. */
static bool
sum_of_category(const struct value *result, const char *category,
		struct span metric, uint64_t *sum_out)
{
	const struct value *rows = value_get(result, "rows");
	bool found = false;

	*sum_out = 0;
	for (const struct value *row = rows->first; row != NULL;
	     row = row->next) {
		if (!span_is(value_text(value_get(row, "category")), category))
			continue;
		*sum_out += row_values(row, metric).self;
		found = true;
	}
	return found;
}

static void
put_state(struct strbuf *sb, const struct value *result, const char *category,
	  const struct metric_view *metric, uint64_t bound)
{
	uint64_t sum;
	bool found = sum_of_category(result, category, metric->name, &sum);

	if (metric->active == 0 || (!found && bound == UNKNOWN))
		return;
	strbuf_printf(sb, "  %s ", category);
	if (!found && bound > 0)
		strbuf_puts(sb, "\xe2\x89\xa4");
	quantity_share(sb, found ? sum : bound, metric->active);
}

static void
put_amount(struct strbuf *sb, const char *before, const struct scale *scale,
	   uint64_t value)
{
	strbuf_puts(sb, before);
	quantity_put(sb, scale, value);
	strbuf_printf(sb, "%s%s", scale->unit[0] != '\0' ? " " : "",
		      scale->unit);
}

static void
put_totals(struct strbuf *sb, const struct value *result, size_t width)
{
	struct strbuf line = {0};
	struct metric_view metric;
	struct scale scale;
	uint64_t bound;

	if (!result_metric(result, &metric)) {
		strbuf_puts(sb, "no metric could be taken from it\n");
		return;
	}
	scale = quantity_scale(metric.unit, metric.total);
	escape_put(&line, metric.name, ESCAPE_NAME_CHARS);
	put_amount(&line, "  total ", &scale, metric.total);
	if (span_is(value_text(value_get(result, "kind")), "sample_profile")) {
		put_amount(&line, "  active ", &scale, metric.active);
		if (metric.total > 0 && metric.active <= metric.total) {
			strbuf_puts(&line, "  idle ");
			quantity_share(&line, metric.total - metric.active,
				       metric.total);
			strbuf_puts(&line, " of total");
		}
		bound = unlisted_bound(result, metric.name);
		put_state(&line, result, "gc", &metric, bound);
		put_state(&line, result, "program", &metric, bound);
	}
	wrap_items(sb, strbuf_span(&line), 2, width);
	strbuf_free(&line);
}

static void
put_counts(struct strbuf *sb, const struct value *result, size_t width)
{
	static const struct {
		const char *key, *one, *many;
	} words[] = {
	    {"nodes", "node", "nodes"},
	    {"samples", "sample", "samples"},
	    {"frames", "frame", "frames"},
	    {"max_depth", "level deep", "levels deep"},
	};
	const struct value *counts = value_get(result, "counts");
	struct strbuf line = {0};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const struct value *count = value_get(counts, words[i].key);
		uint64_t n = value_number(count);

		if (value_is_number(count))
			strbuf_printf(&line, "%s%" PRIu64 " %s",
				      line.len > 0 ? "  " : "", n,
				      n == 1 ? words[i].one : words[i].many);
	}
	if (line.len > 0)
		wrap_items(sb, strbuf_span(&line), 2, width);
	strbuf_free(&line);
}

void
table_head(struct strbuf *sb, const struct value *result, size_t width)
{
	put_name(sb, result, width);
	put_totals(sb, result, width);
	put_counts(sb, result, width);
}
