/*
 * What holds for every input of a format: cut into chunks of any size, and by
 * the parser alone without lanes, it gives what it gives whole with them, a
 * second run gives the same bytes, listed rows and the rest add up
 * (extracted_check), memory stays within its cap (extract_source) and the
 * digest is that of the bytes, however often they were read.
 */
#ifndef TESTS_FUZZ_EXTRACT_H
#define TESTS_FUZZ_EXTRACT_H

#include "tests/support/extracted_text.h"
#include "worker/input/digest.h"

/* The job of an input: its options come from a byte of it, so that the same
 * input always means the same job. */
static inline void
fuzz_job(enum format format, struct span bytes, struct job *job)
{
	uint8_t pick = bytes.len > 0 ? bytes.data[bytes.len / 2] : 0;

	job_init(job);
	job->format = format;
	job->strict = (pick & 0x07) == 7;
	job->rows = (pick & 0x08) != 0 ? 3 : 1000;
	job->limits.of[LIMIT_MEMORY_BYTES] = 16 * MIB;
	job->limits.of[LIMIT_MAX_DEPTH] = 1000;
	if ((pick & 0x10) != 0) {
		job->on_limit = ON_LIMIT_TRUNCATE;
		job->limits.of[LIMIT_MAX_SAMPLES] = 2;
	}
}

/* Containers have targets of their own. */
static inline bool
fuzz_is_packed(struct span bytes)
{
	return span_starts(bytes, "\x1f\x8b") ||
	       span_starts(bytes, "\x28\xb5\x2f\xfd") ||
	       (bytes.len >= 4 &&
		memcmp(bytes.data + 1, "\x2a\x4d\x18", 3) == 0);
}

/* The same input is always cut in the same way, similar ones differently. */
static inline size_t
fuzz_chunk(struct span bytes, size_t most)
{
	uint64_t mixed = most;

	for (size_t i = 0; i < bytes.len; i++)
		mixed = (mixed ^ bytes.data[i]) * UINT64_C(0x100000001b3);
	return 1 + (size_t)(mixed >> 32) % most;
}

static inline void
fuzz_digest(struct span bytes, const struct extracted *e)
{
	struct digest digest;
	uint8_t sha256[DIGEST_BYTES];

	if (e->spent || e->status != ST_OK)
		return;
	digest_init(&digest);
	digest_update(&digest, bytes);
	digest_final(&digest, sha256);
	BUG_ON(!e->answer.has_digest || e->answer.bytes != bytes.len);
	BUG_ON(memcmp(e->answer.sha256, sha256, DIGEST_BYTES) != 0);
}

/* Memory that ran out once may suffice when it is asked for in other pieces;
 * everything else must not depend on them. */
static inline void
fuzz_extract(enum format format, struct span bytes)
{
	struct extract_how how = {.cap_bytes = 64 * MIB};
	const struct {
		enum parser parser;
		size_t chunk;
	} others[] = {{PARSER_LANES, 0},
		      {PARSER_YAJL, 0},
		      {PARSER_LANES, fuzz_chunk(bytes, 31)},
		      {PARSER_YAJL, fuzz_chunk(bytes, 31)},
		      {PARSER_LANES, fuzz_chunk(bytes, 4096)}};
	struct extracted first;
	struct job job;
	char *text;

	if (fuzz_is_packed(bytes))
		return;
	fuzz_job(format, bytes, &job);
	how.job = &job;
	extract_bytes(bytes, &how, &first);
	fuzz_digest(bytes, &first);
	text = extracted_text(&first);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct extracted again;
		char *other;

		job.parser = others[i].parser;
		how.chunk = others[i].chunk;
		extract_bytes(bytes, &how, &again);
		other = extracted_text(&again);
		BUG_ON(!first.spent && !again.spent &&
		       strcmp(text, other) != 0);
		free(other);
		extracted_free(&again);
	}
	free(text);
	extracted_free(&first);
}

#endif
