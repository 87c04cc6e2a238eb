/*
 * The golden files were worked out without our code, so these helpers must not
 * derive anything: they read text and compare.
 */
#include "tests/unit/proto/golden.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/proto/exact.h"

#ifndef EXTRACTD_TESTS_DIR
#define EXTRACTD_TESTS_DIR "tests"
#endif

const uint8_t golden_digest[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
				   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
				   22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

const uint8_t golden_ticket[16] = {0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5,
				   0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab,
				   0xac, 0xad, 0xae, 0xaf};

/* The environment decides where the tests are, else the build. */
static FILE *
golden_open(const char *file)
{
	const char *dir = getenv("EXTRACTD_TESTS_DIR");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/golden/%s",
		 dir != NULL ? dir : EXTRACTD_TESTS_DIR, file);
	f = fopen(path, "r");
	cr_assert_not_null(f, "cannot open %s", path);
	return f;
}

/* Appends the hex bytes of a line, up to its comment. */
static size_t
hex_line(const char *line, uint8_t *out, size_t cap)
{
	size_t len = 0;
	unsigned byte;
	int used;

	while (sscanf(line, " %2x%n", &byte, &used) == 1) {
		cr_assert_lt(len, cap);
		out[len++] = (uint8_t)byte;
		line += used;
	}
	line += strspn(line, " ");
	cr_assert(*line == '#' || *line == '\n', "not hex: %s", line);
	return len;
}

struct span
golden_frame(const char *name)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	char line[4096], file[64];
	size_t len = 0;
	FILE *f;

	snprintf(file, sizeof(file), "%s.hex", name);
	f = golden_open(file);
	while (fgets(line, sizeof(line), f) != NULL)
		len += hex_line(line, bytes + len, sizeof(bytes) - len);
	fclose(f);
	return span_of(bytes, len);
}

struct frame
golden_decoded(const char *name, enum party sender)
{
	struct frame frame = {0};

	cr_assert_eq(frame_decode(golden_frame(name), sender, &frame), ST_OK,
		     "%s is not a frame of its sender", name);
	cr_assert_eq(frame.job, GOLDEN_JOB);
	cr_assert_str_eq(message_name(frame.message), name);
	return frame;
}

void
golden_job(struct job *job_out)
{
	*job_out = (struct job){
	    .format = FORMAT_V8_CPUPROFILE,
	    .on_limit = ON_LIMIT_TRUNCATE,
	    .parser = PARSER_YAJL,
	    .digest = true,
	    .strict = true,
	    .has_sha256 = true,
	    .rows = 25,
	    .sort_by = SORT_INCLUSIVE,
	    .sort_metric = span_str("wall.time"),
	    .name = span_str("caf\xc3\xa9.cpuprofile"),
	    .project_root = span_str("/srv/app"),
	    .path_maps_len = 2,
	    .path_maps = {{span_str("/build"), span_str("/srv/app")},
			  {span_str("webpack://x"), span_str("")}},
	    .limits.of = {UINT64_C(1) << 36, UINT64_C(1) << 38, 40000000,
			  3000000000, 2000000, 300000, 600064, 2097152,
			  67108864, 50, 8388608, 2048, 2147483648, 1800, 3000,
			  45},
	};
	memcpy(job_out->sha256, golden_digest, sizeof(job_out->sha256));
}

struct writer *
golden_begin(enum message message)
{
	static uint8_t bytes[FRAME_BYTES_MAX];
	static struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	frame_begin(&w, message, GOLDEN_JOB);
	return &w;
}

void
golden_end(struct writer *w, const char *name)
{
	assert_bytes(frame_end(w), golden_frame(name));
}

void
golden_list(const char *file, const char *group, const char *const *names,
	    unsigned first, unsigned count)
{
	unsigned expected = first, number;
	char line[256], word[64], name[128];
	FILE *f = golden_open(file);

	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#')
			continue;
		if (group == NULL) {
			cr_assert_eq(sscanf(line, "%u %127s", &number, name),
				     2);
		} else {
			cr_assert_eq(sscanf(line, "%63s %u %127s", word,
					    &number, name),
				     3);
			if (strcmp(word, group) != 0)
				continue;
		}
		cr_assert_eq(number, expected, "%s: a gap at %s", file, name);
		cr_assert_lt(number, first + count, "%s is gone", name);
		if (strcmp(name, "-") == 0)
			name[0] = '\0';
		cr_assert_str_eq(names[number], name, "%s: %u", file, number);
		expected++;
	}
	fclose(f);
	if (expected != first + count)
		cr_assert_fail("%s lacks %s", file, names[expected]);
}
