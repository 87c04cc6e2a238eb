/*
 * JSON that is no V8 profile: looks for telling keys at the two outer levels
 * of the head. A scanner of strings and brackets only, without recursion; it
 * judges nothing, since the parser will. A search for text would take a
 * function named "traceEvents" for a trace.
 */
#include "worker/input/known.h"

#include <stddef.h>

#define AS_CPUPROFILE \
	"record the program with node --cpu-prof, or save a CPU profile"

static const struct known trace = {
    .what = "a Chrome trace",
    .way_out = AS_CPUPROFILE,
    .profile = true,
};

static const struct known snapshot = {
    .what = "a V8 heap snapshot",
    .way_out = "record a sampling heap profile with node --heap-prof",
    .profile = true,
};

static const struct known firefox = {
    .what = "a Firefox profile",
    .way_out = AS_CPUPROFILE,
    .profile = true,
};

static const struct known speedscope = {
    .what = "a speedscope file",
    .way_out = "submit the profile that it was made from",
    .profile = true,
};

enum told {
	TOLD_TRACE_EVENTS = 1 << 0, /* {"traceEvents" */
	TOLD_SNAPSHOT = 1 << 1,	    /* {"snapshot":{"meta" */
	TOLD_SPEEDSCOPE = 1 << 2,   /* {"$schema":"https://www.speedscope.app */
	TOLD_INTERVAL = 1 << 3,	    /* {"meta":{"interval" */
	TOLD_PRODUCT = 1 << 4,	    /* {"meta":{"product", "processType" */
	TOLD_THREADS = 1 << 5,	    /* {"threads", "libs" */
	TOLD_PH = 1 << 6,	    /* [{"ph" */
	TOLD_V8 = 1 << 7,	    /* a key of what we read: look no further */
};

struct scan {
	struct span left;
	unsigned depth;
	bool array;	   /* the outermost bracket is a square one */
	struct span outer; /* the last key of the outer level */
	unsigned told;
};

/* The string that starts at the quote, without quotes; cut by the head's end
 * it is the rest. Leaves what is behind it. */
static struct span
take_string(struct span *left)
{
	size_t i = 1;
	struct span text;

	while (i < left->len && left->data[i] != '"')
		i += left->data[i] == '\\' ? 2 : 1;
	if (i > left->len)
		i = left->len;
	text = span_of(left->data + 1, i - 1);
	if (i < left->len)
		i++;
	*left = span_of(left->data + i, left->len - i);
	return text;
}

static void
skip_space(struct span *left)
{
	while (left->len > 0 && memchr(" \t\n\r", left->data[0], 4) != NULL)
		*left = span_of(left->data + 1, left->len - 1);
}

static void
on_outer_key(struct scan *scan, struct span key)
{
	static const char site[] = "\"https://www.speedscope.app";

	scan->outer = key;
	if (span_is(key, "traceEvents"))
		scan->told |= TOLD_TRACE_EVENTS;
	else if (span_is(key, "threads") || span_is(key, "libs"))
		scan->told |= TOLD_THREADS;
	else if (span_is(key, "$schema") && span_starts(scan->left, site))
		scan->told |= TOLD_SPEEDSCOPE;
	else if (span_is(key, "nodes") || span_is(key, "head") ||
		 span_is(key, "profile"))
		scan->told |= TOLD_V8;
}

static void
on_inner_key(struct scan *scan, struct span key)
{
	if (scan->array) {
		if (span_is(key, "ph"))
			scan->told |= TOLD_PH;
	} else if (span_is(scan->outer, "snapshot")) {
		if (span_is(key, "meta"))
			scan->told |= TOLD_SNAPSHOT;
	} else if (span_is(scan->outer, "meta")) {
		if (span_is(key, "interval"))
			scan->told |= TOLD_INTERVAL;
		else if (span_is(key, "product") || span_is(key, "processType"))
			scan->told |= TOLD_PRODUCT;
	}
}

/* A string is a key when a colon follows; values pass by. */
static void
on_string(struct scan *scan)
{
	struct span text = take_string(&scan->left);

	skip_space(&scan->left);
	if (scan->left.len == 0 || scan->left.data[0] != ':')
		return;
	scan->left = span_of(scan->left.data + 1, scan->left.len - 1);
	skip_space(&scan->left);
	if (scan->depth == 1 && !scan->array)
		on_outer_key(scan, text);
	else if (scan->depth == 2)
		on_inner_key(scan, text);
}

static const struct known *
verdict(unsigned told)
{
	if (told & TOLD_SNAPSHOT)
		return &snapshot;
	if (told & TOLD_SPEEDSCOPE)
		return &speedscope;
	if (told & TOLD_V8)
		return NULL;
	if (told & (TOLD_TRACE_EVENTS | TOLD_PH))
		return &trace;
	if ((told & TOLD_INTERVAL) && (told & (TOLD_PRODUCT | TOLD_THREADS)))
		return &firefox;
	return NULL;
}

const struct known *
known_by_keys(struct span head)
{
	struct scan scan = {.left = head};

	scan.array = head.len > 0 && head.data[0] == '[';
	while (scan.left.len > 0 && (scan.told & TOLD_V8) == 0) {
		uint8_t c = scan.left.data[0];

		if (c == '"') {
			on_string(&scan);
			continue;
		}
		if (c == '{' || c == '[')
			scan.depth++;
		else if ((c == '}' || c == ']') && scan.depth > 0)
			scan.depth--;
		scan.left = span_of(scan.left.data + 1, scan.left.len - 1);
	}
	return verdict(scan.told);
}
