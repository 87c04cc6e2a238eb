/*
 * The large records of the link: what a front is told when it starts, and how
 * the service stands.
 */
#include "proto/link.h"

#include <assert.h>

#include "proto/frame.h"

/* How long message.def says that records are. */
enum {
#define MESSAGE(name, number, sender, min, max, fds, states) \
	name##_BYTES_MIN = (min), name##_BYTES_MAX = (max),
#include "proto/message.def"
#undef MESSAGE
};

static_assert(STATUS_BYTES_MIN == STATUS_BYTES &&
		  STATUS_BYTES_MAX == STATUS_BYTES,
	      "message.def, PROTOCOL.md and the golden STATUS follow the tables"
	      " of formats, statuses, rejections and deaths");

void
status_record_write(struct writer *w, const struct status_record *s)
{
	writer_put_u64(w, s->request);
	writer_put_u64(w, s->uptime_ms);
	writer_put_u32(w, s->workers_max);
	writer_put_u32(w, s->workers_warm);
	writer_put_u32(w, s->workers_starting);
	writer_put_u32(w, s->workers_busy);
	writer_put_u32(w, s->workers_stuck);
	writer_put_u32(w, s->queue_max);
	writer_put_u32(w, s->jobs_admitted);
	writer_put_u32(w, s->jobs_queued);
	writer_put_u64(w, s->memory_total_bytes);
	writer_put_u64(w, s->memory_used_bytes);
	writer_put_u64(w, s->jobs_accepted);
	writer_put_u64(w, s->jobs_refused);
	writer_put_u64(w, s->jobs_ended);
	writer_put_u64(w, s->workers_started);
	writer_put_u64(w, s->workers_failed_start);
	writer_put_u32(w, s->front_restarts);
	writer_put_u32(w, s->sandbox);
	writer_put_u32(w, s->workers_wanted);
	writer_put_u32(w, s->jobs_queued_batch);
	tallies_write(w, &s->tallies);
}

bool
status_record_read(struct span payload, struct status_record *out)
{
	struct status_record s;
	struct reader r;

	reader_init(&r, payload);
	s.request = reader_get_u64(&r);
	s.uptime_ms = reader_get_u64(&r);
	s.workers_max = reader_get_u32(&r);
	s.workers_warm = reader_get_u32(&r);
	s.workers_starting = reader_get_u32(&r);
	s.workers_busy = reader_get_u32(&r);
	s.workers_stuck = reader_get_u32(&r);
	s.queue_max = reader_get_u32(&r);
	s.jobs_admitted = reader_get_u32(&r);
	s.jobs_queued = reader_get_u32(&r);
	s.memory_total_bytes = reader_get_u64(&r);
	s.memory_used_bytes = reader_get_u64(&r);
	s.jobs_accepted = reader_get_u64(&r);
	s.jobs_refused = reader_get_u64(&r);
	s.jobs_ended = reader_get_u64(&r);
	s.workers_started = reader_get_u64(&r);
	s.workers_failed_start = reader_get_u64(&r);
	s.front_restarts = reader_get_u32(&r);
	s.sandbox = reader_get_u32(&r);
	s.workers_wanted = reader_get_u32(&r);
	s.jobs_queued_batch = reader_get_u32(&r);
	tallies_read(&r, &s.tallies);
	if (!reader_end(&r))
		return false;
	*out = s;
	return true;
}

void
config_write(struct writer *w, const struct config_record *config)
{
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		writer_put_u64(w, config->defaults.of[i]);
		writer_put_u64(w, config->ceilings.of[i]);
	}
	writer_put_u32(w, config->workers);
	writer_put_u64(w, config->memory_total_bytes);
	writer_put_u64(w, config->result_ttl_seconds);
	writer_put_u64(w, config->result_store_bytes);
	writer_put_string(w, config->runtime_dir);
}

bool
config_read(struct span payload, struct config_record *out)
{
	struct config_record c;
	struct reader r;

	reader_init(&r, payload);
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		c.defaults.of[i] = reader_get_u64(&r);
		c.ceilings.of[i] = reader_get_u64(&r);
	}
	c.workers = reader_get_u32(&r);
	c.memory_total_bytes = reader_get_u64(&r);
	c.result_ttl_seconds = reader_get_u64(&r);
	c.result_store_bytes = reader_get_u64(&r);
	c.runtime_dir = reader_get_string(&r, JOB_NAME_BYTES_MAX);
	if (!reader_end(&r))
		return false;
	*out = c;
	return true;
}
