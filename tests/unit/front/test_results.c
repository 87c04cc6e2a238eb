/*
 * The budget of results, and who goes when it is short.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "broker/front/results.h"
#include "tests/unit/front/play.h"

TestSuite(results);

#define TTL_MS 60000

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
	results_init(&results, max, TTL_MS);
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
	cr_expect_null(results_expired(&results, &ledger, 1000 + TTL_MS - 1));
	cr_expect_eq(results_expired(&results, &ledger, 1000 + TTL_MS), job);
	ledger_remove(&ledger, job);
	cr_expect_null(results_expired(&results, &ledger, 1000 + TTL_MS));
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

/* An ended job whose text takes so many bytes. */
static struct tracked *
add_kept(uint64_t id, size_t bytes)
{
	struct tracked *job = add(id);

	job->final.len = bytes;
	results_settle(&results, job);
	ledger_end(&ledger, job);
	return job;
}

/* Who goes for the live job? */
static const struct tracked *
in_the_way(const struct tracked *job)
{
	return results_in_the_way(&results, &ledger, job);
}

Test(results, those_that_somebody_was_sent_go_first)
{
	struct tracked *live, *told;

	begin(16 * MIB);
	live = add(1);
	add_kept(2, MIB);
	told = add_kept(3, 1);
	told->told = true;
	cr_expect_eq(in_the_way(live), told);
	ledger_fini(&ledger);
}

Test(results, then_the_oldest_that_nobody_waits_for)
{
	struct tracked *live, *waited, *kept;
	struct waiter *waiter = calloc(1, sizeof(*waiter));

	begin(16 * MIB);
	live = add(1);
	waited = add_kept(2, 1);
	kept = add_kept(3, 1);
	waited->waiters = waiter;
	cr_expect_eq(in_the_way(live), kept);
	results_release(&results, kept);
	ledger_remove(&ledger, kept);
	cr_expect_null(in_the_way(live), "somebody waits for the other");
	waited->waiters = NULL;
	free(waiter);
	cr_expect_eq(in_the_way(live), waited);
	ledger_fini(&ledger);
}

Test(results, none_goes_that_others_end_will_make_room_for)
{
	struct tracked *live, *running, *kept;

	begin(17 * MIB);
	live = add(1);
	running = add(2);
	kept = add_kept(3, MIB);
	cr_assert(results_reserve(&results, running));
	cr_expect_not(results_reserve(&results, live));
	cr_expect_null(in_the_way(live));
	add_kept(4, 1);
	cr_expect_eq(in_the_way(live), kept, "16 of 17 MiB are not free");
	ledger_fini(&ledger);
}

Test(results, one_larger_than_the_store_gets_all_of_it)
{
	struct tracked *live, *kept;

	begin(MIB);
	live = add(1);
	kept = add_kept(2, 1);
	cr_expect_not(results_reserve(&results, live));
	cr_expect_eq(in_the_way(live), kept);
	results_release(&results, kept);
	ledger_remove(&ledger, kept);
	cr_expect(results_reserve(&results, live));
	cr_expect_eq(results.used, MIB);
	ledger_fini(&ledger);
}

Test(results, beyond_the_budget_who_is_waited_for_goes_last)
{
	struct tracked *waited, *told, *kept;
	struct waiter waiter = {0};

	begin(1);
	waited = add_kept(1, 1);
	kept = add_kept(2, 1);
	told = add_kept(3, 1);
	waited->waiters = &waiter;
	told->told = true;
	cr_expect_eq(results_expired(&results, &ledger, 0), told);
	results_release(&results, told);
	ledger_remove(&ledger, told);
	cr_expect_eq(results_expired(&results, &ledger, 0), kept);
	waited->final.len = 2;
	results_release(&results, kept);
	ledger_remove(&ledger, kept);
	cr_expect_null(results_expired(&results, &ledger, 0));
	results_settle(&results, waited);
	cr_expect_eq(results_expired(&results, &ledger, 0), waited);
	waited->waiters = NULL;
	ledger_fini(&ledger);
}

Test(results, the_last_that_went_are_remembered)
{
	begin(MIB);
	cr_expect_not(results_went(&results, 0));
	cr_expect_not(results_went(&results, 1));
	for (uint64_t i = 1; i <= RESULTS_GONE_MAX; i++)
		results_remember(&results, i);
	cr_expect(results_went(&results, 1));
	cr_expect(results_went(&results, RESULTS_GONE_MAX));
	results_remember(&results, RESULTS_GONE_MAX + 1);
	cr_expect_not(results_went(&results, 1));
	cr_expect(results_went(&results, 2));
	cr_expect(results_went(&results, RESULTS_GONE_MAX + 1));
}
