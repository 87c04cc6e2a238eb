/*
 * PROGRESS, RESULT and ROWS, each written and read in the same order.
 */
#include "proto/answer.h"

#include <assert.h>

#include "proto/json_text.h"

/*
 * The result as JSON but its rows and the job's own texts, at most: 16 metrics
 * with names and units of 64 bytes are under 6 KiB in metrics and other, 16
 * unavailable ones under 3 KiB, a producer of three times 256 control
 * characters 5 KiB, limitations, coverage and limits with all their texts
 * under 5 KiB.
 */
#define JSON_FIXED_BYTES (20 * 1024)

static_assert(LIMITATION_COUNT < 32, "limitations fit their bits");
static_assert(ROW_FIXED_BYTES + 5 * (6 * 1024) +
		      METRICS_MAX * ROW_METRIC_BYTES + 2 <=
		  FRAME_PAYLOAD_MAX,
	      "a row of five longest strings fits a frame");

void
progress_write(struct writer *w, const struct progress *progress)
{
	writer_put_u8(w, (uint8_t)progress->phase);
	writer_put_u64(w, progress->bytes);
	writer_put_u64(w, progress->total);
	writer_put_u64(w, progress->nodes);
	writer_put_u64(w, progress->samples);
}

bool
progress_read(struct span payload, struct progress *progress_out)
{
	struct progress p;
	struct reader r;

	reader_init(&r, payload);
	p.phase = (enum phase)reader_get_below(&r, PHASE_COUNT);
	p.bytes = reader_get_u64(&r);
	p.total = reader_get_u64(&r);
	p.nodes = reader_get_u64(&r);
	p.samples = reader_get_u64(&r);
	if (!reader_end(&r))
		return false;
	*progress_out = p;
	return true;
}

static void
put_maybe(struct writer *w, struct maybe maybe)
{
	writer_put_u8(w, maybe.known);
	writer_put_u64(w, (uint64_t)maybe.value);
}

static struct maybe
get_maybe(struct reader *r)
{
	struct maybe maybe;

	maybe.known = reader_get_bool(r);
	maybe.value = (int64_t)reader_get_u64(r);
	return maybe;
}

/* Names of metrics, units and reasons become JSON and table headings. */
static struct span
get_name(struct reader *r)
{
	struct span name = reader_get_string(r, METRIC_NAME_BYTES_MAX);

	if (name.len == 0)
		r->failed = true;
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.data[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		      c == '_' || c == '.'))
			r->failed = true;
	}
	return name;
}

static void
put_metrics(struct writer *w, const struct answer *a)
{
	writer_put_u8(w, a->metrics_len);
	for (unsigned i = 0; i < a->metrics_len; i++) {
		writer_put_string(w, a->metrics[i].name);
		writer_put_string(w, a->metrics[i].unit);
		writer_put_u64(w, a->metrics[i].total);
		writer_put_u64(w, a->metrics[i].active);
		writer_put_u64(w, a->other_self[i]);
	}
	writer_put_u8(w, a->unavailable_len);
	for (unsigned i = 0; i < a->unavailable_len; i++) {
		writer_put_string(w, a->unavailable[i].metric);
		writer_put_string(w, a->unavailable[i].reason);
	}
}

static void
get_metrics(struct reader *r, struct answer *a)
{
	a->metrics_len = reader_get_below(r, METRICS_MAX + 1);
	for (unsigned i = 0; i < a->metrics_len; i++) {
		struct metric *m = &a->metrics[i];

		m->name = get_name(r);
		m->unit = get_name(r);
		m->total = reader_get_u64(r);
		m->active = reader_get_u64(r);
		a->other_self[i] = reader_get_u64(r);
		if (m->active > m->total || a->other_self[i] > m->total)
			r->failed = true;
	}
	a->unavailable_len = reader_get_below(r, METRICS_MAX + 1);
	for (unsigned i = 0; i < a->unavailable_len; i++) {
		a->unavailable[i].metric = get_name(r);
		a->unavailable[i].reason = get_name(r);
	}
}

void
answer_write(struct writer *w, const struct answer *a)
{
	writer_put_u8(w, (uint8_t)a->format);
	writer_put_u8(w, a->partial);
	writer_put_u8(w, a->has_digest);
	writer_put_bytes(w, a->sha256, sizeof(a->sha256));
	writer_put_bytes(w, a->profile_id, sizeof(a->profile_id));
	writer_put_u8(w, (uint8_t)a->encoding);
	writer_put_u64(w, a->bytes);
	writer_put_u64(w, a->decoded_bytes);
	writer_put_string(w, a->producer_name);
	writer_put_string(w, a->producer_version);
	writer_put_string(w, a->producer_source);
	put_maybe(w, a->start_us);
	put_maybe(w, a->end_us);
	put_maybe(w, a->duration_us);
	put_maybe(w, a->interval_us);
	put_metrics(w, a);
	put_maybe(w, a->nodes);
	put_maybe(w, a->samples);
	put_maybe(w, a->frames);
	put_maybe(w, a->max_depth);
	writer_put_u64(w, a->rows_total);
	writer_put_u64(w, a->rows_returned);
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		writer_put_u64(w, a->coverage[i]);
	writer_put_u32(w, a->limitations);
}

static void
get_bytes(struct reader *r, uint8_t *out, size_t len)
{
	struct span bytes = reader_get_bytes(r, len);

	if (bytes.len > 0)
		memcpy(out, bytes.data, bytes.len);
}

bool
answer_read(struct span payload, struct answer *answer_out)
{
	struct answer a = {0};
	struct reader r;

	reader_init(&r, payload);
	a.format = (enum format)reader_get_below(&r, FORMAT_COUNT);
	a.partial = reader_get_bool(&r);
	a.has_digest = reader_get_bool(&r);
	get_bytes(&r, a.sha256, sizeof(a.sha256));
	get_bytes(&r, a.profile_id, sizeof(a.profile_id));
	a.encoding = (enum encoding)reader_get_below(&r, ENCODING_COUNT);
	a.bytes = reader_get_u64(&r);
	a.decoded_bytes = reader_get_u64(&r);
	a.producer_name = reader_get_string(&r, PRODUCER_BYTES_MAX);
	a.producer_version = reader_get_string(&r, PRODUCER_BYTES_MAX);
	a.producer_source = reader_get_string(&r, PRODUCER_BYTES_MAX);
	a.start_us = get_maybe(&r);
	a.end_us = get_maybe(&r);
	a.duration_us = get_maybe(&r);
	a.interval_us = get_maybe(&r);
	get_metrics(&r, &a);
	a.nodes = get_maybe(&r);
	a.samples = get_maybe(&r);
	a.frames = get_maybe(&r);
	a.max_depth = get_maybe(&r);
	a.rows_total = reader_get_u64(&r);
	a.rows_returned = reader_get_u64(&r);
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		a.coverage[i] = reader_get_u64(&r);
	a.limitations = reader_get_u32(&r);
	if (!reader_end(&r) || a.format == FORMAT_ANY ||
	    a.rows_returned > a.rows_total ||
	    a.limitations >> LIMITATION_COUNT != 0)
		return false;
	*answer_out = a;
	return true;
}

/* Which of a row's optional parts are there. */
enum row_flag {
	ROW_HAS_FUNCTION_ID = 1,
	ROW_HAS_FILE = 2,
	ROW_HAS_SCRIPT = 4,
	ROW_HAS_PACKAGE = 8,
	ROW_FLAGS = 15,
};

static uint32_t
row_flags(const struct row *row)
{
	return (row->has_function_id ? ROW_HAS_FUNCTION_ID : 0U) |
	       (row->has_file ? ROW_HAS_FILE : 0U) |
	       (row->has_script ? ROW_HAS_SCRIPT : 0U) |
	       (row->has_package ? ROW_HAS_PACKAGE : 0U);
}

void
row_write(struct writer *w, const struct row *row, unsigned metrics)
{
	writer_put_bytes(w, row->frame_id, FRAME_ID_BYTES);
	writer_put_bytes(w, row->function_id, FRAME_ID_BYTES);
	writer_put_u8(w, (uint8_t)row->language);
	writer_put_u8(w, (uint8_t)row->frame_type);
	writer_put_u8(w, (uint8_t)row->category);
	writer_put_u8(w, (uint8_t)row->symbolization);
	writer_put_u32(w, row_flags(row));
	writer_put_u32(w, row->line);
	writer_put_u32(w, row->column);
	writer_put_u32(w, row->rank_self);
	writer_put_u32(w, row->rank_inclusive);
	writer_put_string(w, row->function);
	writer_put_string(w, row->url);
	writer_put_string(w, row->file);
	writer_put_string(w, row->script);
	writer_put_string(w, row->package);
	for (unsigned i = 0; i < metrics; i++) {
		writer_put_u64(w, row->self[i]);
		writer_put_u64(w, row->inclusive[i]);
	}
}

bool
row_read(struct reader *r, unsigned metrics, struct row *row_out)
{
	struct row row = {0};
	size_t max = limit_ceiling(LIMIT_MAX_STRING_BYTES);
	uint32_t flags;

	if (metrics > METRICS_MAX)
		return false;
	get_bytes(r, row.frame_id, FRAME_ID_BYTES);
	get_bytes(r, row.function_id, FRAME_ID_BYTES);
	row.language = (enum language)reader_get_below(r, LANGUAGE_COUNT);
	row.frame_type = (enum frame_type)reader_get_below(r, FRAME_TYPE_COUNT);
	row.category = (enum category)reader_get_below(r, CATEGORY_COUNT);
	row.symbolization =
	    (enum symbolization)reader_get_below(r, SYMBOLIZATION_COUNT);
	flags = reader_get_u32(r);
	row.has_function_id = (flags & ROW_HAS_FUNCTION_ID) != 0;
	row.has_file = (flags & ROW_HAS_FILE) != 0;
	row.has_script = (flags & ROW_HAS_SCRIPT) != 0;
	row.has_package = (flags & ROW_HAS_PACKAGE) != 0;
	row.line = reader_get_u32(r);
	row.column = reader_get_u32(r);
	row.rank_self = reader_get_u32(r);
	row.rank_inclusive = reader_get_u32(r);
	row.function = reader_get_string(r, max);
	row.url = reader_get_string(r, max);
	row.file = reader_get_string(r, max);
	row.script = reader_get_string(r, max);
	row.package = reader_get_string(r, max);
	for (unsigned i = 0; i < metrics; i++) {
		row.self[i] = reader_get_u64(r);
		row.inclusive[i] = reader_get_u64(r);
		if (row.self[i] > row.inclusive[i])
			r->failed = true;
	}
	if (r->failed || (flags & ~(uint32_t)ROW_FLAGS) != 0)
		return false;
	*row_out = row;
	return true;
}

size_t
row_size(const struct row *row, unsigned metrics)
{
	return ROW_FIXED_BYTES + row->function.len + row->url.len +
	       row->file.len + row->script.len + row->package.len +
	       (size_t)metrics * ROW_METRIC_BYTES;
}

size_t
answer_json_size(const struct job *job)
{
	size_t size = JSON_FIXED_BYTES + json_text_size(job->name) +
		      json_text_size(job->project_root);

	for (uint32_t i = 0; i < job->path_maps_len; i++)
		size += json_text_size(job->path_maps[i].from) +
			json_text_size(job->path_maps[i].to) + 4;
	return size;
}

size_t
row_json_size(const struct row *row, unsigned metrics, size_t metric_names)
{
	/* Keys, ids, the longest names and numbers of the fixed part: under
	 * 560 bytes; a metric: its name, quotes, two keys, two numbers. */
	return 640 + json_text_size(row->function) + json_text_size(row->url) +
	       json_text_size(row->file) + json_text_size(row->script) +
	       json_text_size(row->package) + metric_names +
	       (size_t)metrics * 80;
}
