/*
 * The records between supervisor and front, and the first ones of a worker:
 * golden both ways.
 */
#include <criterion/criterion.h>

#include "proto/frame.h"
#include "proto/link.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

#define REQUEST UINT64_C(0x0a0b0c0d0e0f0001)

/* The job record's bytes as the golden frames carry them. */
static struct span
job_bytes(void)
{
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	struct writer w;
	struct job job;

	golden_job(&job);
	writer_init(&w, bytes, sizeof(bytes));
	job_write(&w, &job);
	cr_assert_not(w.failed);
	return span_of(bytes, w.len);
}

Test(link, admit_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_ADMIT);
	struct admit_record a = {.request = REQUEST,
				 .memory_bytes = 2 * GIB,
				 .cpu_seconds = 1800,
				 .wall_seconds = 3000,
				 .stall_seconds = 45,
				 .client = UINT64_C(0x1122334455667788),
				 .leased = true,
				 .class = JOB_CLASS_BATCH,
				 .job = job_bytes()};
	struct admit_record got;

	admit_write(w, &a);
	golden_end(w, "ADMIT");
	cr_assert(
	    admit_read(golden_decoded("ADMIT", PARTY_FRONT).payload, &got));
	cr_assert_eq(got.request, a.request);
	cr_assert_eq(got.memory_bytes, a.memory_bytes);
	cr_assert_eq(got.cpu_seconds, a.cpu_seconds);
	cr_assert_eq(got.wall_seconds, a.wall_seconds);
	cr_assert_eq(got.stall_seconds, a.stall_seconds);
	cr_assert_eq(got.client, a.client);
	cr_assert(got.leased);
	cr_assert_eq(got.class, JOB_CLASS_BATCH);
	assert_bytes(got.job, a.job);
}

Test(link, adopt_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_ADOPT);
	struct adopt_record a = {.state = ADOPT_RUNNING,
				 .sandbox = 0x2f,
				 .ran_ms = 1500,
				 .leased = true,
				 .class = JOB_CLASS_BATCH,
				 .job = job_bytes()};
	struct adopt_record got;

	memcpy(a.ticket, golden_ticket, sizeof(a.ticket));
	adopt_write(w, &a);
	golden_end(w, "ADOPT");
	cr_assert(adopt_read(golden_decoded("ADOPT", PARTY_SUPERVISOR).payload,
			     &got));
	cr_assert_eq(got.state, ADOPT_RUNNING);
	assert_bytes(span_of(got.ticket, 16), span_of(golden_ticket, 16));
	cr_assert_eq(got.sandbox, 0x2f);
	cr_assert_eq(got.ran_ms, 1500);
	cr_assert(got.leased);
	cr_assert_eq(got.class, JOB_CLASS_BATCH);
	assert_bytes(got.job, a.job);
}

Test(link, a_job_order_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_JOB);
	struct job_order order = {.memory_bytes = 2 * GIB,
				  .cpu_seconds = 1800,
				  .job = job_bytes()};
	struct job_order got;

	job_order_write(w, &order);
	golden_end(w, "JOB");
	cr_assert(
	    job_order_read(golden_decoded("JOB", PARTY_SUPERVISOR).payload,
			   &got));
	cr_assert_eq(got.memory_bytes, 2 * GIB);
	cr_assert_eq(got.cpu_seconds, 1800);
	assert_bytes(got.job, order.job);
}

Test(link, refused_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_REFUSED);
	struct refused_record refused = {.request = 5,
					 .status = ST_BUSY,
					 .retry_after_ms = 2500};
	struct refused_record got;

	refused_write(w, &refused);
	golden_end(w, "REFUSED");
	cr_assert(
	    refused_read(golden_decoded("REFUSED", PARTY_SUPERVISOR).payload,
			 &got));
	cr_assert_eq(got.request, 5);
	cr_assert_eq(got.status, ST_BUSY);
	cr_assert_eq(got.retry_after_ms, 2500);
}

Test(link, a_verdict_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_VERDICT);
	struct verdict_record verdict = {.status = ST_LIMIT_EXCEEDED,
					 .format = FORMAT_V8_HEAPPROFILE,
					 .input_bytes = 8 * GIB};
	struct verdict_record got;

	verdict_write(w, &verdict);
	golden_end(w, "VERDICT");
	cr_assert(
	    verdict_read(golden_decoded("VERDICT", PARTY_FRONT).payload, &got));
	cr_assert_eq(got.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(got.format, FORMAT_V8_HEAPPROFILE);
	cr_assert_eq(got.input_bytes, 8 * GIB);
}

Test(link, an_obituary_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_OBITUARY);
	struct obituary_record o = {.status = ST_WORKER_CRASHED,
				    .reason = RE_NO_ANSWER,
				    .signal = -11,
				    .limit = LIMIT_STALL_SECONDS,
				    .unreaped = true,
				    .actual = 61,
				    .max = 60,
				    .wall_us = 0x1112131415161718,
				    .cpu_us = 0x2122232425262728,
				    .peak_rss_bytes = 0x3132333435363738};
	struct obituary_record got;

	obituary_write(w, &o);
	golden_end(w, "OBITUARY");
	cr_assert(
	    obituary_read(golden_decoded("OBITUARY", PARTY_SUPERVISOR).payload,
			  &got));
	cr_assert_eq(got.status, o.status);
	cr_assert_eq(got.reason, o.reason);
	cr_assert_eq(got.signal, o.signal);
	cr_assert_eq(got.limit, o.limit);
	cr_assert(got.unreaped);
	cr_assert_eq(got.actual, o.actual);
	cr_assert_eq(got.max, o.max);
	cr_assert_eq(got.wall_us, o.wall_us);
	cr_assert_eq(got.cpu_us, o.cpu_us);
	cr_assert_eq(got.peak_rss_bytes, o.peak_rss_bytes);
}

static struct status_record counted = {
    .request = 77,
    .uptime_ms = 1001,
    .workers_max = 1,
    .workers_warm = 2,
    .workers_starting = 3,
    .workers_busy = 4,
    .workers_stuck = 5,
    .queue_max = 6,
    .jobs_admitted = 7,
    .jobs_queued = 8,
    .memory_total_bytes = 9,
    .memory_used_bytes = 10,
    .jobs_accepted = 11,
    .jobs_refused = 12,
    .jobs_ended = 13,
    .workers_started = 14,
    .workers_failed_start = 17,
    .front_restarts = 18,
    .sandbox = 0x3ff,
    .workers_wanted = 19,
    .jobs_queued_batch = 20,
};

static void
count_histogram(struct histogram *histogram, uint64_t first)
{
	for (unsigned i = 0; i <= HISTOGRAM_BOUNDS; i++)
		histogram->bucket[i] = first + i;
	histogram->sum = first + HISTOGRAM_BOUNDS + 1;
}

static void
count_all(struct tallies *t)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		for (unsigned k = 0; k < ST_COUNT; k++)
			t->ended[i][k] = 1000 + ST_COUNT * i + k;
	for (unsigned i = 0; i < REJECTED_COUNT; i++)
		t->rejected[i] = 2000 + i;
	for (unsigned i = 0; i < DEATH_COUNT; i++)
		t->deaths[i] = 3000 + i;
	count_histogram(&t->job_us, 4000);
	count_histogram(&t->input_bytes, 5000);
	t->peak_rss_bytes = 6000;
}

Test(link, status_is_written_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_STATUS);

	count_all(&counted.tallies);
	status_record_write(w, &counted);
	golden_end(w, "STATUS");
}

Test(link, status_is_read_as_the_golden_bytes_say)
{
	struct tallies all;
	struct status_record s;

	count_all(&all);
	cr_assert(status_record_read(
	    golden_decoded("STATUS", PARTY_SUPERVISOR).payload, &s));
	cr_assert_eq(s.request, 77);
	cr_assert_eq(s.uptime_ms, 1001);
	cr_assert_eq(s.workers_max, 1);
	cr_assert_eq(s.workers_warm, 2);
	cr_assert_eq(s.workers_starting, 3);
	cr_assert_eq(s.workers_busy, 4);
	cr_assert_eq(s.workers_stuck, 5);
	cr_assert_eq(s.queue_max, 6);
	cr_assert_eq(s.jobs_admitted, 7);
	cr_assert_eq(s.jobs_queued, 8);
	cr_assert_eq(s.memory_total_bytes, 9);
	cr_assert_eq(s.memory_used_bytes, 10);
	cr_assert_eq(s.jobs_accepted, 11);
	cr_assert_eq(s.jobs_refused, 12);
	cr_assert_eq(s.jobs_ended, 13);
	cr_assert_eq(s.workers_started, 14);
	cr_assert_eq(s.workers_failed_start, 17);
	cr_assert_eq(s.front_restarts, 18);
	cr_assert_eq(s.sandbox, 0x3ff);
	cr_assert_eq(s.workers_wanted, 19);
	cr_assert_eq(s.jobs_queued_batch, 20);
	cr_assert_arr_eq(&s.tallies, &all, sizeof(all));
}

Test(link, config_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_CONFIG);
	struct config_record config = {.workers = 4,
				       .memory_total_bytes = 8 * GIB,
				       .result_ttl_seconds = 900,
				       .result_store_bytes = 128 * MIB,
				       .runtime_dir =
					   span_str("/run/extractd")};
	struct config_record got;
	struct job job;

	golden_job(&job);
	config.defaults = config.ceilings = job.limits;
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		config.ceilings.of[i] += 1 + i;
	config_write(w, &config);
	golden_end(w, "CONFIG");
	cr_assert(
	    config_read(golden_decoded("CONFIG", PARTY_SUPERVISOR).payload,
			&got));
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		cr_assert_eq(got.defaults.of[i], config.defaults.of[i]);
		cr_assert_eq(got.ceilings.of[i], config.ceilings.of[i]);
	}
	cr_assert_eq(got.workers, 4);
	cr_assert_eq(got.memory_total_bytes, 8 * GIB);
	cr_assert_eq(got.result_ttl_seconds, 900);
	cr_assert_eq(got.result_store_bytes, 128 * MIB);
	assert_bytes(got.runtime_dir, config.runtime_dir);
}

Test(link, ready_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_READY);
	struct ready_record ready = {.sandbox = 0x35, .pid = 4242}, got;

	ready_write(w, &ready);
	golden_end(w, "READY");
	cr_assert(
	    ready_read(golden_decoded("READY", PARTY_WORKER).payload, &got));
	cr_assert_eq(got.sandbox, 0x35);
	cr_assert_eq(got.pid, 4242);
}

Test(link, admitted_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_ADMITTED);
	uint8_t ticket[TICKET_BYTES];
	uint64_t request;

	admitted_write(w, REQUEST, golden_ticket);
	golden_end(w, "ADMITTED");
	cr_assert(
	    admitted_read(golden_decoded("ADMITTED", PARTY_SUPERVISOR).payload,
			  &request, ticket));
	cr_assert_eq(request, REQUEST);
	assert_bytes(span_of(ticket, 16), span_of(golden_ticket, 16));
}

Test(link, cancel_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_CANCEL);
	enum reason reason;

	cancel_write(w, RE_CLIENT_GONE);
	golden_end(w, "CANCEL");
	cr_assert(cancel_read(golden_decoded("CANCEL", PARTY_FRONT).payload,
			      &reason));
	cr_assert_eq(reason, RE_CLIENT_GONE);
}

Test(link, channel_is_written_and_read_as_the_golden_bytes)
{
	struct writer *w = golden_begin(MSG_CHANNEL);
	uint32_t sandbox;

	channel_write(w, 0x2f);
	golden_end(w, "CHANNEL");
	cr_assert(
	    channel_read(golden_decoded("CHANNEL", PARTY_SUPERVISOR).payload,
			 &sandbox));
	cr_assert_eq(sandbox, 0x2f);
}
