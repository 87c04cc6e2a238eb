/*
 * The JSON stream: for any bytes, events and end are the same however the
 * bytes are cut; strings are valid UTF-8 (checked where they are logged) and
 * memory stays within what caps promise. The first two bytes choose the cuts
 * and the caps; the rest is the document.
 */
#include <string.h>

#include "tests/support/json_log.h"

/* Window, yajl's own buffers and stack, and room for two tokens. */
#define MEMORY_BYTES (512 * 1024)

static void
same(char *log, const char *whole)
{
	BUG_ON(strcmp(log, whole) != 0);
	free(log);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t max_depth, max_token, high = 0;
	struct json_cuts cuts = {0};
	struct span text;
	char *whole;

	if (size < 2 || size > 64 * 1024)
		return 0;
	text = span_of(data + 2, size - 2);
	max_depth = 8 + data[0] % 8 * 16;
	max_token = 64 << data[0] / 32;
	whole = json_log_run(text, cuts, max_depth, max_token, &high);
	BUG_ON(high > MEMORY_BYTES);
	cuts.size = 1 + data[1] % 31;
	same(json_log_run(text, cuts, max_depth, max_token, &high), whole);
	BUG_ON(high > MEMORY_BYTES);
	cuts.random = 1 + (uint64_t)data[1];
	cuts.size = size < 512 ? 16 : size / 8;
	same(json_log_run(text, cuts, max_depth, max_token, NULL), whole);
	free(whole);
	return 0;
}
