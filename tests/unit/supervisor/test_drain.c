/*
 * The last stage of stopping: who is still waited for.
 */
#include "tests/unit/supervisor/fixture.h"

static struct fixture *
flushing(void)
{
	struct fixture *f = fixture_new();

	drain_begin(&f->s);
	f->s.front.ready = false;
	fd_close(&f->s.front.link);
	letterbox_fini(&f->s.front.box);
	return f;
}

Test(drain, without_a_front_nobody_is_waited_for)
{
	struct fixture *f = flushing();

	drain_advance(&f->s);
	cr_assert_eq(f->s.drain.stage, DRAIN_DONE);
	fixture_free(f);
}

Test(drain, a_front_that_is_about_to_be_back_is_waited_for)
{
	struct fixture *f = flushing();

	deadline_set(&f->s.deadlines, &f->s.front.clock, DEADLINE_FRONT_START,
		     0, f->s.now_us);
	drain_advance(&f->s);
	cr_assert_eq(f->s.drain.stage, DRAIN_FLUSHING);
	drain_late(&f->s);
	cr_assert_eq(f->s.drain.stage, DRAIN_DONE);
	fixture_free(f);
}
