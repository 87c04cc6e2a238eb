/*
 * Where and how the JSON stream refuses a document.
 */
#include "tests/unit/worker/stream_samples.h"

Test(stream_error, says_where_a_token_may_not_stand)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
	    {"[1,]", "3 $[0]"},
	    {"[,1]", "1 $"},
	    {"[1,,2]", "3 $[0]"},
	    {"[1 2]", "3 $[0]"},
	    {"[1 \"xyz\"]", "3 $[0]"},
	    {"[1:2]", "2 $[0]"},
	    {"[}", "1 $"},
	    {"[1}", "2 $[0]"},
	    {"{]", "1 $"},
	    {"{,}", "1 $"},
	    {"{1:2}", "1 $"},
	    {"{\"a\"}", "4 $.a"},
	    {"{\"a\" \"b\"}", "5 $.a"},
	    {"{\"a\",1}", "4 $.a"},
	    {"{\"a\":,1}", "5 $.a"},
	    {"{\"a\":}", "5 $.a"},
	    {"{\"a\":1,}", "7 $.a"},
	    {"{\"a\":1,,}", "7 $.a"},
	    {"{\"a\":1 , , }", "9 $.a"},
	    {"{\"a\":1 \"b\":2}", "7 $.a"},
	    {"{\"a\":1 \"\\n\":2}", "7 $.a"},
	    {"{\"a\":1 123:2}", "7 $.a"},
	    {"{\"a\":1 true}", "7 $.a"},
	    {"{\"a\":1:2}", "6 $.a"},
	    {"]", "0 $"},
	    {",", "0 $"},
	    {":", "0 $"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char end[128];

		snprintf(end, sizeof(end),
			 "ARTIFACT_PARSE_FAILED invalid_json %s 0\n",
			 cases[i].end);
		expect_end(cases[i].text, end);
	}
}

Test(stream_error, says_which_byte_does_not_belong)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
	    {"x", "0 $"},
	    {"[NaN]", "1 $"},
	    {"[Infinity]", "1 $"},
	    {"[-Infinity]", "2 $"},
	    {"[+1]", "1 $"},
	    {"[.5]", "1 $"},
	    {"[01]", "2 $[0]"},
	    {"[1.]", "3 $"},
	    {"[1e]", "3 $"},
	    {"[1e+]", "4 $"},
	    {"[-]", "2 $"},
	    {"[- 1]", "2 $"},
	    {"[nulx]", "4 $"},
	    {"[nul]", "4 $"},
	    {"[trUe]", "3 $"},
	    {"[falsE]", "5 $"},
	    {"{'a':1}", "1 $"},
	    {"[/*x*/1]", "1 $"},
	    {"[\"a\\x\"]", "4 $"},
	    {"[\"a\\\xc3\xa9\"]", "4 $"},
	    {"[\"a\\u12g4\"]", "7 $"},
	    {"[\"\\u0\"]", "5 $"},
	    {"[\"\\ud83d\\u12g4\"]", "12 $"},
	    {"[\"a\nb\"]", "3 $"},
	    {"[\"a\\\nb\"]", "4 $"},
	    {"[\x01]", "1 $"},
	    {"[\v1]", "1 $"},
	    {"[1\f]", "2 $"},
	    {"[\"\v\"]", "2 $"},
	    {"[\"\\\v\"]", "3 $"},
	    {"[\xc3\xa9]", "1 $"},
	    {"[1\xc3\xa9]", "2 $[0]"},
	    {"[\\u0041]", "1 $"},
	    {"[\\ud83d]", "1 $"},
	    {"[\x7f]", "1 $"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char end[128];

		snprintf(end, sizeof(end),
			 "ARTIFACT_PARSE_FAILED invalid_json %s 0\n",
			 cases[i].end);
		expect_end(cases[i].text, end);
	}
}

Test(stream_error, takes_nul_only_as_an_escape)
{
	char *log = run_all(span_str("[\"a\\u0000b\"]"));

	cr_assert(memcmp(log, "[  0 $\nstring a\0b 1 $[0]\n", 25) == 0);
	free(log);
	expect_end_of(span_of("[\"a\0b\"]", 7),
		      "ARTIFACT_PARSE_FAILED invalid_json 3 $ 0\n");
	expect_end_of(span_of("[1\0]", 4),
		      "ARTIFACT_PARSE_FAILED invalid_json 2 $[0] 0\n");
	expect_end_of(span_of("\0", 1),
		      "ARTIFACT_PARSE_FAILED invalid_json 0 $ 0\n");
}

Test(stream_error, refuses_bytes_that_are_no_character)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
	    {"[\"a\xff\"]", "3 $"},
	    {"[\"a\x80\"]", "3 $"},
	    {"[\"\xc0\xaf\"]", "2 $"},
	    {"[\"\xed\xa0\x80\"]", "2 $"},
	    {"[\"\xe2\x82\"]", "2 $"},
	    {"[\"\xf0\x9f\x98\"]", "2 $"},
	    {"[\"\xf0\x80\x80\x80\"]", "2 $"},
	    {"[\"\xf4\x90\x80\x80\"]", "2 $"},
	    {"[\"\xe0\x9f\xbf\"]", "2 $"},
	    {"[\"ok\xc3\xa9\", \"\xc3\"]", "10 $[0]"},
	    {"{\"a\xff\":1}", "3 $"},
	    {"{\"skip\":[\"\xff\"]}", "10 $.skip"},
	    {"[\"\\\xff\"]", "3 $"},
	    {"[\xff]", "1 $"},
	    {"{} \xff", "3 $"},
	    /* whichever comes first */
	    {"[\"\xff\" x]", "2 $"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char end[128];

		snprintf(end, sizeof(end),
			 "ARTIFACT_PARSE_FAILED invalid_utf8 %s 0\n",
			 cases[i].end);
		expect_end(cases[i].text, end);
	}
	expect_end("[x \"\xff\"]",
		   "ARTIFACT_PARSE_FAILED invalid_json 1 $ 0\n");
	expect_end("{}x\xff", "ARTIFACT_PARSE_FAILED trailing_data 2 $ 0\n");
}

Test(stream_error, says_where_a_document_was_cut)
{
	static const char *const cases[] = {
	    "",		  " ",
	    "[",	  "{",
	    "[1",	  "[12",
	    "[1,",	  "{\"a\"",
	    "{\"a\":",	  "{\"a\":1",
	    "[\"abc",	  "[\"abc\\",
	    "[\"abc\\u",  "[\"\\u12",
	    "[\"\\ud83d", "[\"\\ud83d\\ude0",
	    "[\"\xc3",	  "[\"\xf0\x9f\x98",
	    "[tru",	  "tru",
	    "-",	  "1.",
	    "1e",	  "\"abc",
	    "[[1,2],[3,", "{\"skip\":[",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *log = run_all(span_str(cases[i]));
		char want[64];

		snprintf(want, sizeof(want),
			 "ARTIFACT_PARSE_FAILED truncated_input %zu ",
			 strlen(cases[i]));
		cr_assert(strstr(log, want) != NULL, "%s\n%s", cases[i], log);
		free(log);
	}
}

/* The digits seen may be half of a number. */
Test(stream_error, does_not_use_a_number_that_was_cut)
{
	expect_log("[12", "[  0 $\n"
			  "ARTIFACT_PARSE_FAILED truncated_input 3 $ 0\n");
}

Test(stream_error, refuses_what_follows_the_document)
{
	static const struct {
		const char *text;
		unsigned at;
	} cases[] = {
	    {"{}{}", 2},     {"{} {}", 3},	{"1 2", 2},   {"{}x", 2},
	    {"{}\n,", 3},    {"[]]", 2},	{"[1]2", 3},  {"[]\"a", 2},
	    {"[] \"a\"", 3}, {"[]tru", 2},	{"[]-", 2},   {"[]\v", 2},
	    {"[]\xc3", 2},   {"[]\xc3\xa9", 2}, {"[]//x", 2}, {"[]\\", 2},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char end[128];

		snprintf(end, sizeof(end),
			 "ARTIFACT_PARSE_FAILED trailing_data %u $ 0\n",
			 cases[i].at);
		expect_end(cases[i].text, end);
	}
}

Test(stream_error, holds_strings_to_their_cap)
{
	static const char *const over = "LIMIT_EXCEEDED  1 $ 1024\n";

	expect_filled("[\"", 'a', TOKEN - 2, "\"]", "OK\n");
	expect_filled("[\"", 'a', TOKEN - 1, "\"]", over);
	expect_filled("[\"", 'a', TOKEN * 3, "\"]", over);
	expect_filled("[\"", 'a', TOKEN * 3, "", over);
	expect_filled("{\"", 'a', TOKEN, "\":1}", over);
	expect_filled("[\"\\n", 'a', TOKEN - 4, "\"]", "OK\n");
	expect_filled("[\"\\n", 'a', TOKEN - 3, "\"]", over);
	expect_filled("[\"\\ud800", 'a', TOKEN - 7, "\"]", over);
	expect_filled("{\"skip\":\"", 'a', TOKEN, "\"}",
		      "LIMIT_EXCEEDED  8 $.skip 1024\n");
	expect_filled("[0,1      ,    \"", 'a', TOKEN, "\"]",
		      "LIMIT_EXCEEDED  15 $[1] 1024\n");
	/* white space is no token */
	expect_filled("[1,", ' ', TOKEN * 3, "\"x\"]", "OK\n");
}

Test(stream_error, prefers_the_error_that_comes_first)
{
	expect_filled("[\"", 'a', TOKEN - 1, "\n\"]",
		      "ARTIFACT_PARSE_FAILED invalid_json 1025 $ 0\n");
	expect_filled("[\"", 'a', TOKEN, "\n\"]", "LIMIT_EXCEEDED  1 $ 1024\n");
	expect_filled("[\"", 'a', TOKEN - 1, "\xff\"]",
		      "ARTIFACT_PARSE_FAILED invalid_utf8 1025 $ 0\n");
	expect_filled("[\"", 'a', TOKEN, "\xff\"]",
		      "LIMIT_EXCEEDED  1 $ 1024\n");
	/* too long, and it may not stand there */
	expect_filled("[1 \"", 'a', TOKEN - 2, "\"]",
		      "ARTIFACT_PARSE_FAILED invalid_json 3 $[0] 0\n");
	expect_filled("[1 \"", 'a', TOKEN - 1, "\"]",
		      "LIMIT_EXCEEDED  3 $[0] 1024\n");
	expect_filled("{\"a\":1 \"\\\"", 'a', TOKEN - 4, "\"}",
		      "ARTIFACT_PARSE_FAILED invalid_json 7 $.a 0\n");
	expect_filled("{\"a\":1 \"\\\"", 'a', TOKEN - 3, "\"}",
		      "LIMIT_EXCEEDED  7 $.a 1024\n");
	expect_filled("[1 ", '7', 64, "]",
		      "ARTIFACT_PARSE_FAILED invalid_json 3 $[0] 0\n");
	expect_filled("[1 ", '7', 65, "]", "LIMIT_EXCEEDED  3 $[0] 64\n");
	expect_filled("{\"a\":1 ", '7', 64, "}",
		      "ARTIFACT_PARSE_FAILED invalid_json 7 $.a 0\n");
	expect_filled("{\"a\":1 ", '7', 65, "}", "LIMIT_EXCEEDED  7 $.a 64\n");
	expect_filled("[1 ", '7', 64, ".7]", "LIMIT_EXCEEDED  3 $[0] 64\n");
	expect_filled("[1 ", '7', 64, "e+7]", "LIMIT_EXCEEDED  3 $[0] 64\n");
	expect_filled("[1 1-", '7', 65, "]",
		      "ARTIFACT_PARSE_FAILED invalid_json 3 $[0] 0\n");
	expect_filled("{}", '7', 65, "]",
		      "ARTIFACT_PARSE_FAILED trailing_data 2 $ 0\n");
	expect_filled("{}\"", '7', 2 * TOKEN, "\"",
		      "ARTIFACT_PARSE_FAILED trailing_data 2 $ 0\n");
}

Test(stream_error, holds_numbers_to_their_cap)
{
	expect_filled("[", '7', 64, "]", "OK\n");
	expect_filled("[", '7', 65, "]", "LIMIT_EXCEEDED  1 $ 64\n");
	expect_filled("[0.", '7', 63, "]", "LIMIT_EXCEEDED  1 $ 64\n");
	expect_filled("[", '7', 65, "", "LIMIT_EXCEEDED  1 $ 64\n");
	expect_filled("", '7', 65, "", "LIMIT_EXCEEDED  0 $ 64\n");
	expect_filled("", '7', 64, "", "OK\n");
	expect_filled("[", '7', 64, ".x]", "LIMIT_EXCEEDED  1 $ 64\n");
	expect_filled("[", '7', 63, ".x]",
		      "ARTIFACT_PARSE_FAILED invalid_json 65 $ 0\n");
	expect_filled("{\"skip\":", '7', 65, "}",
		      "LIMIT_EXCEEDED  8 $.skip 64\n");
}

Test(stream_error, holds_nesting_to_its_cap)
{
	char *deep = filled("", '[', DEPTH + 1, "");
	char *log;

	deep[DEPTH] = '\0';
	log = run_all(span_str(deep));
	cr_assert(strstr(log, "truncated_input 64 ") != NULL, "%s", log);
	free(log);
	deep[DEPTH] = '[';
	log = run_all(span_str(deep));
	cr_assert(strstr(log, "LIMIT_EXCEEDED  64 ") != NULL, "%s", log);
	free(log);
	memcpy(deep, "{\"skip\":", 8);
	log = run_all(span_str(deep));
	cr_assert(strstr(log, "truncated_input 65 ") != NULL, "%s", log);
	free(log);
	free(deep);
}
