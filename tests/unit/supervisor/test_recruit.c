/*
 * How soon a worker that was of no use is replaced.
 */
#include "broker/supervisor/recruit.h"

#include <signal.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/room_keeper.h"
#include "tests/unit/supervisor/fixture.h"

/* No room is built, and every start fails at once: no process is made. */
static struct fixture *
fixture_without_programs(void)
{
	struct fixture *f = fixture_new();

	f->s.room.impossible = true;
	log_set_level(LOG_LEVEL_ERROR); /* a thousand of them end */
	return f;
}

static void
end_warm_worker(struct fixture *f, const struct ending *ending)
{
	struct worker *w;
	int far = fixture_worker(f);

	w = pool_find(&f->s.pool, WORKER_WARM);
	cr_assert_not_null(w);
	pool_bury(&f->s, (unsigned)(w - f->s.pool.workers), ending);
	fd_close(&far);
}

/* Each try fails here, and is counted. */
static bool
tries_to_start(struct fixture *f)
{
	uint64_t before = f->s.stats.workers_failed_start;

	recruit_fill(&f->s);
	return f->s.stats.workers_failed_start > before;
}

/* The highest count that is still replaced at once. */
static unsigned
lose_until_waiting(struct fixture *f)
{
	static const struct ending killed = {.signal = SIGKILL};

	unsigned n = 0;

	do {
		end_warm_worker(f, &killed);
		cr_assert_lt(++n, 1000);
	} while (f->s.pool.retry_us <= f->s.now_us);
	return n - 1;
}

Test(recruit, warm_workers_that_are_killed_all_the_time_do_not_spin)
{
	struct fixture *f = fixture_without_programs();
	uint64_t begin = f->s.now_us;

	cr_assert_geq(lose_until_waiting(f), f->s.pool.places);
	cr_assert_not(tries_to_start(f));
	cr_assert_eq(f->s.pool.failures, 0);
	cr_assert_leq(f->s.pool.retry_us, begin + US_PER_SECOND);
	cr_assert_eq(deadlines_first(&f->s.deadlines)->at_us,
		     f->s.pool.retry_us);
	f->s.now_us = f->s.pool.retry_us;
	cr_assert(tries_to_start(f));
	fixture_free(f);
}

Test(recruit, warm_workers_that_are_killed_now_and_then_are_replaced_at_once)
{
	static const struct ending killed = {.signal = SIGKILL};
	struct fixture *f = fixture_without_programs();

	for (unsigned n = 0; n < 1000; n++) {
		end_warm_worker(f, &killed);
		f->s.now_us += US_PER_SECOND / 4;
		cr_assert_leq(f->s.pool.retry_us, f->s.now_us);
	}
	cr_assert_eq(f->s.stats.tallies.deaths[DEATH_UNUSED], 1000);
	fixture_free(f);
}

Test(recruit, warm_workers_that_end_by_themselves_are_failed_starts)
{
	static const struct ending gone = {.exit_status = 2};
	struct fixture *f = fixture_without_programs();
	uint64_t last = 0;

	for (unsigned n = 0; n < 5; n++) {
		end_warm_worker(f, &gone);
		cr_assert_gt(f->s.pool.retry_us - f->s.now_us, last);
		last = f->s.pool.retry_us - f->s.now_us;
		cr_assert_not(tries_to_start(f));
		f->s.now_us = f->s.pool.retry_us;
	}
	cr_assert_eq(f->s.pool.failures, 5);
	fixture_free(f);
}

Test(recruit, a_worker_that_is_never_ready_is_a_death)
{
	struct fixture *f = fixture_without_programs();
	int far = fixture_worker(f);
	struct worker *w = pool_find(&f->s.pool, WORKER_WARM);

	pool_enter(&f->s.pool, w, WORKER_STARTING);
	recruit_late(&f->s, (unsigned)(w - f->s.pool.workers));
	cr_assert_eq(f->s.stats.tallies.deaths[DEATH_START_FAILED], 1);
	cr_assert_eq(w->state, WORKER_DYING);
	fd_close(&far);
	fixture_free(f);
}

Test(recruit, while_the_room_is_built_no_worker_is_started_and_none_failed)
{
	struct fixture *f = fixture_new();
	struct room *room = &f->s.room;
	int far;

	room->state = ROOM_RISING;
	room->word = play_socket(&far);
	cr_assert_not(tries_to_start(f));
	cr_assert_eq(f->s.pool.failures, 0);
	cr_assert_eq(f->s.pool.count[WORKER_STARTING], 0);
	room_keeper_hear(&f->s);
	cr_assert_eq(room->state, ROOM_RISING);
	fd_close(&far);
	fixture_free(f);
}
