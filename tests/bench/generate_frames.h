/*
 * The distinct frames of a generated profile, with names and places like those
 * of real programs, and how often each is drawn.
 */
#ifndef TESTS_BENCH_GENERATE_FRAMES_H
#define TESTS_BENCH_GENERATE_FRAMES_H

#include "generate.h"

static const char *const verbs[] = {
    "parse",  "resolve", "visit", "create", "read",   "apply",	"check",
    "update", "emit",	 "bind",  "walk",   "render", "handle", "get",
};
static const char *const nouns[] = {
    "Module",	  "Node",	"Statement", "Chunk",	"Type",
    "Expression", "Scope",	"Symbol",    "Request", "Buffer",
    "Template",	  "Dependency", "Token",     "Path",	"Graph",
};
static const char *const packages[] = {
    "typescript",    "webpack", "@babel/core", "acorn",	  "terser",
    "eslint",	     "lodash",	"rxjs",	       "postcss", "express",
    "@types/helper", "semver",	"ajv",	       "tapable", "enhanced-resolve",
};
static const char *const natives[] = {
    "push",	      "get size", "(anonymous)", "forEach", "stringify",
    "RegExp: \\\\s+", "slice",	  "set",	 "test",    "r\u00e9sum\u00e9",
};
static const char *const internals[] = {
    "fs",  "internal/modules/cjs/loader", "path", "internal/streams/readable",
    "net",
};
static const char *const vm_names[] = {"(root)", "(program)", "(idle)",
				       "(garbage collector)"};

static void
frame_place(struct frame *frame, uint32_t i)
{
	frame->line = (int)(10 + i * 7);
	frame->column = (int)(i % 60);
	if (i % 10 == 3) {
		snprintf(frame->url, sizeof frame->url, "node:%s",
			 internals[i / 10 % LENGTH(internals)]);
		return;
	}
	snprintf(frame->url, sizeof frame->url,
		 "file:///srv/app/node_modules/%s/lib/%s%s.js",
		 packages[i / 3 % LENGTH(packages)], verbs[i / 40 % 14],
		 nouns[i / 9 % 15]);
}

/* No two frames share name and place: lines differ, and natives' names do. */
static void
frame_name(struct frame *frame, uint32_t i)
{
	if (i < VM_FRAMES) {
		snprintf(frame->name, sizeof frame->name, "%s", vm_names[i]);
		frame->line = frame->column = -1;
		return;
	}
	if (i - VM_FRAMES < LENGTH(natives)) {
		snprintf(frame->name, sizeof frame->name, "%s",
			 natives[i - VM_FRAMES]);
		frame->line = frame->column = -1;
		return;
	}
	frame_place(frame, i);
	if (i % 7 != 5)
		snprintf(frame->name, sizeof frame->name, "%s%s",
			 verbs[i % LENGTH(verbs)], nouns[i / 14 % 15]);
}

static void
frames_make(struct gen *gen)
{
	char text[512];

	gen->frames = zeroed(gen->shape->frames, sizeof *gen->frames);
	for (uint32_t i = 0; i < gen->shape->frames; i++) {
		struct frame *frame = &gen->frames[i];
		int len;

		frame_name(frame, i);
		len = snprintf(text, sizeof text,
			       "\"callFrame\":{\"functionName\":\"%s\","
			       "\"scriptId\":\"%u\",\"url\":\"%s\","
			       "\"lineNumber\":%d,\"columnNumber\":%d}",
			       frame->name, frame->url[0] ? 60 + i / 9 : 0,
			       frame->url, frame->line, frame->column);
		frame->json_len = (size_t)len;
		frame->json = strdup(text);
		if (frame->json == NULL)
			die("out of memory");
	}
}

/* A few frames are on the stack most of the time: weights fall as 1/(i+8). */
static void
picks_make(struct gen *gen)
{
	uint32_t count = gen->shape->frames - VM_FRAMES;
	double sum = 0;
	double part = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += 1.0 / (i + 8);
	for (uint32_t i = 0; i < count; i++) {
		part += 1.0 / (i + 8);
		while (at < PICKS && at < PICKS * part / sum)
			gen->picks[at++] = (uint16_t)(VM_FRAMES + i);
	}
	while (at < PICKS)
		gen->picks[at++] = VM_FRAMES;
}

static double
frame_bytes(const struct gen *gen)
{
	double sum = 0;

	for (uint32_t i = 0; i < PICKS; i++)
		sum += (double)gen->frames[gen->picks[i]].json_len;
	return sum / PICKS;
}

#endif
