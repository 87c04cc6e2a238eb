/*
 * A second reading of an array of numbers, over any bytes: chunks of any size
 * give the same; the numbers, written again, read back. First comes the chunk.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tests/support/drain.h"
#include "worker/json/int_array.h"

/* "1,2]", or "1,2STATUS" when it fails; to be freed. */
static char *
read_numbers(struct span text, size_t chunk)
{
	struct failure f;
	struct int_array array;
	struct limits caps;
	struct arena arena;
	struct input in;
	enum status status;
	int64_t numbers[40];
	size_t max = 1 + chunk * 7 % 40, n, len = 0;
	char *log;
	FILE *out = open_memstream(&log, &(size_t){0});

	limits_default(&caps);
	arena_init(&arena, UINT64_C(1) << 30);
	status = input_open_memory(&in, &arena, text, chunk, &caps, false, &f);
	BUG_ON(out == NULL || status != ST_OK);
	int_array_init(&array, &in);
	do {
		status = int_array_next(&array, numbers, max, &n);
		for (size_t i = 0; status == ST_OK && i < n; i++)
			fprintf(out, "%s%" PRId64, len++ > 0 ? "," : "",
				numbers[i]);
	} while (status == ST_OK && n == max);
	fprintf(out, "%s", status == ST_OK ? "]" : status_name(status));
	input_close(&in);
	arena_fini(&arena);
	fclose(out);
	return log;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *whole, *other;

	if (size-- == 0)
		return -1;
	whole = read_numbers(span_of(data + 1, size), 0);
	other = read_numbers(span_of(data + 1, size), 1 + data[0] % 40);
	/* of an array that fails, those before that were read by then */
	BUG_ON((strchr(whole, ']') != NULL || strchr(other, ']') != NULL) &&
	       strcmp(whole, other) != 0);
	free(other);
	other = read_numbers(span_str(whole), 0);
	BUG_ON(strchr(whole, ']') != NULL && strcmp(whole, other) != 0);
	free(other);
	free(whole);
	return 0;
}
