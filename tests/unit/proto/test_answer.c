/*
 * PROGRESS, RESULT and ROWS, which the front reads as hostile input.
 */
#include <criterion/criterion.h>

#include "proto/answer.h"
#include "proto/frame.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"
#include "tests/unit/proto/golden_answer.h"

static bool
reads(struct span bytes)
{
	struct answer answer;

	return answer_read(bytes, &answer);
}

/* Borrowed: until the next call. */
static struct span
written(const struct answer *answer)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	answer_write(&w, answer);
	cr_assert_not(w.failed);
	return span_of(bytes, w.len);
}

/* As RESULT's last fields are: limitations end it, coverage is before them. */
#define FROM_END_OF_COVERAGE 4

static struct maybe
random_maybe(void)
{
	return (struct maybe){.known = dice_below(2), .value = (int64_t)dice()};
}

static struct span
random_name(void)
{
	static const char *const names[] = {"a", "cpu.samples", "x_9",
					    "wall.time"};

	return span_str(names[dice_below(4)]);
}

static void
random_answer(struct answer *a)
{
	golden_answer(a);
	a->format = (enum format)(1 + dice_below(FORMAT_COUNT - 1));
	a->partial = dice_below(2);
	a->has_digest = dice_below(2);
	a->encoding = (enum encoding)dice_below(ENCODING_COUNT);
	a->bytes = dice();
	a->decoded_bytes = dice();
	a->producer_name = random_name();
	a->start_us = random_maybe();
	a->end_us = random_maybe();
	a->duration_us = random_maybe();
	a->interval_us = random_maybe();
	a->metrics_len = (uint8_t)dice_below(METRICS_MAX + 1);
	for (unsigned i = 0; i < a->metrics_len; i++) {
		a->metrics[i] =
		    (struct metric){random_name(), random_name(), dice(), 0};
		a->metrics[i].active = a->metrics[i].total >> dice_below(64);
		a->other_self[i] = a->metrics[i].total >> dice_below(64);
	}
	a->unavailable_len = (uint8_t)dice_below(METRICS_MAX + 1);
	for (unsigned i = 0; i < a->unavailable_len; i++)
		a->unavailable[i] =
		    (struct unavailable){random_name(), random_name()};
	a->nodes = random_maybe();
	a->samples = random_maybe();
	a->frames = random_maybe();
	a->max_depth = random_maybe();
	a->rows_total = dice();
	a->rows_returned = a->rows_total >> dice_below(64);
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		a->coverage[i] = dice();
	a->limitations = (uint32_t)dice_below(1U << LIMITATION_COUNT);
}

Test(answer, is_written_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_RESULT);
	struct answer a;

	golden_answer(&a);
	answer_write(w, &a);
	golden_end(w, "RESULT");
}

Test(answer, is_read_as_the_golden_bytes_say)
{
	struct frame frame = golden_decoded("RESULT", PARTY_WORKER);
	struct answer a, want;

	golden_answer(&want);
	cr_assert(answer_read(frame.payload, &a));
	cr_assert_eq(a.format, want.format);
	cr_assert(a.partial);
	cr_assert(a.has_digest);
	assert_bytes(span_of(a.sha256, 32), span_of(golden_digest, 32));
	assert_bytes(span_of(a.profile_id, 16), span_of(golden_ticket, 16));
	cr_assert_eq(a.encoding, ENCODING_ZSTD);
	cr_assert_eq(a.bytes, 1234);
	cr_assert_eq(a.decoded_bytes, 5678);
	assert_bytes(a.producer_name, want.producer_name);
	assert_bytes(a.producer_version, want.producer_version);
	assert_bytes(a.producer_source, want.producer_source);
	cr_assert(a.start_us.known && a.end_us.known && a.duration_us.known);
	cr_assert_eq(a.start_us.value, want.start_us.value);
	cr_assert_eq(a.end_us.value, want.end_us.value);
	cr_assert_eq(a.duration_us.value, want.duration_us.value);
	cr_assert_not(a.interval_us.known);
	cr_assert_eq(a.nodes.value, 12);
	cr_assert_eq(a.samples.value, 15);
	cr_assert_eq(a.frames.value, 9);
	cr_assert_eq(a.max_depth.value, -7);
	cr_assert_eq(a.rows_total, 9);
	cr_assert_eq(a.rows_returned, 1);
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		cr_assert_eq(a.coverage[i], 100 + i);
	cr_assert_eq(a.limitations, want.limitations);
}

Test(answer, metrics_are_read_as_the_golden_bytes_say)
{
	struct frame frame = golden_decoded("RESULT", PARTY_WORKER);
	struct answer a, want;

	golden_answer(&want);
	cr_assert(answer_read(frame.payload, &a));
	cr_assert_eq(a.metrics_len, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_bytes(a.metrics[i].name, want.metrics[i].name);
		assert_bytes(a.metrics[i].unit, want.metrics[i].unit);
		cr_assert_eq(a.metrics[i].total, want.metrics[i].total);
		cr_assert_eq(a.metrics[i].active, want.metrics[i].active);
		cr_assert_eq(a.other_self[i], want.other_self[i]);
	}
	cr_assert_eq(a.unavailable_len, 1);
	assert_bytes(a.unavailable[0].metric, want.unavailable[0].metric);
	assert_bytes(a.unavailable[0].reason, want.unavailable[0].reason);
}

Test(answer, comes_back_whatever_is_in_it)
{
	static uint8_t first[FRAME_PAYLOAD_MAX];

	for (unsigned i = 0; i < 2000; i++) {
		struct answer a, again;
		struct span bytes;

		random_answer(&a);
		bytes = written(&a);
		memcpy(first, bytes.data, bytes.len);
		bytes.data = first;
		cr_assert(answer_read(bytes, &again));
		assert_bytes(written(&again), bytes);
	}
}

Test(answer, is_refused_when_cut_anywhere_and_with_anything_behind)
{
	struct answer a;

	golden_answer(&a);
	assert_exact(reads, written(&a));
}

Test(answer, is_refused_with_an_enum_or_a_bool_beyond_its_last)
{
	struct answer a;
	struct span bytes;

	golden_answer(&a);
	bytes = written(&a);
	assert_refused(reads, bytes, 0, FORMAT_ANY);
	for (unsigned v = FORMAT_COUNT; v < 256; v++)
		assert_refused(reads, bytes, 0, (uint8_t)v);
	for (unsigned v = 2; v < 256; v++) {
		assert_refused(reads, bytes, 1, (uint8_t)v);
		assert_refused(reads, bytes, 2, (uint8_t)v);
	}
	for (unsigned v = ENCODING_COUNT; v < 256; v++)
		assert_refused(reads, bytes, 3 + 32 + 16, (uint8_t)v);
}

Test(answer, is_refused_with_a_limitation_that_is_not_known)
{
	struct answer a;

	golden_answer(&a);
	for (unsigned bit = 0; bit < 32; bit++) {
		a.limitations = 1U << bit;
		cr_assert_eq(reads(written(&a)), bit < LIMITATION_COUNT);
	}
}

Test(answer, is_refused_when_a_part_is_more_than_the_total)
{
	struct answer a;

	golden_answer(&a);
	a.metrics[1].active = a.metrics[1].total + 1;
	cr_assert_not(reads(written(&a)));
	golden_answer(&a);
	a.other_self[0] = a.metrics[0].total + 1;
	cr_assert_not(reads(written(&a)));
	golden_answer(&a);
	a.rows_returned = a.rows_total + 1;
	cr_assert_not(reads(written(&a)));
}

Test(answer, is_refused_with_a_name_that_does_not_look_like_one)
{
	static const char *const bad[] = {"",	 "A",	     "a b",
					  "a\"", "\xc3\xa9", "a-b"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct answer a;

		golden_answer(&a);
		a.metrics[1].name = span_str(bad[i]);
		cr_assert_not(reads(written(&a)), "%s", bad[i]);
		golden_answer(&a);
		a.metrics[0].unit = span_str(bad[i]);
		cr_assert_not(reads(written(&a)), "%s", bad[i]);
		golden_answer(&a);
		a.unavailable[0].metric = span_str(bad[i]);
		cr_assert_not(reads(written(&a)), "%s", bad[i]);
		golden_answer(&a);
		a.unavailable[0].reason = span_str(bad[i]);
		cr_assert_not(reads(written(&a)), "%s", bad[i]);
	}
}

Test(answer, is_refused_with_a_text_beyond_its_cap)
{
	static uint8_t text[PRODUCER_BYTES_MAX + 1];
	struct answer a;

	memset(text, 'x', sizeof(text));
	golden_answer(&a);
	a.producer_name = span_of(text, PRODUCER_BYTES_MAX);
	cr_assert(reads(written(&a)));
	a.producer_name = span_of(text, PRODUCER_BYTES_MAX + 1);
	cr_assert_not(reads(written(&a)));
	golden_answer(&a);
	a.metrics[0].name = span_of(text, METRIC_NAME_BYTES_MAX + 1);
	cr_assert_not(reads(written(&a)));
}

Test(answer, is_refused_with_too_many_metrics)
{
	struct answer a;
	size_t at;

	golden_answer(&a);
	a.metrics_len = 0;
	a.unavailable_len = 0;
	/* both counts stand before four numbers, two more, coverage, bits */
	at = written(&a).len - FROM_END_OF_COVERAGE - 8 * COVERAGE_COUNT - 16 -
	     4 * 9 - 2;
	cr_assert(reads(written(&a)));
	assert_refused(reads, written(&a), at, METRICS_MAX + 1);
	assert_refused(reads, written(&a), at + 1, METRICS_MAX + 1);
}

Test(answer, the_largest_fits_a_frame)
{
	static uint8_t text[PRODUCER_BYTES_MAX];
	struct span name = span_of(text, METRIC_NAME_BYTES_MAX);
	struct answer a;

	memset(text, 'x', sizeof(text));
	golden_answer(&a);
	a.producer_name = a.producer_version = a.producer_source =
	    span_of(text, sizeof(text));
	a.metrics_len = a.unavailable_len = METRICS_MAX;
	for (unsigned i = 0; i < METRICS_MAX; i++) {
		a.metrics[i] = (struct metric){name, name, 1, 1};
		a.unavailable[i] = (struct unavailable){name, name};
		a.other_self[i] = 1;
	}
	cr_assert(reads(written(&a)));
}

static bool
progress_reads(struct span bytes)
{
	struct progress progress;

	return progress_read(bytes, &progress);
}

Test(progress, is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_PROGRESS);
	struct progress p = {.phase = PHASE_TIMING,
			     .bytes = UINT64_C(1) << 40,
			     .total = UINT64_C(1) << 41,
			     .nodes = 123456,
			     .samples = UINT64_MAX - 1};
	struct progress got;

	progress_write(w, &p);
	golden_end(w, "PROGRESS");
	cr_assert(
	    progress_read(golden_decoded("PROGRESS", PARTY_WORKER).payload,
			  &got));
	cr_assert_eq(got.phase, p.phase);
	cr_assert_eq(got.bytes, p.bytes);
	cr_assert_eq(got.total, p.total);
	cr_assert_eq(got.nodes, p.nodes);
	cr_assert_eq(got.samples, p.samples);
}

Test(progress, is_refused_when_cut_longer_or_of_an_unknown_phase)
{
	struct span payload = golden_decoded("PROGRESS", PARTY_WORKER).payload;

	assert_exact(progress_reads, payload);
	for (unsigned v = PHASE_COUNT; v < 256; v++)
		assert_refused(progress_reads, payload, 0, (uint8_t)v);
}
