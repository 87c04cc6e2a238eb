/*
 * The events of the JSON stream, and tokens of every length.
 */
#include "tests/unit/worker/stream_samples.h"

Test(stream, tells_each_value_with_its_offset_and_path)
{
	expect_log("{\"a\":[1,true,false,null,\"x\"],\"b\":{\"c\":-2.5e3}}",
		   "{  0 $\n"
		   "key a 1 $.a\n"
		   "[  5 $.a\n"
		   "number 1 6 $.a[0]\n"
		   "true  8 $.a[1]\n"
		   "false  13 $.a[2]\n"
		   "null  19 $.a[3]\n"
		   "string x 24 $.a[4]\n"
		   "]  27 $.a\n"
		   "key b 29 $.b\n"
		   "{  33 $.b\n"
		   "key c 34 $.b.c\n"
		   "number -2.5e3 38 $.b.c\n"
		   "}  44 $.b\n"
		   "}  45 $\n"
		   "OK\n");
}

Test(stream, passes_over_white_space)
{
	expect_log(" \n{ \t\"a\" : \r[ 1 , 2 ] } ", "{  2 $\n"
						    "key a 5 $.a\n"
						    "[  12 $.a\n"
						    "number 1 14 $.a[0]\n"
						    "number 2 18 $.a[1]\n"
						    "]  20 $.a\n"
						    "}  22 $\n"
						    "OK\n");
}

Test(stream, takes_a_scalar_as_the_whole_document)
{
	expect_log("12", "number 12 0 $\nOK\n");
	expect_log(" 12\n", "number 12 1 $\nOK\n");
	expect_log("\"\"", "string  0 $\nOK\n");
	expect_log("null", "null  0 $\nOK\n");
}

Test(stream, takes_empty_and_repeated_keys)
{
	expect_log("{\"\":1,\"\":2}", "{  0 $\n"
				      "key  1 $[\"\"]\n"
				      "number 1 4 $[\"\"]\n"
				      "key  6 $[\"\"]\n"
				      "number 2 9 $[\"\"]\n"
				      "}  10 $\n"
				      "OK\n");
}

Test(stream, skips_whole_values)
{
	expect_log("{\"skip\":1,\"b\":{\"skip\":{\"c\":[[1],{}],\"d\":\"\"},"
		   "\"skip\":[],\"e\":2}}",
		   "{  0 $\n"
		   "key skip 1 $.skip\n"
		   "key b 10 $.b\n"
		   "{  14 $.b\n"
		   "key skip 15 $.b.skip\n"
		   "key skip 44 $.b.skip\n"
		   "key e 54 $.b.e\n"
		   "number 2 58 $.b.e\n"
		   "}  59 $.b\n"
		   "}  60 $\n"
		   "OK\n");
}

Test(stream, unescapes_strings_and_keys)
{
	expect_log(
	    "{\"a\\n\\u00e9\":\"\\\"\\\\\\/\\b\\f\\r\\t\\ud83d\\ude00\"}",
	    "{  0 $\n"
	    "key a\n\xc3\xa9 1 $[\"a\\n\xc3\xa9\"]\n"
	    "string \"\\/\b\f\r\t\xf0\x9f\x98\x80 13 "
	    "$[\"a\\n\xc3\xa9\"]\n"
	    "}  41 $\n"
	    "OK\n");
}

#define FFFD "\xef\xbf\xbd"

Test(stream, mends_unpaired_halves_of_surrogates)
{
	expect_log("[\"\\ud83d\",\"x\\uDC00y\",\"\\ud83d\\ud83d\\ude00\"]",
		   "[  0 $\n"
		   "string " FFFD " 1 $[0]\n"
		   "string x" FFFD "y 10 $[1]\n"
		   "string " FFFD "\xf0\x9f\x98\x80 21 $[2]\n"
		   "]  41 $\n"
		   "OK\n");
	expect_log("[\"\\ude00\\ud83d\",\"\\ud83dA\",\"\\udbff\\udfff\"]",
		   "[  0 $\n"
		   "string " FFFD FFFD " 1 $[0]\n"
		   "string " FFFD "A 16 $[1]\n"
		   "string \xf4\x8f\xbf\xbf 26 $[2]\n"
		   "]  40 $\n"
		   "OK\n");
	expect_log("[\"\\ud83d\\n\",\"\\ud83d\\u0041\",\"\\\\ud83d\"]",
		   "[  0 $\n"
		   "string " FFFD "\n 1 $[0]\n"
		   "string " FFFD "A 12 $[1]\n"
		   "string \\ud83d 27 $[2]\n"
		   "]  36 $\n"
		   "OK\n");
	expect_log("{\"\\ud800\":0}", "{  0 $\n"
				      "key " FFFD " 1 $[\"" FFFD "\"]\n"
				      "number 0 10 $[\"" FFFD "\"]\n"
				      "}  11 $\n"
				      "OK\n");
}

Test(stream, does_not_let_a_million_levels_take_long)
{
	size_t depth = 1000000;
	char *text = filled("", '[', depth, "");
	struct json_cuts cuts = {.size = 4096};
	char *log;
	uint64_t high;

	/* with yajl's own steps of 128 bytes it would copy 4 GB */
	log = json_log_run(span_str(text), cuts, depth, TOKEN, &high);
	cr_assert(strstr(log, "truncated_input 1000000 ") != NULL);
	cr_assert(high < 8 * depth, "%" PRIu64, high);
	free(log);
	free(text);
}

/* One string of many escapes, and what it must become. */
static char *
long_document(size_t count)
{
	char *text = malloc(8 * count + 64);
	size_t len = (size_t)sprintf(text, "{\"a\":[1,\"");

	cr_assert(text != NULL);
	for (size_t i = 0; i < count; i++)
		len += (size_t)sprintf(text + len, "%s",
				       i % 7 == 0   ? "\\ud83d"
				       : i % 3 == 0 ? "\xe2\x82\xac"
						    : "abc\\\\");
	sprintf(text + len, "\",2]}");
	return text;
}

Test(stream, reads_tokens_longer_than_windows_and_chunks)
{
	static const size_t pieces[] = {97, 4096, 65536, 65537, 1000000};
	char *text = long_document(100000);
	struct json_cuts cuts = {0};
	char *whole = json_log_run(span_str(text), cuts, DEPTH, 1 << 20, NULL);

	cr_assert(strstr(whole, "number 2 ") != NULL);
	cr_assert(strstr(whole, "OK\n") != NULL);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		char *log;

		cuts.size = pieces[i];
		log = json_log_run(span_str(text), cuts, DEPTH, 1 << 20, NULL);
		cr_assert(strcmp(log, whole) == 0, "%zu", pieces[i]);
		free(log);
		log = json_log_run(span_str(text), cuts, DEPTH, 200000, NULL);
		cr_assert_str_eq(strstr(log, "LIMIT"),
				 "LIMIT_EXCEEDED  8 $.a[0] 200000\n");
		free(log);
	}
	free(whole);
	free(text);
}

static enum status
stop(void *context, struct span text)
{
	struct json_log *log = context;

	if (!span_is(text, "3"))
		return ST_OK;
	return json_stream_fail(log->stream, RE_DUPLICATE_NODE_ID);
}

Test(stream, ends_when_an_event_says_so)
{
	struct json_events events = json_log_events;
	const char *text = "{\"nodes\":[{\"id\":1},{\"id\":3},{]";

	events.on_number = stop;
	for (size_t piece = 0; piece <= PIECES_MAX; piece++) {
		struct json_cuts cuts = {.size = piece};
		struct json_log log = {0};
		struct arena arena;

		arena_init(&arena, 1 << 20);
		log.out = fopen("/dev/null", "w");
		log.stream = json_stream_new(&arena, &events, &log, DEPTH,
					     TOKEN, 3, &log.failure);
		cr_assert_eq(json_log_feed(&log, span_str(text), cuts),
			     ST_ARTIFACT_PARSE_FAILED);
		cr_assert_eq(log.failure.reason, RE_DUPLICATE_NODE_ID);
		cr_assert_eq(log.failure.offset, 3 + 25);
		cr_assert_str_eq(log.failure.path, "$.nodes[1].id");
		json_stream_free(&log.stream);
		cr_assert_null(log.stream);
		cr_assert_eq(arena.used_bytes, 0);
		arena_fini(&arena);
		fclose(log.out);
	}
}
