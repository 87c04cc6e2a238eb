/*
 * Jobs by id and by ticket, their ends, and who waits for them.
 */
#include <criterion/criterion.h>
#include <unistd.h>

#include "broker/front/ledger.h"
#include "tests/unit/front/play.h"

TestSuite(ledger);

static struct ledger ledger;
static uint8_t record[FRAME_PAYLOAD_MAX];
static size_t record_len;

static void
begin(void)
{
	struct writer w;
	struct job job;

	play_job(&job);
	writer_init(&w, record, sizeof(record));
	job_write(&w, &job);
	record_len = w.len;
	ledger_init(&ledger);
}

static struct tracked *
add(uint64_t id)
{
	return ledger_add(&ledger, id, span_of(record, record_len));
}

Test(ledger, finds_what_was_added)
{
	begin();
	for (uint64_t id = 1; id <= 10000; id++)
		cr_assert_not_null(add(id << 32));
	for (uint64_t id = 1; id <= 10000; id++)
		cr_assert_eq(ledger_find(&ledger, id << 32)->id, id << 32);
	cr_expect_null(ledger_find(&ledger, 5));
	cr_expect_eq(ledger.live.len, 10000);
	ledger_fini(&ledger);
}

Test(ledger, takes_no_id_twice_and_no_record_that_is_none)
{
	begin();
	cr_expect_not_null(add(1));
	cr_expect_null(add(1));
	record_len--;
	cr_expect_null(add(2));
	cr_expect_null(ledger_find(&ledger, 2));
	ledger_fini(&ledger);
}

Test(ledger, a_ticket_opens_only_an_admitted_job)
{
	uint8_t ticket[TICKET_BYTES] = {1};
	struct tracked *job;

	begin();
	job = add(1);
	cr_expect_null(ledger_find_ticket(&ledger, ticket));
	memcpy(job->ticket, ticket, sizeof(ticket));
	cr_expect_eq(ledger_find_ticket(&ledger, ticket), job);
	job->stage = STAGE_QUEUED;
	cr_expect_null(ledger_find_ticket(&ledger, ticket));
	ledger_fini(&ledger);
}

Test(ledger, an_ended_job_keeps_its_name_and_nothing_open)
{
	struct tracked *job;
	int fds[2];

	begin();
	job = add(1);
	cr_assert_eq(pipe(fds), 0);
	job->channel = fds[0];
	ledger_end(&ledger, job);
	cr_expect_eq(close(fds[0]), -1);
	close(fds[1]);
	cr_expect(span_is(job->job.name, "app.cpuprofile"));
	cr_expect_null(job->record);
	cr_expect_eq(ledger.live.len, 0);
	cr_expect_eq(ledger.ended.len, 1);
	cr_expect_eq(ledger_find(&ledger, 1), job);
	ledger_remove(&ledger, job);
	cr_expect_null(ledger_find(&ledger, 1));
	cr_expect_eq(ledger.ended.len, 0);
	ledger_fini(&ledger);
}

static struct waiter *
wait_as(struct tracked *job, uint8_t peer, const char *id)
{
	struct peer who = {.id_len = 1, .id = {peer}};
	struct request request = {.has_id = true, .id = span_str(id)};

	return ledger_wait(&ledger, job, &who, &request);
}

Test(ledger, who_asks_again_waits_once)
{
	struct tracked *job;
	struct waiter *w;

	begin();
	job = add(1);
	w = wait_as(job, 1, "a");
	cr_expect_eq(wait_as(job, 1, "a"), w);
	cr_expect_neq(wait_as(job, 1, "b"), w);
	cr_expect_neq(wait_as(job, 2, "a"), w);
	cr_expect_eq(job->waiters_len, 3);
	ledger_fini(&ledger);
}

Test(ledger, so_many_wait_and_no_more)
{
	struct tracked *job;

	begin();
	job = add(1);
	for (unsigned i = 0; i < WAITERS_MAX; i++)
		cr_expect_not_null(wait_as(job, (uint8_t)i, "a"));
	cr_expect_null(wait_as(job, 99, "a"));
	ledger_unwait(&ledger, job, &job->waiters->next);
	cr_expect_not_null(wait_as(job, 99, "a"));
	ledger_fini(&ledger);
}

Test(ledger, who_asks_under_many_ids_replaces_its_own_oldest)
{
	struct tracked *job;
	char id[3] = "a0";

	begin();
	job = add(1);
	wait_as(job, 2, "other");
	for (unsigned i = 0; i < 2 * WAITERS_MAX; i++) {
		id[1] = (char)('0' + i);
		cr_expect_not_null(wait_as(job, 1, id));
	}
	cr_expect_eq(job->waiters_len, WAITERS_MAX);
	cr_expect_eq(job->waiters->peer.id[0], 2, "nobody else's goes");
	cr_expect_eq(job->waiters->next->id[1], '0' + WAITERS_MAX + 1);
	ledger_fini(&ledger);
}

Test(ledger, counts_who_is_still_to_be_told)
{
	struct tracked *job;

	begin();
	job = add(1);
	wait_as(job, 1, "a");
	cr_expect_eq(ledger.telling, 0);
	ledger_end(&ledger, job);
	cr_expect_eq(ledger.telling, 1);
	wait_as(job, 2, "a");
	cr_expect_eq(ledger.telling, 2);
	ledger_unwait(&ledger, job, &job->waiters);
	cr_expect_eq(ledger.telling, 1);
	ledger_remove(&ledger, job);
	cr_expect_eq(ledger.telling, 0);
	ledger_fini(&ledger);
}
