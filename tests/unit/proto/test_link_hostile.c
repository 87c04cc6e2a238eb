/*
 * The same records, not exactly right: what a front that was taken over, or a
 * worker, might send.
 */
#include <criterion/criterion.h>

#include "proto/frame.h"
#include "proto/link.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

/* A reader of payloads for each record. */
#define READS(record, type)                       \
	static bool record##_reads(struct span b) \
	{                                         \
		struct type value;                \
		return record##_read(b, &value);  \
	}

READS(admit, admit_record)
READS(refused, refused_record)
READS(obituary, obituary_record)
READS(adopt, adopt_record)
READS(status_record, status_record)
READS(verdict, verdict_record)
READS(config, config_record)
READS(ready, ready_record)
READS(job_order, job_order)

static bool
admitted_reads(struct span bytes)
{
	uint8_t ticket[TICKET_BYTES];
	uint64_t request;

	return admitted_read(bytes, &request, ticket);
}

static bool
cancel_reads(struct span bytes)
{
	enum reason reason;

	return cancel_read(bytes, &reason);
}

static bool
channel_reads(struct span bytes)
{
	uint32_t sandbox;

	return channel_read(bytes, &sandbox);
}

struct record {
	const char *name;
	enum party sender;
	reads_fn reads;
	size_t least; /* of those that end in a job record, which is forwarded
		       * unread; 0: exactly as long as it is */
};

static const struct record records[] = {
    {"ADMIT", PARTY_FRONT, admit_reads, 50},
    {"ADOPT", PARTY_SUPERVISOR, adopt_reads, 27},
    {"JOB", PARTY_SUPERVISOR, job_order_reads, 16},
    {"REFUSED", PARTY_SUPERVISOR, refused_reads, 0},
    {"VERDICT", PARTY_FRONT, verdict_reads, 0},
    {"OBITUARY", PARTY_SUPERVISOR, obituary_reads, 0},
    {"STATUS", PARTY_SUPERVISOR, status_record_reads, 0},
    {"CONFIG", PARTY_SUPERVISOR, config_reads, 0},
    {"READY", PARTY_WORKER, ready_reads, 0},
    {"ADMITTED", PARTY_SUPERVISOR, admitted_reads, 0},
    {"CANCEL", PARTY_FRONT, cancel_reads, 0},
    {"CHANNEL", PARTY_SUPERVISOR, channel_reads, 0},
};

Test(link, records_are_refused_when_cut_anywhere_and_with_anything_behind)
{
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		const struct record *rec = &records[i];
		struct span payload =
		    golden_decoded(rec->name, rec->sender).payload;

		if (rec->least > 0)
			assert_at_least(rec->reads, payload, rec->least);
		else
			assert_exact(rec->reads, payload);
	}
}

Test(link, a_lease_is_0_or_1_and_a_class_is_one_of_the_table)
{
	struct span payload = golden_decoded("ADMIT", PARTY_FRONT).payload;

	for (unsigned v = 2; v < 256; v++)
		assert_refused(admit_reads, payload, 48, (uint8_t)v);
	for (unsigned v = JOB_CLASS_COUNT; v < 256; v++)
		assert_refused(admit_reads, payload, 49, (uint8_t)v);
}

Test(link, a_refusal_has_a_status_that_is_no_success)
{
	struct span payload =
	    golden_decoded("REFUSED", PARTY_SUPERVISOR).payload;

	assert_refused(refused_reads, payload, 8, ST_OK);
	for (unsigned v = ST_COUNT; v < 256; v++)
		assert_refused(refused_reads, payload, 8, (uint8_t)v);
	assert_refused(refused_reads, payload, 9, 1);
}

Test(link, a_verdict_stays_within_its_tables)
{
	struct span payload = golden_decoded("VERDICT", PARTY_FRONT).payload;

	for (unsigned v = ST_COUNT; v < 256; v++)
		assert_refused(verdict_reads, payload, 0, (uint8_t)v);
	for (unsigned v = FORMAT_COUNT; v < 256; v++)
		assert_refused(verdict_reads, payload, 2, (uint8_t)v);
}

Test(link, an_obituary_stays_within_its_tables)
{
	struct span payload =
	    golden_decoded("OBITUARY", PARTY_SUPERVISOR).payload;

	for (unsigned v = ST_COUNT; v < 256; v++)
		assert_refused(obituary_reads, payload, 0, (uint8_t)v);
	for (unsigned v = RE_COUNT; v < 256; v++)
		assert_refused(obituary_reads, payload, 2, (uint8_t)v);
	for (unsigned v = LIMIT_COUNT; v < LIMIT_NONE; v++)
		assert_refused(obituary_reads, payload, 8, (uint8_t)v);
	for (unsigned v = 2; v < 256; v++)
		assert_refused(obituary_reads, payload, 9, (uint8_t)v);
}

Test(link, an_obituarys_reserved_bytes_are_0)
{
	struct span payload =
	    golden_decoded("OBITUARY", PARTY_SUPERVISOR).payload;

	for (size_t at = 10; at < 16; at++)
		assert_refused(obituary_reads, payload, at, 1);
}

Test(link, an_adopted_job_is_in_a_state_that_is_known)
{
	struct span payload = golden_decoded("ADOPT", PARTY_SUPERVISOR).payload;

	for (unsigned v = ADOPT_STATE_COUNT; v < 256; v++)
		assert_refused(adopt_reads, payload, 0, (uint8_t)v);
}

Test(link, an_adopted_jobs_lease_and_class_are_known_ones)
{
	struct span payload = golden_decoded("ADOPT", PARTY_SUPERVISOR).payload;

	for (unsigned v = 2; v < 256; v++)
		assert_refused(adopt_reads, payload, 25, (uint8_t)v);
	for (unsigned v = JOB_CLASS_COUNT; v < 256; v++)
		assert_refused(adopt_reads, payload, 26, (uint8_t)v);
}

Test(link, a_reason_to_cancel_is_a_known_one)
{
	struct span payload = golden_decoded("CANCEL", PARTY_FRONT).payload;

	for (unsigned v = RE_COUNT; v < 256; v++)
		assert_refused(cancel_reads, payload, 0, (uint8_t)v);
	assert_refused(cancel_reads, payload, 1, 1);
}

Test(link, a_refused_ticket_leaves_the_output_untouched)
{
	uint8_t bytes[25] = {0}, ticket[TICKET_BYTES] = {9};
	uint64_t request = 5;

	memset(bytes, 7, sizeof(bytes));
	cr_assert_not(admitted_read(span_of(bytes, 25), &request, ticket));
	cr_assert_not(admitted_read(span_of(bytes, 23), &request, ticket));
	cr_assert_eq(request, 5);
	cr_assert_eq(ticket[0], 9);
}

/* Random values of every bit that a record may have, written again. */
Test(link, random_payloads_that_are_read_are_written_the_same)
{
	for (unsigned i = 0; i < 2000; i++) {
		uint8_t bytes[STATUS_BYTES], out[STATUS_BYTES];
		struct span in = span_of(bytes, sizeof(bytes));
		struct status_record s;
		struct admit_record a;
		struct writer w;

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)dice();
		cr_assert(status_record_read(in, &s));
		writer_init(&w, out, sizeof(out));
		status_record_write(&w, &s);
		assert_bytes(span_of(out, w.len), in);
		bytes[48] &= 1;
		bytes[49] &= 1;
		cr_assert(admit_read(in, &a));
		writer_init(&w, out, sizeof(out));
		admit_write(&w, &a);
		assert_bytes(span_of(out, w.len), in);
	}
}
