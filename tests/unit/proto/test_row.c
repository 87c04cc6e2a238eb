/*
 * The rows of an answer (proto/answer.c), one frame of the profile each.
 */
#include <criterion/criterion.h>

#include "proto/answer.h"
#include "proto/frame.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"
#include "tests/unit/proto/golden_answer.h"

/* Where fields lie in a row. */
enum {
	AT_LANGUAGE = 32,
	AT_FRAME_TYPE = 33,
	AT_CATEGORY = 34,
	AT_SYMBOLIZATION = 35,
	AT_FLAGS = 36,
};

/* A row alone, of the golden rows' metrics. */
static bool
reads(struct span bytes)
{
	struct reader r;
	struct row row;

	reader_init(&r, bytes);
	return row_read(&r, GOLDEN_ROW_METRICS, &row) && reader_end(&r);
}

/* Borrowed: until the next call. */
static struct span
written(const struct row *row, unsigned metrics)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	row_write(&w, row, metrics);
	cr_assert_not(w.failed);
	cr_assert_eq(w.len, row_size(row, metrics));
	return span_of(bytes, w.len);
}

static void
assert_row(const struct row *got, const struct row *want)
{
	assert_bytes(span_of(got->frame_id, 16), span_of(want->frame_id, 16));
	assert_bytes(span_of(got->function_id, 16),
		     span_of(want->function_id, 16));
	cr_assert_eq(got->has_function_id, want->has_function_id);
	cr_assert_eq(got->language, want->language);
	cr_assert_eq(got->frame_type, want->frame_type);
	cr_assert_eq(got->category, want->category);
	cr_assert_eq(got->symbolization, want->symbolization);
	assert_bytes(got->function, want->function);
	assert_bytes(got->url, want->url);
	cr_assert_eq(got->has_file, want->has_file);
	cr_assert_eq(got->has_script, want->has_script);
	cr_assert_eq(got->has_package, want->has_package);
	assert_bytes(got->file, want->file);
	assert_bytes(got->script, want->script);
	assert_bytes(got->package, want->package);
	cr_assert_eq(got->line, want->line);
	cr_assert_eq(got->column, want->column);
	cr_assert_eq(got->rank_self, want->rank_self);
	cr_assert_eq(got->rank_inclusive, want->rank_inclusive);
	for (unsigned i = 0; i < GOLDEN_ROW_METRICS; i++) {
		cr_assert_eq(got->self[i], want->self[i]);
		cr_assert_eq(got->inclusive[i], want->inclusive[i]);
	}
}

Test(row, is_written_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_ROWS);
	struct row row;

	writer_put_u16(w, GOLDEN_ROWS);
	for (unsigned i = 0; i < GOLDEN_ROWS; i++) {
		golden_row(i, &row);
		row_write(w, &row, GOLDEN_ROW_METRICS);
	}
	golden_end(w, "ROWS");
}

Test(row, is_read_as_the_golden_bytes_say)
{
	struct frame frame = golden_decoded("ROWS", PARTY_WORKER);
	struct row row, want;
	struct reader r;

	reader_init(&r, frame.payload);
	cr_assert_eq(reader_get_u16(&r), GOLDEN_ROWS);
	for (unsigned i = 0; i < GOLDEN_ROWS; i++) {
		golden_row(i, &want);
		cr_assert(row_read(&r, GOLDEN_ROW_METRICS, &row));
		assert_row(&row, &want);
	}
	cr_assert(reader_end(&r));
}

static void
random_row(struct row *row, uint8_t *room, size_t max)
{
	struct span *texts[] = {&row->function, &row->url, &row->file,
				&row->script, &row->package};

	golden_row((unsigned)dice_below(GOLDEN_ROWS), row);
	row->language = (enum language)dice_below(LANGUAGE_COUNT);
	row->frame_type = (enum frame_type)dice_below(FRAME_TYPE_COUNT);
	row->category = (enum category)dice_below(CATEGORY_COUNT);
	row->symbolization =
	    (enum symbolization)dice_below(SYMBOLIZATION_COUNT);
	row->has_function_id = dice_below(2);
	row->has_file = dice_below(2);
	row->has_script = dice_below(2);
	row->has_package = dice_below(2);
	row->line = (uint32_t)dice();
	row->column = (uint32_t)dice();
	row->rank_self = (uint32_t)dice();
	row->rank_inclusive = (uint32_t)dice();
	for (unsigned i = 0; i < 5; i++)
		*texts[i] = span_of(room, dice_below(max + 1));
	for (unsigned i = 0; i < METRICS_MAX; i++) {
		row->inclusive[i] = dice();
		row->self[i] = row->inclusive[i] >> dice_below(64);
	}
}

Test(row, comes_back_whatever_is_in_it)
{
	static uint8_t first[FRAME_PAYLOAD_MAX], room[6 * KIB];

	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = (uint8_t)dice_below(128);
	for (unsigned i = 0; i < 1000; i++) {
		unsigned metrics = (unsigned)dice_below(METRICS_MAX + 1);
		struct row row, again;
		struct span bytes;
		struct reader r;

		random_row(&row, room, sizeof(room));
		bytes = written(&row, metrics);
		memcpy(first, bytes.data, bytes.len);
		bytes.data = first;
		reader_init(&r, bytes);
		cr_assert(row_read(&r, metrics, &again));
		cr_assert(reader_end(&r));
		assert_bytes(written(&again, metrics), bytes);
	}
}

Test(row, is_refused_when_cut_anywhere_and_with_anything_behind)
{
	struct row row;

	golden_row(0, &row);
	assert_exact(reads, written(&row, GOLDEN_ROW_METRICS));
}

Test(row, is_refused_with_an_enum_beyond_its_last)
{
	static const struct {
		size_t at;
		unsigned count;
	} fields[] = {
	    {AT_LANGUAGE, LANGUAGE_COUNT},
	    {AT_FRAME_TYPE, FRAME_TYPE_COUNT},
	    {AT_CATEGORY, CATEGORY_COUNT},
	    {AT_SYMBOLIZATION, SYMBOLIZATION_COUNT},
	    {AT_FLAGS, 16},
	};
	struct row row;
	struct span bytes;

	golden_row(0, &row);
	bytes = written(&row, GOLDEN_ROW_METRICS);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		for (unsigned v = fields[i].count; v < 256; v++)
			assert_refused(reads, bytes, fields[i].at, (uint8_t)v);
	for (size_t at = AT_FLAGS + 1; at < AT_FLAGS + 4; at++)
		for (unsigned v = 1; v < 256; v++)
			assert_refused(reads, bytes, at, (uint8_t)v);
}

Test(row, is_refused_when_self_is_more_than_inclusive)
{
	struct row row;

	golden_row(0, &row);
	row.self[1] = row.inclusive[1];
	cr_assert(reads(written(&row, GOLDEN_ROW_METRICS)));
	row.self[1] = row.inclusive[1] + 1;
	cr_assert_not(reads(written(&row, GOLDEN_ROW_METRICS)));
}

Test(row, is_refused_with_a_string_beyond_the_highest_limit)
{
	static uint8_t text[6 * KIB + 1];
	size_t max = limit_ceiling(LIMIT_MAX_STRING_BYTES);

	memset(text, 'x', sizeof(text));
	for (unsigned i = 0; i < 5; i++) {
		struct row row;
		struct span *texts[] = {&row.function, &row.url, &row.file,
					&row.script, &row.package};

		golden_row(0, &row);
		*texts[i] = span_of(text, max);
		cr_assert(reads(written(&row, GOLDEN_ROW_METRICS)));
		*texts[i] = span_of(text, max + 1);
		cr_assert_not(reads(written(&row, GOLDEN_ROW_METRICS)));
		*texts[i] = span_str("\xc3");
		cr_assert_not(reads(written(&row, GOLDEN_ROW_METRICS)));
	}
}

Test(row, of_the_longest_strings_and_most_metrics_fits_a_frame)
{
	static uint8_t text[6 * KIB];
	struct row row;

	memset(text, 'x', sizeof(text));
	golden_row(0, &row);
	row.function = row.url = row.file = row.script = row.package =
	    span_of(text, limit_ceiling(LIMIT_MAX_STRING_BYTES));
	cr_assert_leq(written(&row, METRICS_MAX).len, FRAME_PAYLOAD_MAX - 2);
}

Test(row, of_more_metrics_than_there_may_be_is_refused)
{
	static const uint8_t bytes[4096];
	struct reader r;
	struct row row;

	reader_init(&r, span_of(bytes, sizeof(bytes)));
	cr_assert_not(row_read(&r, METRICS_MAX + 1, &row));
}

Test(row, that_is_refused_leaves_the_output_untouched)
{
	struct row row = {.line = 5};
	struct reader r;

	reader_init(&r, span_of(NULL, 0));
	cr_assert_not(row_read(&r, 0, &row));
	cr_assert_eq(row.line, 5);
}

Test(row, is_larger_in_json_than_its_strings_and_less_than_a_kilobyte_more)
{
	struct row row;
	size_t none, some;

	golden_row(1, &row);
	none = row_json_size(&row, 0, 0);
	row.function = span_str("a\"b\n\x1b");
	some = row_json_size(&row, 0, 0);
	/* two bytes for each short escape, six for \u001b */
	cr_assert_eq(some, none + 2 + 2 + 2 + 6);
	cr_assert_lt(none, 1024);
	cr_assert_eq(row_json_size(&row, 2, 20), some + 20 + 2 * 80);
}
