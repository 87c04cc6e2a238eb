/*
 * From serving to done. Each stage ends by itself or by its clock; none can be
 * held up by a worker, a client or the front.
 */
#include "broker/supervisor/drain.h"

#include "broker/supervisor/clock.h"
#include "broker/supervisor/letters.h"
#include "broker/supervisor/life.h"
#include "broker/supervisor/log.h"
#include "broker/supervisor/notify.h"
#include "broker/supervisor/service.h"
#include "proto/fd.h"

/* For clients to be told and results to be fetched; a private service whose
 * owner is gone has no clients. */
#define FLUSH_US (2 * US_PER_SECOND)
#define FLUSH_ORPHANED_US (100 * US_PER_MS)

static void
enter(struct service *s, enum drain_stage stage, uint64_t after_us)
{
	static const char *const names[] = {
	    [DRAIN_DRAINING] = "draining",
	    [DRAIN_CANCELLING] = "cancelling",
	    [DRAIN_FLUSHING] = "flushing",
	    [DRAIN_DONE] = "done",
	};

	s->drain.stage = stage;
	log_event(LOG_LEVEL_INFO, "shutdown", " stage=%s busy=%u", names[stage],
		  jobs_busy(&s->jobs));
	deadline_clear(&s->deadlines, &s->drain.clock);
	if (after_us > 0)
		deadline_set(&s->deadlines, &s->drain.clock,
			     stage == DRAIN_FLUSHING ? DEADLINE_FLUSH
						     : DEADLINE_DRAIN,
			     0, s->now_us + after_us);
}

static void
stop_admitting(struct service *s)
{
	notify_systemd("STOPPING=1");
	letter_drain(&s->front.box);
	enter(s, DRAIN_DRAINING, s->config.drain_seconds * US_PER_SECOND);
	life_shut_down(s, false);
}

void
drain_begin(struct service *s)
{
	if (s->drain.stage != DRAIN_SERVING)
		return;
	stop_admitting(s);
	if (s->config.drain_seconds == 0)
		drain_cancel(s);
}

void
drain_cancel(struct service *s)
{
	if (s->drain.stage == DRAIN_SERVING)
		stop_admitting(s);
	if (s->drain.stage != DRAIN_DRAINING)
		return;
	enter(s, DRAIN_CANCELLING, 0);
	life_shut_down(s, true);
}

/* An end of file on its link tells the front to finish. */
static void
dismiss_front(struct service *s)
{
	if (s->front.link < 0 || s->jobs.count[JOB_ENDED] > 0 ||
	    !letterbox_empty(&s->front.box))
		return;
	letterbox_fini(&s->front.box);
	fd_close(&s->front.link);
}

void
drain_advance(struct service *s)
{
	if ((s->drain.stage == DRAIN_DRAINING ||
	     s->drain.stage == DRAIN_CANCELLING) &&
	    jobs_busy(&s->jobs) == 0)
		enter(s, DRAIN_FLUSHING,
		      s->drain.orphaned ? FLUSH_ORPHANED_US : FLUSH_US);
	if (s->drain.stage != DRAIN_FLUSHING)
		return;
	dismiss_front(s);
	/* one that is about to be back still has somebody to tell */
	if (s->front.pidfd < 0 && !deadline_is_set(&s->front.clock))
		enter(s, DRAIN_DONE, 0);
}

void
drain_late(struct service *s)
{
	if (s->drain.stage == DRAIN_FLUSHING)
		enter(s, DRAIN_DONE, 0);
	else
		drain_cancel(s);
}
