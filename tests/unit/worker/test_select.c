/*
 * Which frames are listed: by turns or by one key, at most so many, and as far
 * as the reply has room.
 */
#include "proto/json_text.h"
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"
#include "worker/profile/order.h"

#define NODE(id, name, hits)                                     \
	"{\"id\":" id ",\"callFrame\":{\"functionName\":\"" name \
	"\",\"url\":\"x.js\"},\"hitCount\":" hits
/*
 * r → a → b → c and r → d. By self a 10, c 9, d 5, b 1, r 0; by inclusive
 * value r 25, a 20, b 10, c 9, d 5.
 */
#define PROFILE                                                                                                     \
	"{\"nodes\":[" NODE("1", "r", "0") ",\"children\":[2,5]}," NODE("2", "a", "10") ",\"children\":[3]}," NODE( \
	    "3", "b",                                                                                               \
	    "1") ",\"children\":[4]}," NODE("4", "c",                                                               \
					    "9") "}," NODE("5", "d",                                                \
							   "5") "}],\"samples\":[5]}"

/* The functions of the listed rows, in their order; the rest is other. */
static void
expect_rows(const struct job *job, const char *want, uint64_t other)
{
	struct extracted e = extract_good(PROFILE, job);
	char got[16] = "";

	for (uint64_t i = 0; i < e.rows_len; i++)
		strncat(got, (const char *)e.rows[i].function.data, 1);
	cr_assert_str_eq(got, want, "%s", got);
	cr_assert_eq(e.answer.other_self[0], other);
	cr_assert_eq(e.answer.rows_total, 5);
	cr_assert_not(has_limitation(&e, LIMITATION_ROWS_CUT));
	extracted_free(&e);
}

static struct job
job_of(uint32_t rows, enum sort_by sort_by, const char *metric)
{
	struct job job;

	job_init(&job);
	job.rows = rows;
	job.sort_by = sort_by;
	job.sort_metric = span_str(metric);
	return job;
}

Test(select, takes_the_heaviest_by_self_and_by_inclusive_value_in_turn)
{
	static const struct {
		uint32_t rows;
		const char *want;
		uint64_t other;
	} cases[] = {
	    {0, "", 25},    {1, "a", 15},    {2, "ar", 15},   {3, "acr", 6},
	    {4, "acdr", 1}, {5, "acdbr", 0}, {6, "acdbr", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct job job =
		    job_of(cases[i].rows, SORT_TAKE_TURNS, "cpu.hit_count");

		expect_rows(&job, cases[i].want, cases[i].other);
	}
}

/* With millions of frames each pass takes its time. */
Test(select, tells_progress_before_each_pass_over_the_frames)
{
	struct extracted e = extract_good(PROFILE, NULL);

	cr_assert_geq(e.selecting, 2 * ORDER_PASSES - ORDER_ID_PASSES);
	extracted_free(&e);
}

Test(select, counts_only_the_key_that_was_asked_for)
{
	struct job job = job_of(3, SORT_SELF, "cpu.hit_count");

	expect_rows(&job, "acd", 1);
	job.sort_by = SORT_INCLUSIVE;
	expect_rows(&job, "rab", 14);
}

/* One sample, at d: it and r have all of it, the rest have nothing. */
Test(select, ranks_by_samples_where_there_is_no_time)
{
	struct job job = job_of(2, SORT_TAKE_TURNS, "");
	struct extracted e = extract_good(PROFILE, &job);

	cr_assert(row_of(&e, "d") != NULL && e.rows[0].rank_self == 1);
	extracted_free(&e);
}

Test(select, tells_both_ranks_of_each_row)
{
	struct job job = job_of(5, SORT_TAKE_TURNS, "cpu.hit_count");
	struct extracted e = extract_good(PROFILE, &job);

	cr_assert_eq(row_of(&e, "a")->rank_self, 1);
	cr_assert_eq(row_of(&e, "a")->rank_inclusive, 2);
	cr_assert_eq(row_of(&e, "r")->rank_self, 5);
	cr_assert_eq(row_of(&e, "r")->rank_inclusive, 1);
	cr_assert_eq(row_of(&e, "b")->rank_self, 4);
	cr_assert_eq(row_of(&e, "b")->rank_inclusive, 3);
	extracted_free(&e);
}

Test(select, refuses_to_sort_by_a_metric_that_is_not_there)
{
	struct job job = job_of(3, SORT_SELF, "wall.time");
	char *text = extract_pieces(span_str(PROFILE), &job);

	cr_assert_not_null(strstr(text, "INVALID_REQUEST no_such_metric"));
	cr_assert_not_null(strstr(text, "no metric wall.time to sort by"));
	free(text);
}

Test(select, ranks_ties_by_frame_id_wherever_they_stand_in_the_file)
{
	struct extracted e;
	const uint8_t *before = NULL;
	char *json, *turned, *a, *b;
	struct job job;

	job_init(&job);
	job.digest = false;
	json = text_of(
	    "{\"nodes\":[" NODE("9", "r",
				"1") ",\"children\":[1,2,3]},%s},%s},%s}]}",
	    NODE("1", "a", "1"), NODE("2", "b", "1"), NODE("3", "c", "1"));
	turned = text_of("{\"nodes\":[%s},%s},%s}," NODE(
			     "9", "r", "1") ",\"children\":[1,2,3]}]}",
			 NODE("3", "c", "1"), NODE("1", "b", "1"),
			 NODE("2", "a", "1"));
	a = extract_pieces(span_str(json), &job);
	b = extract_pieces(span_str(turned), &job);
	cr_assert_str_eq(a, b);
	e = extract_good(json, &job);
	for (uint64_t i = 0; i < e.rows_len; i++) {
		cr_assert(before == NULL ||
			  memcmp(before, e.rows[i].frame_id, 16) < 0);
		before = e.rows[i].frame_id;
	}
	extracted_free(&e);
	free(a);
	free(b);
	free(json);
	free(turned);
}

Test(select, ranks_frames_by_id_where_there_is_no_metric)
{
	struct extracted e = extract_good(
	    "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"},"
	    "\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":"
	    "\"b\"}}]}",
	    NULL);

	cr_assert_eq(e.rows_len, 2);
	cr_assert_lt(memcmp(e.rows[0].frame_id, e.rows[1].frame_id, 16), 0);
	extracted_free(&e);
}

/* n functions of 100 bytes and more, each with one hit. */
static char *
long_names(unsigned n, const char *fill)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fprintf(out, "{\"nodes\":[");
	for (unsigned i = 1; i <= n; i++)
		fprintf(out,
			"%s{\"id\":%u,\"callFrame\":{\"functionName\":"
			"\"%s%s%s%s%u\"},\"hitCount\":1%s}",
			i == 1 ? "" : ",", i, fill, fill, fill, fill, i,
			i == 1 ? "" : ",\"parent\":1");
	fprintf(out, "]}");
	fclose(out);
	return text;
}

/* Names of control characters take six bytes each in the reply. */
Test(select, leaves_out_rows_that_the_reply_has_no_room_for)
{
	static const char *const fills[] = {
	    "abcdefghijklmnopqrstuvwxyz",
	    "\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\u0008"};

	for (int i = 0; i < 2; i++) {
		char *json = long_names(300, fills[i]);
		uint64_t bytes = 0;
		struct extracted e;
		struct job job;

		job_init(&job);
		job.limits.of[LIMIT_MAX_RESULT_BYTES] = 64 * KIB;
		extract_bytes(span_str(json),
			      &(struct extract_how){.job = &job}, &e);
		cr_assert_eq(e.status, ST_OK);
		cr_assert_gt(e.rows_len, 20);
		cr_assert_lt(e.rows_len, 300);
		cr_assert_eq(e.answer.rows_total, 300);
		cr_assert_eq(e.answer.other_self[0], 300 - e.rows_len);
		cr_assert(has_limitation(&e, LIMITATION_ROWS_CUT));
		for (uint64_t n = 0; n < e.rows_len; n++)
			bytes += row_json_size(&e.rows[n], 1, 13);
		cr_assert_lt(bytes, 64 * KIB);
		extracted_free(&e);
		free(json);
	}
}

/* 16 bytes: 6 characters of two bytes and the mark of three, since a seventh
 * would be cut in two. */
Test(select, cuts_long_strings_at_a_character_and_says_so)
{
	const char *name = "\xce\xb1\xce\xb2\xce\xb3\xce\xb4\xce\xb5\xce\xb6"
			   "\xce\xb7\xce\xb8\xce\xb9";
	char *json = text_of("{\"nodes\":[{\"id\":1,\"callFrame\":{"
			     "\"functionName\":\"%s\",\"url\":"
			     "\"0123456789abcdef\"}}]}",
			     name);
	struct extracted whole = extract_good(json, NULL), e;
	struct job job;

	job_init(&job);
	job.limits.of[LIMIT_MAX_STRING_BYTES] = 16;
	e = extract_good(json, &job);
	cr_assert(span_is(e.rows[0].function,
			  "\xce\xb1\xce\xb2\xce\xb3\xce\xb4\xce\xb5\xce\xb6"
			  "\xe2\x80\xa6"));
	cr_assert(span_is(e.rows[0].url, "0123456789abcdef"));
	cr_assert_eq(e.answer.coverage[COVERAGE_CUT_STRINGS], 1);
	cr_assert(has_limitation(&e, LIMITATION_STRINGS_CUT));
	cr_assert_arr_eq(e.rows[0].frame_id, whole.rows[0].frame_id,
			 FRAME_ID_BYTES, "ids are of the whole name");
	extracted_free(&e);
	job.rows = 0;
	e = extract_good(json, &job);
	cr_assert_eq(e.answer.coverage[COVERAGE_CUT_STRINGS], 0,
		     "no row is listed");
	cr_assert_not(has_limitation(&e, LIMITATION_STRINGS_CUT));
	extracted_free(&e);
	extracted_free(&whole);
	free(json);
}
