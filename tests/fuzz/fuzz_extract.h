/*
 * What holds for every input of a format: cut into small chunks it gives what
 * it gives whole, a second run gives the same bytes, listed rows and the rest
 * add up (extracted_check), and memory stays within its cap (extract_source).
 */
#ifndef TESTS_FUZZ_EXTRACT_H
#define TESTS_FUZZ_EXTRACT_H

#include "tests/support/extracted_text.h"

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

/* Memory that ran out once may suffice when it is asked for in other pieces;
 * everything else must not depend on them. */
static inline void
fuzz_extract(enum format format, struct span bytes)
{
	struct extract_how how = {.cap_bytes = 64 * MIB};
	const size_t chunks[] = {0, 1 + bytes.len % 31, 4096};
	struct extracted first;
	struct job job;
	char *text;

	if (fuzz_is_packed(bytes))
		return;
	fuzz_job(format, bytes, &job);
	how.job = &job;
	extract_bytes(bytes, &how, &first);
	text = extracted_text(&first);
	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		struct extracted again;
		char *other;

		how.chunk = chunks[i];
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
