/*
 * A worker's frames, each after its length. A result is valid JSON within its
 * cap; the same frames give the same bytes. Lengths in headers are mended.
 */
#include <stddef.h>

#include "broker/front/relay.h"
#include "proto/bug.h"
#include "proto/frame.h"
#include "proto/utf8.h"
#include "tests/fuzz/fuzz_is_json.h"

static bool
play(struct relay *relay, const struct job *job, struct span script)
{
	uint8_t record[UINT16_MAX];
	struct run run = {.job = 1, .sandbox = 2};
	struct reader r;

	relay_init(relay, job, 0);
	reader_init(&r, script);
	while (r.left > 0 && !r.failed) {
		struct span frame = reader_get_bytes(&r, reader_get_u16(&r));
		size_t payload = frame.len - FRAME_HEADER_BYTES;

		if (frame.len > 0)
			memcpy(record, frame.data, frame.len);
		for (unsigned i = 0; i < 4 && frame.len > 16; i++)
			record[4 + i] = (uint8_t)(payload >> (8 * i));
		(void)relay_feed(relay, span_of(record, frame.len));
	}
	return relay->state == RELAY_DONE && relay_finish(relay, &run);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct relay a, b;
	struct job job;
	bool done;

	job_init(&job);
	job.limits.of[LIMIT_MAX_RESULT_BYTES] = 64 * KIB;
	done = play(&a, &job, span_of(data, size));
	BUG_ON(play(&b, &job, span_of(data, size)) != done);
	BUG_ON(!span_equal(outbox_span(&a.text), outbox_span(&b.text)));
	BUG_ON(a.text.len > 64 * KIB || !utf8_valid(outbox_span(&a.text)));
	BUG_ON(done && !is_json(outbox_span(&a.text)));
	relay_fini(&a);
	relay_fini(&b);
	return 0;
}
