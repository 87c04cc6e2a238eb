/*
 * What came out of an extraction as text, a fact a line, so that two runs can
 * be compared and a difference can be read.
 */
#ifndef TESTS_SUPPORT_EXTRACTED_TEXT_H
#define TESTS_SUPPORT_EXTRACTED_TEXT_H

#include "tests/support/extracted.h"

static inline void
text_span(FILE *out, const char *what, bool known, struct span text)
{
	if (!known)
		return;
	fprintf(out, " %s=", what);
	if (text.len > 0)
		fwrite(text.data, 1, text.len, out);
}

static inline void
text_maybe(FILE *out, const char *what, struct maybe maybe)
{
	if (maybe.known)
		fprintf(out, " %s=%" PRId64, what, maybe.value);
}

static inline void
text_hex(FILE *out, const char *what, const uint8_t *bytes, size_t len)
{
	fprintf(out, " %s=", what);
	for (size_t i = 0; i < len; i++)
		fprintf(out, "%02x", bytes[i]);
}

static inline void
text_failure(FILE *out, const struct failure *f)
{
	fprintf(out, "%s %s offset=%" PRId64 " path=%s message=%s",
		status_name(f->status), reason_name(f->reason), f->offset,
		f->path, f->message);
	if (f->limit != LIMIT_NONE)
		fprintf(out, " limit=%s actual=%" PRIu64 " max=%" PRIu64,
			limit_name(f->limit), f->actual, f->max);
	fprintf(out, "\n");
}

static inline void
text_answer(FILE *out, const struct answer *a)
{
	fprintf(out,
		"%s partial=%d bytes=%" PRIu64 " decoded=%" PRIu64
		" encoding=%s rows=%" PRIu64 "/%" PRIu64,
		format_info(a->format)->name, a->partial, a->bytes,
		a->decoded_bytes, encoding_name(a->encoding), a->rows_returned,
		a->rows_total);
	text_maybe(out, "start", a->start_us);
	text_maybe(out, "end", a->end_us);
	text_maybe(out, "duration", a->duration_us);
	text_maybe(out, "interval", a->interval_us);
	text_maybe(out, "nodes", a->nodes);
	text_maybe(out, "samples", a->samples);
	text_maybe(out, "frames", a->frames);
	text_maybe(out, "depth", a->max_depth);
	if (a->has_digest)
		text_hex(out, "profile", a->profile_id, FRAME_ID_BYTES);
	fprintf(out, "\n");
	for (unsigned i = 0; i < a->metrics_len; i++) {
		text_span(out, "metric", true, a->metrics[i].name);
		text_span(out, "unit", true, a->metrics[i].unit);
		fprintf(out,
			" total=%" PRIu64 " active=%" PRIu64 " other=%" PRIu64
			"\n",
			a->metrics[i].total, a->metrics[i].active,
			a->other_self[i]);
	}
	for (unsigned i = 0; i < a->unavailable_len; i++) {
		text_span(out, "unavailable", true, a->unavailable[i].metric);
		text_span(out, "reason", true, a->unavailable[i].reason);
		fprintf(out, "\n");
	}
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		if (a->coverage[i] != 0)
			fprintf(out, " %s=%" PRIu64,
				coverage_name((enum coverage)i),
				a->coverage[i]);
	for (unsigned i = 0; i < LIMITATION_COUNT; i++)
		if ((a->limitations >> i & 1) != 0)
			fprintf(out, " %s",
				limitation_name((enum limitation)i));
	fprintf(out, "\n");
}

static inline void
text_row(FILE *out, const struct row *row, unsigned metrics)
{
	text_hex(out, "row", row->frame_id, FRAME_ID_BYTES);
	if (row->has_function_id)
		text_hex(out, "id", row->function_id, FRAME_ID_BYTES);
	text_span(out, "function", true, row->function);
	text_span(out, "url", true, row->url);
	text_span(out, "file", row->has_file, row->file);
	text_span(out, "script", row->has_script, row->script);
	text_span(out, "package", row->has_package, row->package);
	fprintf(out, " %u:%u %s %s %s ranks=%u,%u", row->line, row->column,
		frame_type_name(row->frame_type), category_name(row->category),
		symbolization_name(row->symbolization), row->rank_self,
		row->rank_inclusive);
	for (unsigned i = 0; i < metrics; i++)
		fprintf(out, " %" PRIu64 "/%" PRIu64, row->self[i],
			row->inclusive[i]);
	fprintf(out, "\n");
}

/* To be freed. */
static inline char *
extracted_text(const struct extracted *e)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	BUG_ON(out == NULL);
	if (e->spent) {
		fprintf(out, "memory spent\n");
	} else if (e->status != ST_OK) {
		text_failure(out, &e->failure);
	} else {
		text_answer(out, &e->answer);
		for (uint64_t i = 0; i < e->rows_len; i++)
			text_row(out, &e->rows[i], e->answer.metrics_len);
	}
	fclose(out);
	return text;
}

/* One run from bytes to text; to be freed. */
static inline char *
extract_text(struct span bytes, const struct extract_how *how)
{
	struct extracted e;
	char *text;

	extract_bytes(bytes, how, &e);
	text = extracted_text(&e);
	extracted_free(&e);
	return text;
}

#endif
