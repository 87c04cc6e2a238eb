/*
 * A front that says nothing: killed when it hangs, kept when it was only we who
 * did not listen.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "broker/supervisor/clock.h"
#include "broker/supervisor/fronts.h"
#include "tests/unit/supervisor/fixture.h"

/* A process in the front's place. */
static void
give_process(struct fixture *f)
{
	struct front *front = &f->s.front;

	front->pid = fork();
	cr_assert_geq(front->pid, 0);
	if (front->pid == 0)
		for (;;)
			pause();
	front->pidfd = (int)syscall(SYS_pidfd_open, front->pid, 0);
	cr_assert_geq(front->pidfd, 0);
}

static void
ready(struct fixture *f)
{
	give_process(f);
	f->s.front.ready = false;
	f->s.now_us = 100 * US_PER_SECOND;
	cr_assert_eq(fixture_tell(f, MSG_FRONT_READY, 0), ST_OK);
	cr_assert_eq(f->s.front.clock.kind, DEADLINE_FRONT_SILENT);
	cr_assert_eq(f->s.front.clock.at_us, 110 * US_PER_SECOND);
	cr_assert_not(front_is_quiet(&f->s));
}

/* The clock has come to its end so many us ago. */
static void
come_due(struct fixture *f, uint64_t late_us)
{
	uint64_t due_us = f->s.front.clock.at_us;

	f->s.now_us = due_us + late_us;
	deadline_clear(&f->s.deadlines, &f->s.front.clock);
	front_silent(&f->s, due_us);
}

/* As the front sends it: read when the supervisor looks. */
static void
send_here(struct fixture *f)
{
	struct writer w;

	writer_init(&w, f->bytes, sizeof(f->bytes));
	frame_begin(&w, MSG_FRONT_HERE, 0);
	cr_assert_eq(chan_send(f->front, frame_end(&w), -1, false), CHAN_OK);
}

Test(fronts, one_that_says_nothing_is_killed)
{
	struct fixture *f = fixture_new();

	ready(f);
	come_due(f, 1000);
	cr_assert(f->s.front.condemned);
	cr_assert_eq(waitid(P_PIDFD, (id_t)f->s.front.pidfd, &(siginfo_t){0},
			    WEXITED | WNOWAIT),
		     0);
	fixture_free(f); /* and kills what is left */
}

Test(fronts, a_word_that_waits_to_be_read_is_one)
{
	struct fixture *f = fixture_new();

	ready(f);
	send_here(f);
	come_due(f, 1000);
	cr_assert_not(f->s.front.condemned);
	cr_assert_eq(f->s.front.clock.at_us, f->s.now_us + 10 * US_PER_SECOND);
	come_due(f, 1000);
	cr_assert(f->s.front.condemned);
	fixture_free(f); /* and kills what is left */
}

Test(fronts, who_was_stopped_himself_asks_again)
{
	struct fixture *f = fixture_new();

	ready(f);
	come_due(f, 3600 * US_PER_SECOND);
	cr_assert_not(f->s.front.condemned);
	come_due(f, 0);
	cr_assert(f->s.front.condemned);
	fixture_free(f); /* and kills what is left */
}

Test(fronts, it_is_quiet_when_it_has_missed_a_word)
{
	struct fixture *f = fixture_new();

	ready(f);
	f->s.now_us += 2 * US_PER_SECOND;
	cr_assert_not(front_is_quiet(&f->s));
	f->s.now_us += 1;
	cr_assert(front_is_quiet(&f->s));
	send_here(f);
	records_read(&f->s);
	cr_assert_not(front_is_quiet(&f->s));
	fixture_free(f); /* and kills what is left */
}
