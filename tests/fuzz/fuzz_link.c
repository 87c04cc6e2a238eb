/*
 * The front's records as the supervisor decodes and obeys them, with workers
 * that come and go in between. Input: steps of one byte each; behind a record's
 * step a 16-bit length and so many bytes. Job ids count from 1.
 */
#include "tests/support/supervisor_play.h"

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
		status = record_handle(s, bytes, &fd);
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
	fd_close(&fd);
	fd_close(&far);
	return status == ST_OK && !r->failed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct service s;
	struct config config = {.workers = 2, .queue = 2, .lifeline_fd = -1};
	struct reader r;
	int far;

	log_set_level(LOG_LEVEL_ERROR);
	config.ready_fd = -1;
	config.total_memory_bytes = GIB;
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		config.ceilings.of[i] = limit_ceiling((enum limit)i);
	if (!service_init(&s, &config))
		abort();
	s.jobs.next_id = 1;
	s.front.link = play_socket(&far);
	letterbox_init(&s.front.box, s.front.link);
	reader_init(&r, span_of(data, size));
	while (r.left > 0 && step(&s, &r))
		;
	service_fini(&s);
	fd_close(&far);
	return 0;
}
