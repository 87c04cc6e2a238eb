/*
 * A worker's answer: the first byte chooses RESULT (0) or ROWS, and then is
 * the number of metrics plus one. Whatever is read is written again byte for
 * byte, and a row takes the size that was said.
 */
#include <stddef.h>
#include <string.h>

#include "proto/answer.h"
#include "proto/bug.h"

static uint8_t out[FRAME_PAYLOAD_MAX];

static void
read_answer(struct span payload)
{
	struct answer answer;
	struct writer w;

	if (payload.len > sizeof(out) || !answer_read(payload, &answer))
		return;
	writer_init(&w, out, sizeof(out));
	answer_write(&w, &answer);
	BUG_ON(w.failed || w.len != payload.len ||
	       memcmp(out, payload.data, w.len) != 0);
}

static void
read_rows(struct span payload, unsigned metrics)
{
	struct reader r;

	reader_init(&r, payload);
	for (unsigned left = reader_get_u16(&r); left > 0; left--) {
		const uint8_t *start = r.at;
		struct writer w;
		struct row row;

		if (!row_read(&r, metrics, &row))
			return;
		writer_init(&w, out, sizeof(out));
		row_write(&w, &row, metrics);
		BUG_ON(w.failed || w.len != row_size(&row, metrics) ||
		       memcmp(out, start, w.len) != 0);
		BUG_ON(row_json_size(&row, metrics, 0) < row.function.len);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 0)
		read_answer(span_of(data + 1, size - 1));
	else if (size > 0)
		read_rows(span_of(data + 1, size - 1), data[0] - 1U);
	return 0;
}
