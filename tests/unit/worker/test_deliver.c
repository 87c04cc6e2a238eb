/*
 * What goes over the channel: frames in the right order, within their size.
 */
#include <criterion/criterion.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/chan.h"
#include "proto/frame.h"
#include "proto/link.h"
#include "proto/worker_fds.h"
#include "worker/deliver.h"

struct wire {
	int ends[2];
	struct delivery delivery;
	struct extract_sink sink;
	uint8_t buffer[FRAME_BYTES_MAX];
};

static struct wire wire;

static void
set_up(void)
{
	cr_assert(chan_pair(wire.ends));
	delivery_init(&wire.delivery, wire.ends[0], 77);
	wire.sink = delivery_sink(&wire.delivery);
}

static struct frame
next_frame(enum message message)
{
	struct span bytes;
	struct frame frame;

	cr_assert_eq(chan_receive(wire.ends[1], wire.buffer, false, NULL,
				  &bytes),
		     CHAN_OK, "no %s came", message_name(message));
	cr_assert_eq(frame_decode(bytes, PARTY_WORKER, &frame), ST_OK);
	cr_assert_eq(frame.message, message, "%s instead of %s",
		     message_name(frame.message), message_name(message));
	cr_assert_eq(frame.job, 77);
	return frame;
}

static void
no_frame(void)
{
	struct span bytes;

	cr_assert_eq(chan_receive(wire.ends[1], wire.buffer, false, NULL,
				  &bytes),
		     CHAN_AGAIN);
}

static void
answer(uint64_t rows)
{
	struct answer a = {.format = FORMAT_V8_CPUPROFILE,
			   .rows_total = rows,
			   .rows_returned = rows,
			   .metrics_len = 1};

	a.metrics[0] = (struct metric){.name = span_str("wall.time"),
				       .unit = span_str("microseconds")};
	wire.sink.answer(wire.sink.context, &a);
}

static void
send_row(uint32_t rank, struct span function)
{
	struct row row = {.function = function,
			  .url = span_str("file:///x.js"),
			  .rank_self = rank,
			  .rank_inclusive = rank};

	row.self[0] = row.inclusive[0] = rank;
	wire.sink.row(wire.sink.context, &row, 1);
}

Test(deliver, ready_tells_layers_and_pid, .init = set_up)
{
	struct ready_record ready;

	deliver_ready(&wire.delivery, 5);
	cr_assert(ready_read(next_frame(MSG_READY).payload, &ready));
	cr_assert_eq(ready.sandbox, 5);
	cr_assert_eq(ready.pid, (uint32_t)getpid());
}

Test(deliver, progress_keeps_its_pace, .init = set_up)
{
	struct progress p = {.total = 100}, got;

	for (int i = 0; i < 1000; i++)
		wire.sink.progress(wire.sink.context, &p);
	p.bytes = 64 << 20;
	wire.sink.progress(wire.sink.context, &p);
	cr_assert(progress_read(next_frame(MSG_PROGRESS).payload, &got));
	cr_assert_eq(got.total, 100);
	cr_assert(progress_read(next_frame(MSG_PROGRESS).payload, &got));
	cr_assert_eq(got.bytes, 64 << 20);
	no_frame();
}

Test(deliver, an_answer_without_rows_is_result_and_done, .init = set_up)
{
	struct progress p = {0};

	answer(0);
	wire.sink.progress(wire.sink.context, &p);
	deliver_done(&wire.delivery);
	next_frame(MSG_RESULT);
	next_frame(MSG_DONE);
	no_frame();
}

/* Receives all rows in order, then DONE; how many frames they took. */
static unsigned
receive_rows(uint32_t rows, size_t name_len)
{
	unsigned frames = 0;
	struct reader r;
	struct row row;

	for (uint32_t next = 1; next <= rows; frames++) {
		unsigned count;

		reader_init(&r, next_frame(MSG_ROWS).payload);
		count = reader_get_u16(&r);
		cr_assert_gt(count, 0);
		while (count-- > 0) {
			cr_assert(row_read(&r, 1, &row));
			cr_assert_eq(row.rank_self, next);
			cr_assert_eq(row.function.len, name_len);
			next++;
		}
		cr_assert(reader_end(&r));
	}
	reader_init(&r, next_frame(MSG_DONE).payload);
	cr_assert_eq(reader_get_u32(&r), rows);
	no_frame();
	return frames;
}

Test(deliver, packs_short_rows_many_to_a_frame, .init = set_up)
{
	answer(300);
	for (uint32_t i = 1; i <= 300; i++)
		send_row(i, span_str("parse"));
	deliver_done(&wire.delivery);
	next_frame(MSG_RESULT);
	cr_assert_leq(receive_rows(300, 5), 2);
}

Test(deliver, packs_the_longest_rows_a_few_to_a_frame, .init = set_up)
{
	static char name[6 * 1024];

	memset(name, 'x', sizeof(name));
	answer(12);
	for (uint32_t i = 1; i <= 12; i++)
		send_row(i, span_of(name, sizeof(name)));
	deliver_done(&wire.delivery);
	next_frame(MSG_RESULT);
	cr_assert_eq(receive_rows(12, sizeof(name)), 3);
}

Test(deliver, a_failure_may_come_in_the_middle_of_rows, .init = set_up)
{
	struct failure failure, got;

	answer(10);
	send_row(1, span_str("parse"));
	failure_of_limit(&failure, LIMIT_MEMORY_BYTES, 11, 10);
	deliver_failed(&wire.delivery, &failure);
	next_frame(MSG_RESULT);
	cr_assert(failure_read(next_frame(MSG_FAILED).payload, &got));
	cr_assert_eq(got.limit, LIMIT_MEMORY_BYTES);
	cr_assert_eq(got.actual, 11);
}

Test(deliver, last_words_come_as_text, .init = set_up)
{
	struct reader r;

	deliver_last_words(wire.ends[0], 77, "bug: x.c:1: true");
	reader_init(&r, next_frame(MSG_LAST_WORDS).payload);
	cr_assert(span_is(reader_get_string(&r, 510), "bug: x.c:1: true"));
	cr_assert(reader_end(&r));
}

Test(deliver, ends_the_process_when_nobody_listens, .init = set_up)
{
	int status;
	pid_t pid;

	close(wire.ends[1]);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		deliver_ready(&wire.delivery, 0);
		_exit(99);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), WORKER_EXIT_PROTOCOL);
}
