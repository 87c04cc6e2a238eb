/*
 * The front's records as the supervisor decodes and obeys them, with workers
 * that come and go in between: its counts, memory and jobs add up after each
 * step, and who holds no ticket gets one while those who came to the door leave
 * a place. Input: steps of one byte each; behind a record's step a 16-bit
 * length and so many bytes. Job ids count from 1.
 */
#include "tests/fuzz/fuzz_supervisor.h"

/* An ADMIT that is not to be answered BUSY. One place is not for batch jobs. */
static bool
must_get_in(const struct service *s, struct span bytes)
{
	struct admit_record admit;
	struct frame frame;
	const struct live_job *job;

	if (frame_decode(bytes, PARTY_FRONT, &frame) != ST_OK ||
	    frame.message != MSG_ADMIT || !admit_read(frame.payload, &admit) ||
	    pool_is_clogged(s) ||
	    jobs_arrived(&s->jobs) >= s->config.workers + s->config.queue - 1)
		return false;
	TAILQ_FOREACH(job, &s->jobs.of[JOB_ADMITTED], line)
		if (job->client == admit.client)
			return false;
	return true;
}

static enum status
obey(struct service *s, struct span bytes, int *fd)
{
	bool welcome = must_get_in(s, bytes);
	uint64_t refused = s->stats.jobs_refused;
	enum status status = record_handle(s, bytes, fd);

	BUG_ON(welcome && s->stats.jobs_refused != refused);
	return status;
}

static bool
step(struct service *s, struct reader *r)
{
	static const struct ending killed = {.signal = 9};
	unsigned what = reader_get_u8(r) % 6;
	enum status status = ST_OK;
	int fd = -1, far = -1;

	if (what <= 1) {
		struct span bytes = reader_get_bytes(r, reader_get_u16(r));

		fd = what == 1 ? play_socket(&far) : -1;
		status = obey(s, bytes, &fd);
	} else if (what == 2) {
		far = play_worker(s);
		pool_assign(s);
	} else if (what == 3) {
		play_reap(s, &killed);
	} else if (what == 4) {
		play_grace(s);
	} else {
		front_disown_jobs(s);
		s->front.adopting = true;
	}
	front_tend(s);
	supervisor_check_pool(s);
	supervisor_check_jobs(s);
	fd_close(&fd);
	fd_close(&far);
	return status == ST_OK && !r->failed;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct service s;
	int far = supervisor_init(&s);
	struct reader r;

	reader_init(&r, span_of(data, size));
	while (r.left > 0 && step(&s, &r))
		;
	service_fini(&s);
	fd_close(&far);
	return 0;
}
