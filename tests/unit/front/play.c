/*
 * Values are chosen by hand, so that golden texts can be too.
 */
#include "tests/unit/front/play.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

void
play_job(struct job *job)
{
	job_init(job);
	job->name = span_str("app.cpuprofile");
}

void
play_answer(struct answer *answer)
{
	*answer = (struct answer){
	    .format = FORMAT_V8_CPUPROFILE,
	    .has_digest = true,
	    .encoding = ENCODING_GZIP,
	    .bytes = 1234,
	    .decoded_bytes = 5678,
	    .producer_name = span_str("node"),
	    .start_us = {true, 607790378},
	    .end_us = {true, 608255115},
	    .duration_us = {true, 464737},
	    .metrics_len = 2,
	    .metrics = {{span_str("cpu.samples"), span_str("count"), 15, 12},
			{span_str("wall.time"), span_str("microseconds"), 150,
			 120}},
	    .unavailable_len = 1,
	    .unavailable = {{span_str("cpu.hit_count"),
			     span_str("no_hit_counts")}},
	    .nodes = {true, 12},
	    .samples = {true, 15},
	    .frames = {true, 3},
	    .rows_total = 3,
	    .rows_returned = 2,
	    .other_self = {3, 30},
	    .coverage = {[COVERAGE_UNRESOLVED_SAMPLES] = 1},
	    .limitations =
		1U << LIMITATION_WALL_NOT_CPU | 1U << LIMITATION_INPUT_CUT,
	};
	for (unsigned i = 0; i < sizeof(answer->sha256); i++)
		answer->sha256[i] = (uint8_t)i;
	for (unsigned i = 0; i < sizeof(answer->profile_id); i++)
		answer->profile_id[i] = (uint8_t)(0xf0 + i);
}

void
play_row(struct row *row, unsigned number)
{
	*row = (struct row){
	    .frame_id = {0xaa, 1},
	    .has_function_id = true,
	    .function_id = {0xbb, 2},
	    .language = LANGUAGE_JAVASCRIPT,
	    .frame_type = FRAME_TYPE_V8JS,
	    .category = CATEGORY_DEPENDENCY,
	    .symbolization = SYMBOLIZATION_COMPLETE,
	    .function = span_str("parse\"\n\xc2\x85\xe2\x82\xac"),
	    .url = span_str("file:///srv/app/node_modules/p/a.js"),
	    .has_file = true,
	    .file = span_str("node_modules/p/a.js"),
	    .has_package = true,
	    .package = span_str("p@1.0.0"),
	    .line = 12,
	    .column = 3,
	    .rank_self = 1,
	    .rank_inclusive = 3,
	    .self = {8, 80},
	    .inclusive = {10, 100},
	};
	if (number == 1)
		*row = (struct row){
		    .frame_id = {0xcc},
		    .frame_type = FRAME_TYPE_NATIVE,
		    .category = CATEGORY_EVAL,
		    .symbolization = SYMBOLIZATION_UNRESOLVED,
		    .has_script = true,
		    .script = span_str("83"),
		    .rank_self = 2,
		    .rank_inclusive = 1,
		    .self = {4, 40},
		    .inclusive = {15, 150},
		};
}

struct span
play_progress(void)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct progress p = {PHASE_TIMING, 500, 1234, 12, 15};
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_PROGRESS, 0);
	progress_write(&w, &p);
	return frame_end(&w);
}

struct span
play_result(const struct answer *answer)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_RESULT, 0);
	answer_write(&w, answer);
	return frame_end(&w);
}

struct span
play_rows(const struct row *rows, unsigned rows_len, unsigned metrics)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_ROWS, 0);
	writer_put_u16(&w, (uint16_t)rows_len);
	for (unsigned i = 0; i < rows_len; i++)
		row_write(&w, &rows[i], metrics);
	return frame_end(&w);
}

struct span
play_done(uint32_t rows)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_DONE, 0);
	writer_put_u32(&w, rows);
	return frame_end(&w);
}

struct span
play_failed(const struct failure *failure)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_FAILED, 0);
	failure_write(&w, failure);
	return frame_end(&w);
}

struct span
play_words(const char *text)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, MSG_LAST_WORDS, 0);
	writer_put_string(&w, span_str(text));
	return frame_end(&w);
}

void
play_all(struct relay *relay)
{
	struct answer answer;
	struct row rows[2];

	play_answer(&answer);
	play_row(&rows[0], 0);
	play_row(&rows[1], 1);
	cr_assert_eq(relay_feed(relay, play_result(&answer)), RELAY_ON_ANSWER);
	cr_assert_eq(relay_feed(relay, play_rows(rows, 2, 2)), RELAY_ON_ANSWER);
	cr_assert_eq(relay_feed(relay, play_done(2)), RELAY_ON_ANSWER);
	cr_assert_eq(relay->state, RELAY_DONE);
}

struct span
play_file(const char *name)
{
	static uint8_t bytes[64 * 1024];
	char path[512];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", EXTRACTD_TESTS_DIR, name);
	f = fopen(path, "rb");
	cr_assert_not_null(f, "%s", path);
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	return span_of(bytes, len);
}
