/*
 * Lanes on is lanes off: the same result, the same error at the same place,
 * whatever an array holds and wherever it is cut.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/lanes_agree.h"
#include "worker/lanes/integers.h"

#define HEAD                                                                    \
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"    \
	"\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"f\"}}]," \
	"\"startTime\":0,\"endTime\":1000,\"samples\":["
#define MIDDLE "],\"timeDeltas\":["
#define FOUR "1,2,2,1,"
#define MANY FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR

static void
agree_on(const char *samples, const char *deltas, const struct job *job)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD "%s" MIDDLE "%s]}", samples, deltas);
	lanes_agree(span_str(text), job);
}

/* What may stand at the end, or amidst others. */
static const char *const elements[] = {"1",
				       "2",
				       "0",
				       "-1",
				       "-0",
				       "00",
				       "01",
				       "-01",
				       "1.0",
				       "1.5",
				       "1e0",
				       "2E0",
				       " 2",
				       "2 ",
				       "\n2",
				       "",
				       "-",
				       "1-",
				       "+1",
				       "null",
				       "true",
				       "\"1,2\"",
				       "[1,2]",
				       "{}",
				       "1 2",
				       "1]",
				       "x",
				       "99999999",
				       "123456789012345",
				       "1234567890123456",
				       "12345678",
				       "123456781",
				       "\"\\u00e9,\"",
				       "\xc3\xa9",
				       "-123456789012345",
				       "9223372036854775807",
				       "9223372036854775808",
				       "-9223372036854775808",
				       "100000000000000000000",
				       "3,,3",
				       "1,]"};

Test(lanes, give_what_the_parser_gives_for_each_element)
{
	char samples[1024], deltas[1024];
	struct job job;

	job_init(&job);
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		snprintf(samples, sizeof(samples), MANY "%s", elements[i]);
		snprintf(deltas, sizeof(deltas), MANY "1");
		agree_on(samples, deltas, &job);
		agree_on(deltas, samples, &job);
		snprintf(samples, sizeof(samples), MANY "%s," MANY "1",
			 elements[i]);
		snprintf(deltas, sizeof(deltas), MANY MANY "1,1");
		agree_on(samples, deltas, &job);
		agree_on(deltas, samples, &job);
		snprintf(samples, sizeof(samples), "%s," MANY "1", elements[i]);
		snprintf(deltas, sizeof(deltas), MANY "1,1");
		agree_on(samples, deltas, &job);
		agree_on(deltas, samples, &job);
	}
}

Test(lanes, give_what_the_parser_gives_wherever_the_file_is_cut)
{
	static const char text[] = HEAD MANY "1" MIDDLE MANY "5]}";
	struct job job;

	job_init(&job);
	for (size_t len = 0; len < sizeof(text); len++)
		lanes_agree(span_of(text, len), &job);
}

Test(lanes, keep_to_the_samples_that_are_wanted)
{
	struct job job;

	job_init(&job);
	for (uint64_t max = 1; max < 44; max++) {
		job.limits.of[LIMIT_MAX_SAMPLES] = max;
		job.on_limit = ON_LIMIT_FAIL;
		agree_on(MANY "1", MANY "2", &job);
		job.on_limit = ON_LIMIT_TRUNCATE;
		agree_on(MANY "1", MANY "2", &job);
	}
}

Test(lanes, times_that_leave_64_bits_are_the_parsers)
{
	char deltas[1024];
	struct job job;

	job_init(&job);
	snprintf(deltas, sizeof(deltas),
		 "%s9223372036854775807,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "");
	agree_on(deltas, deltas, &job);
	snprintf(deltas, sizeof(deltas), "1,1,-9223372036854775808," MANY "7");
	agree_on(deltas, deltas, &job);
	snprintf(deltas, sizeof(deltas), "4611686018427387904,%s" MANY "7",
		 "4611686018427387903,");
	agree_on(deltas, deltas, &job);
}

#define FRAME(name, line)                                                  \
	"\"callFrame\":{\"functionName\":\"" name "\",\"scriptId\":\"7\"," \
	"\"url\":\"file:///a/b.js\",\"lineNumber\":" line ","              \
	"\"columnNumber\":-1}"
#define LEAF(id, name)              \
	"{\"id\":" id "," FRAME(    \
	    name,                   \
	    "4") ",\"hitCount\":2," \
		 "\"positionTicks\":[{\"line\":5,\"ticks\":1},{\"line\":6,\"ticks\":1}]}"
#define INNER(id, name, children) \
	"{\"id\":" id             \
	"," FRAME(name, "9") ",\"hitCount\":0,\"children\":[" children "]}"
#define PROFILE(nodes)                                                       \
	"{\"nodes\":[" nodes "],\"startTime\":1,\"endTime\":9,\"samples\":[" \
	"4,4,5],\"timeDeltas\":[1,1,1]}"
#define NODES                                                             \
	INNER("1", "(root)", "2,3")                                       \
	"," INNER("2", "a}b", "4") "," INNER("3", "a}b", "5,6") "," LEAF( \
	    "4", "f") "," LEAF("5", "f") "," LEAF("6", "g\xc3\xa9")

Test(lanes, give_what_the_parser_gives_for_damaged_nodes)
{
	static const char text[] = PROFILE(NODES);
	static const char others[] = " \"}9\\\x01";
	char damaged[sizeof(text)];
	struct job job;

	job_init(&job);
	job.format = FORMAT_V8_CPUPROFILE;
	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		lanes_agree(span_of(text, at), &job);
		memcpy(damaged, text, sizeof(text));
		for (size_t i = 0; i < sizeof(others) - 1; i++) {
			damaged[at] = others[i];
			lanes_agree(span_of(damaged, sizeof(text) - 1), &job);
		}
	}
}

Test(lanes, give_what_the_parser_gives_for_wrong_trees)
{
	static const char *const texts[] = {
	    PROFILE(
		INNER("1", "r", "2,2") "," LEAF("2", "f") "," LEAF("3", "f")),
	    PROFILE(
		INNER("1", "r", "2,1") "," LEAF("2", "f") "," LEAF("3", "f")),
	    PROFILE(INNER("1", "r", "2,3") "," INNER("2", "f", "3") "," LEAF(
		"3", "f") "," LEAF("4", "f")),
	    PROFILE(INNER("1", "r", "2") "," LEAF("2", "f") "," LEAF(
		"2", "f") "," LEAF("3", "f")),
	    PROFILE(
		INNER("1", "r", "2,9") "," LEAF("2", "f") "," LEAF("3", "f")),
	    PROFILE(INNER("1", "r", "") "," LEAF("2", "f") "," LEAF("3", "f")),
	    PROFILE("{\"id\":1," FRAME(
		"r", "1") ",\"hitCount\":1},{\"id\":4,"
			  "\"parent\":1," FRAME("r", "1") "}," LEAF(
			      "5", "f") "," LEAF("6", "f")),
	    PROFILE(INNER("99999999", "r", "4000000,12345678") "," LEAF(
		"4000000", "f") "," LEAF("12345678", "f")),
	};
	struct job job;

	job_init(&job);
	job.format = FORMAT_V8_CPUPROFILE;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		lanes_agree(span_str(texts[i]), &job);
}

Test(lanes, keep_to_the_limits_of_a_tree)
{
	static const struct {
		enum limit limit;
		uint64_t most;
	} limits[] = {{LIMIT_MAX_NODES, 8},
		      {LIMIT_MAX_FRAMES, 8},
		      {LIMIT_MAX_DEPTH, 8},
		      {LIMIT_MAX_TOKEN_BYTES, 40},
		      {LIMIT_MAX_JSON_DEPTH, 10}};
	struct job job;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		for (uint64_t max = 1; max <= limits[i].most; max++) {
			job_init(&job);
			job.format = FORMAT_V8_CPUPROFILE;
			job.limits.of[limits[i].limit] = max;
			lanes_agree(span_str(PROFILE(NODES)), &job);
		}
	}
}

Test(integers, are_read_as_the_c_library_reads_them)
{
	char text[256];
	int64_t value = 0, got[2];
	size_t used;

	for (unsigned digits = 1; digits <= 18; digits++) {
		value = value * 10 + digits % 10;
		for (int sign = -1; sign <= 1; sign += 2) {
			int n = snprintf(text, sizeof(text), "%lld,",
					 (long long)(sign * value));

			memset(text + n, '7', 64);
			cr_assert_eq(integers_read(span_of(text, n + 30), got,
						   1, &used),
				     digits <= 15, "%s", text);
			cr_assert_eq(used, digits <= 15 ? (size_t)n : 0);
			cr_assert(digits > 15 || got[0] == sign * value);
		}
	}
}

Test(integers, in_blocks_are_what_the_c_library_reads)
{
	size_t ways_len, used;
	const struct integers_way *ways = integers_ways(&ways_len);

	for (size_t w = 0; w < ways_len; w++) {
		for (unsigned from = 0; from < 300; from++) {
			int64_t got[512], value = -150 + (int64_t)from;
			char text[8192], *at = text;
			size_t n;

			for (unsigned i = 0; i < 600; i++) {
				at += sprintf(at, "%lld,", (long long)value);
				value += value % 5 == 0 ? 99991 : 1;
			}
			n = integers_read_by(&ways[w],
					     span_of(text, (size_t)(at - text)),
					     got, 512, &used);
			cr_assert_gt(n, 480);
			at = text;
			for (unsigned i = 0; i < n; i++, at++)
				cr_assert_eq(got[i], strtoll(at, &at, 10));
			cr_assert_eq(used, (size_t)(at - text));
		}
	}
}

/* A number and a comma, as a profile has them, and now and then what a lane
 * leaves to the parser. */
static int
random_element(char *out, size_t size, uint64_t *seed)
{
	static const char *const odd[] = {"0",
					  "-0,",
					  "00,",
					  "01,",
					  "-,",
					  ",",
					  "1.5,",
					  "1 ,",
					  "]",
					  "-12,",
					  "0,",
					  "123456789,",
					  "-123456789012345,",
					  "1234567890123456,"};
	uint64_t random = *seed = *seed * UINT64_C(6364136223846793005) + 1;
	uint64_t value = (random >> 20) >> (random >> 56) % 44;

	if ((random >> 33) % 64 == 0)
		return snprintf(
		    out, size, "%s",
		    odd[(random >> 40) % (sizeof(odd) / sizeof(odd[0]))]);
	return snprintf(out, size, "%s%llu,",
			(random >> 45) % 32 == 0 ? "-" : "",
			(unsigned long long)value);
}

Test(integers, are_the_same_whichever_way_they_are_read)
{
	size_t ways_len, used, plain_used;
	const struct integers_way *ways = integers_ways(&ways_len);
	uint64_t seed = 7;

	cr_assert_geq(ways_len, 1);
	for (unsigned round = 0; round < 3000; round++) {
		static int64_t got[512], plain[512];
		char text[4200];
		size_t len = 0, n, max = round % 7 == 0 ? round % 40 : 512;

		while (len < 4000)
			len +=
			    (size_t)random_element(text + len,
						   sizeof(text) - len, &seed);
		n = integers_read_by(&ways[ways_len - 1], span_of(text, len),
				     plain, max, &plain_used);
		for (size_t i = 0; i + 1 < ways_len; i++) {
			cr_assert_eq(integers_read_by(&ways[i],
						      span_of(text, len), got,
						      max, &used),
				     n, "%s: %.*s", ways[i].name, (int)len,
				     text);
			cr_assert_eq(used, plain_used);
			cr_assert(memcmp(got, plain, n * sizeof(got[0])) == 0);
		}
	}
}

Test(integers, at_the_end_of_the_bytes_are_left)
{
	const char text[] = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15";
	int64_t got[32];
	size_t used;

	for (size_t len = 0; len < sizeof(text); len++) {
		char *own = malloc(len > 0 ? len : 1);
		size_t n;

		memcpy(own, text, len);
		n = integers_read(span_of(own, len), got, 32, &used);
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(got[i], (int64_t)i + 1);
		cr_assert(used <= len && (n == 0) == (used == 0));
		free(own);
	}
}
