/*
 * The budget of results, and who goes when it is short.
 */
#include <criterion/criterion.h>

#include "broker/front/results.h"
#include "tests/unit/front/play.h"

TestSuite(results);

static struct ledger ledger;
static struct results results;

static struct tracked *
add(uint64_t id)
{
	uint8_t record[FRAME_PAYLOAD_MAX];
	struct tracked *tracked;
	struct writer w;
	struct job job;

	play_job(&job);
	writer_init(&w, record, sizeof(record));
	job_write(&w, &job);
	tracked = ledger_add(&ledger, id, span_of(record, w.len));
	cr_assert_not_null(tracked);
	return tracked;
}

static void
begin(size_t max)
{
	ledger_init(&ledger);
	results_init(&results, max);
}

static struct tracked *
add_ended(uint64_t id, int64_t ended_ms)
{
	struct tracked *job = add(id);

	job->ended_ms = ended_ms;
	ledger_end(&ledger, job);
	return job;
}

Test(results, a_job_reserves_its_whole_result_once)
{
	struct tracked *job;

	begin(32 * MIB);
	job = add(1);
	cr_expect(results_reserve(&results, job));
	cr_expect(results_reserve(&results, job));
	cr_expect_eq(results.used, 16 * MIB);
	results_release(&results, job);
	cr_expect_eq(results.used, 0);
	ledger_fini(&ledger);
}

Test(results, who_finds_no_room_waits_until_there_is)
{
	struct tracked *a, *b, *c;

	begin(32 * MIB);
	a = add(1);
	b = add(2);
	c = add(3);
	cr_expect(results_reserve(&results, a));
	cr_expect(results_reserve(&results, b));
	cr_expect_not(results_reserve(&results, c));
	results_release(&results, a);
	cr_expect(results_reserve(&results, c));
	ledger_fini(&ledger);
}

Test(results, an_ended_job_holds_what_its_text_takes)
{
	struct tracked *job;

	begin(32 * MIB);
	job = add(1);
	cr_expect(results_reserve(&results, job));
	outbox_init(&job->final, 100);
	outbox_raw(&job->final, "{}");
	results_settle(&results, job);
	cr_expect_eq(results.used, 2);
	results_release(&results, job);
	cr_expect_eq(results.used, 0);
	ledger_fini(&ledger);
}

Test(results, an_error_is_kept_even_when_there_is_no_room)
{
	struct tracked *full, *job;

	begin(16 * MIB);
	full = add(1);
	job = add(2);
	cr_expect(results_reserve(&results, full));
	outbox_init(&job->final, 100);
	outbox_raw(&job->final, "{}");
	results_settle(&results, job);
	cr_expect_eq(results.used, 16 * MIB + 2);
	cr_expect_not(results_reserve(&results, add(3)));
	ledger_fini(&ledger);
}

Test(results, expire_after_a_minute_the_oldest_first)
{
	struct tracked *job;

	begin(MIB);
	cr_expect_null(results_expired(&results, &ledger, 99));
	job = add_ended(1, 1000);
	add_ended(2, 1001);
	cr_expect_null(
	    results_expired(&results, &ledger, 1000 + RESULTS_KEPT_MS - 1));
	cr_expect_eq(results_expired(&results, &ledger, 1000 + RESULTS_KEPT_MS),
		     job);
	ledger_remove(&ledger, job);
	cr_expect_null(
	    results_expired(&results, &ledger, 1000 + RESULTS_KEPT_MS));
	ledger_fini(&ledger);
}

Test(results, too_many_are_not_kept)
{
	begin(MIB);
	for (uint64_t i = 1; i <= KEPT_JOBS_MAX; i++)
		add_ended(i, 0);
	cr_expect_null(results_expired(&results, &ledger, 1));
	add_ended(KEPT_JOBS_MAX + 1, 0);
	cr_expect_eq(results_expired(&results, &ledger, 1),
		     ledger_find(&ledger, 1));
	ledger_fini(&ledger);
}

Test(results, errors_beyond_the_budget_drive_out_the_oldest)
{
	struct tracked *full, *failed;

	begin(16 * MIB);
	full = add(1);
	failed = add_ended(2, 1000);
	cr_expect(results_reserve(&results, full));
	cr_expect_null(results_expired(&results, &ledger, 1000));
	outbox_init(&failed->final, 100);
	outbox_raw(&failed->final, "{}");
	results_settle(&results, failed);
	cr_expect_eq(results_expired(&results, &ledger, 1000), failed);
	ledger_fini(&ledger);
}

Test(results, those_that_somebody_was_sent_go_first)
{
	struct tracked *told;

	begin(MIB);
	add_ended(1, 0);
	told = add_ended(2, 0);
	cr_expect_null(results_oldest_told(&ledger));
	told->told = true;
	cr_expect_eq(results_oldest_told(&ledger), told);
	ledger_fini(&ledger);
}
