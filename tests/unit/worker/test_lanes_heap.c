/*
 * The lanes of a heap profile: its nested tree, and its samples.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/lanes_agree.h"

#define NODE(name, size, id, children)                                      \
	"{\"callFrame\":{\"functionName\":\"" name "\",\"scriptId\":\"7\"," \
	"\"url\":\"f:b\",\"lineNumber\":9,\"columnNumber\":1},"             \
	"\"selfSize\":" size ",\"id\":" id ",\"children\":[" children "]}"
#define NODE_OPEN                                                     \
	"{\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"7\"," \
	"\"url\":\"f:b\",\"lineNumber\":9,\"columnNumber\":1},"       \
	"\"selfSize\":1,\"id\":%u,\"children\":["
#define SAMPLE(size, node) \
	"{\"size\":" size ",\"nodeId\":" node ",\"ordinal\":3}"
#define PROFILE(head, samples) "{\"head\":" head ",\"samples\":[" samples "]}"

/* Ends of none, one and three levels; recursion. */
#define DEEP NODE("c", "3", "4", NODE("b", "2", "5", NODE("d}", "8", "6", "")))
#define TREE                                                                 \
	NODE("(root)", "0", "1",                                             \
	     NODE("a", "1", "2", "") "," NODE("b", "4", "3", DEEP) "," NODE( \
		 "b", "5", "7", NODE("\xc3\xa9", "1", "8", "")))
#define SAMPLES          \
	SAMPLE("8", "6") \
	"," SAMPLE("4", "77") "," SAMPLE("12345678", "8") "," SAMPLE("1", "2")

static void
heap_job(struct job *job)
{
	job_init(job);
	job->format = FORMAT_V8_HEAPPROFILE;
}

Test(lanes_heap, give_what_the_parser_gives_for_damaged_bytes)
{
	static const char text[] = PROFILE(TREE, SAMPLES);
	static const char others[] = " \"]9";
	char damaged[sizeof(text)];
	struct job job;

	heap_job(&job);
	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		lanes_agree(span_of(text, at), &job);
		memcpy(damaged, text, sizeof(text));
		for (size_t i = 0; i < sizeof(others) - 1; i++) {
			damaged[at] = others[i];
			lanes_agree(span_of(damaged, sizeof(text) - 1), &job);
		}
	}
}

/* Any byte may be missing, or there twice. */
Test(lanes_heap, give_what_the_parser_gives_for_bytes_too_many_or_too_few)
{
	static const char text[] = PROFILE(TREE, SAMPLES);
	char other[sizeof(text) + 1];
	size_t len = sizeof(text) - 1;
	struct job job;

	heap_job(&job);
	for (size_t at = 0; at < len; at++) {
		memcpy(other, text, at);
		memcpy(other + at, text + at + 1, len - at - 1);
		lanes_agree(span_of(other, len - 1), &job);
		memcpy(other, text, at + 1);
		memcpy(other + at + 1, text + at, len - at);
		lanes_agree(span_of(other, len + 1), &job);
	}
}

Test(lanes_heap, give_what_the_parser_gives_for_other_trees)
{
	static const char *const texts[] = {
	    PROFILE(TREE, ""),
	    PROFILE(NODE("r", "0", "1", ""), SAMPLES),
	    PROFILE(NODE("r", "0", "1",
			 NODE("a", "1", "1", "") "," NODE("b", "2", "2", "")),
		    SAMPLES),
	    PROFILE(NODE("r", "0", "1",
			 NODE("a", "1", "2",
			      NODE("b", "2", "2", "") "," NODE(
				  "c", "2", "3", "")) "," NODE("d", "2", "4",
							       "")),
		    SAMPLES),
	    PROFILE(NODE("r", "0", "1",
			 NODE("a", "18446744073709551615", "2",
			      NODE("b", "2", "3", "")) "," NODE("c", "2", "4",
								"")),
		    SAMPLES),
	    PROFILE(NODE("r", "18446744073709551610", "1",
			 NODE("a", "5", "2", "") "," NODE(
			     "c", "6", "4", "") "," NODE("c", "6", "5", "")),
		    SAMPLES),
	    PROFILE(
		NODE("r", "0", "1",
		     NODE("a", "1", "90000000",
			  NODE("b", "2", "3",
			       "")) "," NODE("c", "2", "80000000",
					     "") "," NODE("d", "2", "5", "")),
		SAMPLE("1", "90000000") "," SAMPLE("1", "3") "," SAMPLE("1",
									"5")),
	    /* a level that lacks its size ends behind a leaf */
	    PROFILE("{\"callFrame\":{\"functionName\":\"r\"},\"selfSize\":0,"
		    "\"children\":[{\"callFrame\":{\"functionName\":\"x\"},"
		    "\"id\":2,\"children\":[" NODE("a", "1", "3", "") "," NODE(
			"b", "1", "4", "") "]}," NODE("c", "1", "5", "") "]}",
		    ""),
	    /* and one whose keys go on behind its children */
	    PROFILE(
		"{\"callFrame\":{\"functionName\":\"r\"},\"selfSize\":0,"
		"\"children\":[" NODE(
		    "y", "1", "6",
		    NODE("a", "1", "3", "") "," NODE(
			"b", "1", "4",
			"")) ",{\"callFrame\":{\"functionName\":\"x\"},\"id\":2,"
			     "\"children\":[" NODE("d", "1", "7", "") "," NODE(
				 "e", "1", "8",
				 "") "],\"selfSize\":3,\"id\":2}]}",
		""),
	};
	struct job job;

	heap_job(&job);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		lanes_agree(span_str(texts[i]), &job);
}

/* A chain of nodes, each with a leaf before and behind the next of the chain,
 * and something wrong in the innermost. */
static void
write_chain(char *out, unsigned depth, const char *innermost)
{
	unsigned id = 1;

	out += sprintf(out, "{\"head\":");
	for (unsigned i = 0; i < depth; i++) {
		out += sprintf(out, NODE_OPEN, "n", id);
		out += sprintf(out, NODE_OPEN "]},", "leaf", id + 1);
		id += 2;
	}
	out += sprintf(out, "%s", innermost);
	for (unsigned i = 0; i < depth; i++, id++)
		out += sprintf(out, "," NODE_OPEN "]}]}", "leaf", id);
	sprintf(out, ",\"samples\":[]}");
}

/* Behind what lanes took errors are told at their place and path. */
Test(lanes_heap, find_errors_in_any_depth)
{
	static const char *const innermost[] = {"7",
						"null",
						"{}",
						"{\"id\":1,\"children\":[",
						"]",
						NODE("x", "1", "1", ""),
						NODE("x", "\"1\"", "999", ""),
						NODE("x", "1", "999", "")};
	static char text[200000];
	struct job job;

	heap_job(&job);
	for (unsigned depth = 1; depth < 60; depth += depth < 30 ? 1 : 7) {
		for (size_t i = 0; i < sizeof(innermost) / sizeof(innermost[0]);
		     i++) {
			write_chain(text, depth, innermost[i]);
			lanes_agree(span_str(text), &job);
		}
	}
}

/* Text that lanes read for themselves, or leave: good and bad escapes and
 * characters, at either end of a name. */
Test(lanes_heap, read_names_as_the_parser_does)
{
	static const char *const names[] = {
	    "\\n",
	    "\\\"",
	    "\\\\",
	    "\\/\\b\\f\\r\\t",
	    "\\u0041",
	    "\\ud83d",
	    "\\ud83d\\ude00",
	    "\\x",
	    "\\",
	    "\xc3\xa9",
	    "\xc3",
	    "\xc3(",
	    "\xe2\x82\xac",
	    "\xe2\x82",
	    "\xe0\x80\x80",
	    "\xed\xa0\x80",
	    "\xf0\x9f\x98\x80",
	    "\xf4\x90\x80\x80",
	    "\xff",
	    "\x80",
	    "\xc0\x80",
	    "\x7f",
	    "\x1f",
	    "\t",
	    "\v",
	    "\f",
	    "}",
	    "\"",
	};
	char text[4000], name[400], filler[300];
	struct job job;

	heap_job(&job);
	memset(filler, 'x', sizeof(filler));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (int len = 0; len < 300; len += len < 4 ? 1 : 59) {
			snprintf(name, sizeof(name), "%s%.*s%s", names[i], len,
				 filler, i % 2 == 0 ? "" : names[i]);
			snprintf(text, sizeof(text),
				 "{\"head\":" NODE_OPEN NODE_OPEN
				 "]}," NODE_OPEN "]}," NODE_OPEN
				 "]}]},\"samples\":[]}",
				 "r", 1, name, 2, name, 3, "z", 4);
			lanes_agree(span_str(text), &job);
		}
	}
}

Test(lanes_heap, keep_to_the_limits)
{
	static const struct {
		enum limit limit;
		uint64_t most;
	} limits[] = {{LIMIT_MAX_NODES, 12},	  {LIMIT_MAX_FRAMES, 12},
		      {LIMIT_MAX_DEPTH, 8},	  {LIMIT_MAX_TOKEN_BYTES, 40},
		      {LIMIT_MAX_JSON_DEPTH, 16}, {LIMIT_MAX_SAMPLES, 7}};
	struct job job;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		for (uint64_t max = 1; max <= limits[i].most; max++) {
			heap_job(&job);
			job.limits.of[limits[i].limit] = max;
			lanes_agree(span_str(PROFILE(TREE, SAMPLES)), &job);
			job.on_limit = ON_LIMIT_TRUNCATE;
			lanes_agree(span_str(PROFILE(TREE, SAMPLES)), &job);
		}
	}
}
