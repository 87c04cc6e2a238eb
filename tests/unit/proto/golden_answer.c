/*
 * Values only: what the golden bytes are compared with.
 */
#include "tests/unit/proto/golden_answer.h"

#include "tests/unit/proto/golden.h"

void
golden_answer(struct answer *a)
{
	*a = (struct answer){
	    .format = FORMAT_V8_CPUPROFILE,
	    .partial = true,
	    .has_digest = true,
	    .encoding = ENCODING_ZSTD,
	    .bytes = 1234,
	    .decoded_bytes = 5678,
	    .producer_name = span_str("node"),
	    .producer_version = span_str("20.20.2"),
	    .producer_source = span_str("capture_record"),
	    .start_us = {true, 607790378},
	    .end_us = {true, 608255115},
	    .duration_us = {true, 464737},
	    .metrics_len = 2,
	    .metrics = {{span_str("cpu.samples"), span_str("count"), 15, 12},
			{span_str("wall.time"), span_str("microseconds"), 150,
			 120}},
	    .other_self = {3, 30},
	    .unavailable_len = 1,
	    .unavailable = {{span_str("cpu.hit_count"),
			     span_str("no_hit_counts")}},
	    .nodes = {true, 12},
	    .samples = {true, 15},
	    .frames = {true, 9},
	    .max_depth = {true, -7},
	    .rows_total = 9,
	    .rows_returned = 1,
	    .limitations =
		1U << LIMITATION_WALL_NOT_CPU | 1U << LIMITATION_ROWS_CUT,
	};
	memcpy(a->sha256, golden_digest, sizeof(a->sha256));
	memcpy(a->profile_id, golden_ticket, sizeof(a->profile_id));
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		a->coverage[i] = 100 + i;
}

static void
count_from(uint8_t *out, uint8_t first)
{
	for (uint8_t i = 0; i < FRAME_ID_BYTES; i++)
		out[i] = (uint8_t)(first + i);
}

static void
dependency_row(struct row *row)
{
	*row = (struct row){
	    .has_function_id = true,
	    .language = LANGUAGE_JAVASCRIPT,
	    .frame_type = FRAME_TYPE_V8JS,
	    .category = CATEGORY_DEPENDENCY,
	    .symbolization = SYMBOLIZATION_COMPLETE,
	    .function = span_str("parse"),
	    .url = span_str("file:///srv/app/node_modules/x/a.js"),
	    .has_file = true,
	    .file = span_str("node_modules/x/a.js"),
	    .has_package = true,
	    .package = span_str("x"),
	    .line = 12,
	    .column = 3,
	    .rank_self = 1,
	    .rank_inclusive = 2,
	    .self = {8, 80},
	    .inclusive = {10, 100},
	};
	count_from(row->frame_id, 0x10);
	count_from(row->function_id, 0x20);
}

static void
eval_row(struct row *row)
{
	*row = (struct row){
	    .language = LANGUAGE_JAVASCRIPT,
	    .frame_type = FRAME_TYPE_NATIVE,
	    .category = CATEGORY_EVAL,
	    .symbolization = SYMBOLIZATION_PARTIAL,
	    .has_script = true,
	    .script = span_str("83"),
	    .rank_self = 2,
	    .rank_inclusive = 1,
	    .self = {4, 40},
	    .inclusive = {UINT64_MAX, UINT64_C(1) << 40},
	};
	count_from(row->frame_id, 0x30);
}

void
golden_row(unsigned which, struct row *row_out)
{
	if (which == 0)
		dependency_row(row_out);
	else
		eval_row(row_out);
}
