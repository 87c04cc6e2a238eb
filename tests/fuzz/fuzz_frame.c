/*
 * Frames as each party may send them, and the record in each: whatever is
 * read is written again byte for byte.
 */
#include <string.h>

#include "proto/answer.h"
#include "proto/bug.h"
#include "proto/failure.h"
#include "proto/frame.h"
#include "proto/link.h"

/* A message, its record's type, and the stem of its reader and writer. */
#define RECORDS(X)                             \
	X(JOB, job_order, job_order)           \
	X(READY, ready_record, ready)          \
	X(PROGRESS, progress, progress)        \
	X(RESULT, answer, answer)              \
	X(FAILED, failure, failure)            \
	X(ADMIT, admit_record, admit)          \
	X(CONFIG, config_record, config)       \
	X(REFUSED, refused_record, refused)    \
	X(VERDICT, verdict_record, verdict)    \
	X(OBITUARY, obituary_record, obituary) \
	X(ADOPT, adopt_record, adopt)          \
	X(STATUS, status_record, status_record)

#define READ(MESSAGE, type, stem)                                     \
	if (frame->message == MSG_##MESSAGE) {                        \
		struct type record;                                   \
		if (!stem##_read(frame->payload, &record))            \
			return;                                       \
		stem##_write(&w, &record);                            \
		BUG_ON(w.failed || w.len != frame->payload.len ||     \
		       memcmp(out, frame->payload.data, w.len) != 0); \
	}

static void
read_record(const struct frame *frame)
{
	static uint8_t out[FRAME_PAYLOAD_MAX];
	struct writer w;

	writer_init(&w, out, sizeof(out));
	RECORDS(READ)
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (unsigned party = 0; party <= PARTY_WORKER; party++) {
		struct frame frame;

		if (frame_decode(span_of(data, size), (enum party)party,
				 &frame) == ST_OK)
			read_record(&frame);
	}
	return 0;
}
