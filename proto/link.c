/*
 * The records between supervisor and front, and those between supervisor and
 * worker, each written and read in the same order.
 */
#include "proto/link.h"

/* The rest of a payload, which is forwarded as it is. */
static struct span
get_rest(struct reader *r)
{
	return reader_get_bytes(r, r->left);
}

static void
get_ticket(struct reader *r, uint8_t ticket[TICKET_BYTES])
{
	struct span bytes = reader_get_bytes(r, TICKET_BYTES);

	if (bytes.len == TICKET_BYTES)
		memcpy(ticket, bytes.data, TICKET_BYTES);
}

static enum status
get_status(struct reader *r)
{
	enum status status = ST_OK;

	if (!status_from_wire(reader_get_u16(r), &status))
		r->failed = true;
	return status;
}

static enum reason
get_reason(struct reader *r)
{
	enum reason reason = RE_NONE;

	if (!reason_from_wire(reader_get_u16(r), &reason))
		r->failed = true;
	return reason;
}

static enum limit
get_limit(struct reader *r)
{
	uint8_t limit = reader_get_u8(r);

	if (limit >= LIMIT_COUNT && limit != LIMIT_NONE)
		r->failed = true;
	return (enum limit)limit;
}

void
admit_write(struct writer *w, const struct admit_record *admit)
{
	writer_put_u64(w, admit->request);
	writer_put_u64(w, admit->memory_bytes);
	writer_put_u64(w, admit->cpu_seconds);
	writer_put_u64(w, admit->wall_seconds);
	writer_put_u64(w, admit->stall_seconds);
	writer_put_u8(w, admit->leased);
	writer_put_u8(w, 0);
	writer_put_bytes(w, admit->job.data, admit->job.len);
}

bool
admit_read(struct span payload, struct admit_record *out)
{
	struct admit_record a;
	struct reader r;

	reader_init(&r, payload);
	a.request = reader_get_u64(&r);
	a.memory_bytes = reader_get_u64(&r);
	a.cpu_seconds = reader_get_u64(&r);
	a.wall_seconds = reader_get_u64(&r);
	a.stall_seconds = reader_get_u64(&r);
	a.leased = reader_get_bool(&r);
	(void)reader_get_below(&r, 1);
	a.job = get_rest(&r);
	if (!reader_end(&r))
		return false;
	*out = a;
	return true;
}

void
refused_write(struct writer *w, const struct refused_record *refused)
{
	writer_put_u64(w, refused->request);
	writer_put_u16(w, (uint16_t)refused->status);
	writer_put_u32(w, refused->retry_after_ms);
}

bool
refused_read(struct span payload, struct refused_record *out)
{
	struct refused_record a;
	struct reader r;

	reader_init(&r, payload);
	a.request = reader_get_u64(&r);
	a.status = get_status(&r);
	a.retry_after_ms = reader_get_u32(&r);
	if (!reader_end(&r) || a.status == ST_OK)
		return false;
	*out = a;
	return true;
}

void
obituary_write(struct writer *w, const struct obituary_record *o)
{
	writer_put_u16(w, (uint16_t)o->status);
	writer_put_u16(w, (uint16_t)o->reason);
	writer_put_u32(w, (uint32_t)o->signal);
	writer_put_u8(w, (uint8_t)o->limit);
	writer_put_u8(w, o->unreaped);
	writer_put_u16(w, 0);
	writer_put_u32(w, 0);
	writer_put_u64(w, o->actual);
	writer_put_u64(w, o->max);
	writer_put_u64(w, o->wall_us);
	writer_put_u64(w, o->cpu_us);
	writer_put_u64(w, o->peak_rss_bytes);
}

bool
obituary_read(struct span payload, struct obituary_record *out)
{
	struct obituary_record o;
	struct reader r;
	uint32_t reserved;

	reader_init(&r, payload);
	o.status = get_status(&r);
	o.reason = get_reason(&r);
	o.signal = (int32_t)reader_get_u32(&r);
	o.limit = get_limit(&r);
	o.unreaped = reader_get_bool(&r);
	reserved = reader_get_u16(&r);
	reserved |= reader_get_u32(&r);
	o.actual = reader_get_u64(&r);
	o.max = reader_get_u64(&r);
	o.wall_us = reader_get_u64(&r);
	o.cpu_us = reader_get_u64(&r);
	o.peak_rss_bytes = reader_get_u64(&r);
	if (!reader_end(&r) || reserved != 0)
		return false;
	*out = o;
	return true;
}

void
adopt_write(struct writer *w, const struct adopt_record *adopt)
{
	writer_put_u8(w, (uint8_t)adopt->state);
	writer_put_bytes(w, adopt->ticket, TICKET_BYTES);
	writer_put_u32(w, adopt->sandbox);
	writer_put_u32(w, adopt->ran_ms);
	writer_put_bytes(w, adopt->job.data, adopt->job.len);
}

bool
adopt_read(struct span payload, struct adopt_record *out)
{
	struct adopt_record a = {0};
	struct reader r;

	reader_init(&r, payload);
	a.state = (enum adopt_state)reader_get_below(&r, ADOPT_STATE_COUNT);
	get_ticket(&r, a.ticket);
	a.sandbox = reader_get_u32(&r);
	a.ran_ms = reader_get_u32(&r);
	a.job = get_rest(&r);
	if (!reader_end(&r))
		return false;
	*out = a;
	return true;
}

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
	writer_put_u64(w, s->workers_killed);
	writer_put_u64(w, s->workers_crashed);
	writer_put_u64(w, s->workers_failed_start);
	writer_put_u32(w, s->front_restarts);
	writer_put_u32(w, s->sandbox);
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
	s.workers_killed = reader_get_u64(&r);
	s.workers_crashed = reader_get_u64(&r);
	s.workers_failed_start = reader_get_u64(&r);
	s.front_restarts = reader_get_u32(&r);
	s.sandbox = reader_get_u32(&r);
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
	c.runtime_dir = reader_get_string(&r, JOB_NAME_BYTES_MAX);
	if (!reader_end(&r))
		return false;
	*out = c;
	return true;
}

void
ready_write(struct writer *w, const struct ready_record *ready)
{
	writer_put_u32(w, ready->sandbox);
	writer_put_u32(w, ready->pid);
}

bool
ready_read(struct span payload, struct ready_record *out)
{
	struct ready_record a;
	struct reader r;

	reader_init(&r, payload);
	a.sandbox = reader_get_u32(&r);
	a.pid = reader_get_u32(&r);
	if (!reader_end(&r))
		return false;
	*out = a;
	return true;
}

void
job_order_write(struct writer *w, const struct job_order *order)
{
	writer_put_u64(w, order->memory_bytes);
	writer_put_u64(w, order->cpu_seconds);
	writer_put_bytes(w, order->job.data, order->job.len);
}

bool
job_order_read(struct span payload, struct job_order *out)
{
	struct job_order a;
	struct reader r;

	reader_init(&r, payload);
	a.memory_bytes = reader_get_u64(&r);
	a.cpu_seconds = reader_get_u64(&r);
	a.job = get_rest(&r);
	if (!reader_end(&r))
		return false;
	*out = a;
	return true;
}

void
admitted_write(struct writer *w, uint64_t request,
	       const uint8_t ticket[TICKET_BYTES])
{
	writer_put_u64(w, request);
	writer_put_bytes(w, ticket, TICKET_BYTES);
}

bool
admitted_read(struct span payload, uint64_t *request_out,
	      uint8_t ticket_out[TICKET_BYTES])
{
	uint8_t ticket[TICKET_BYTES] = {0};
	struct reader r;
	uint64_t request;

	reader_init(&r, payload);
	request = reader_get_u64(&r);
	get_ticket(&r, ticket);
	if (!reader_end(&r))
		return false;
	*request_out = request;
	memcpy(ticket_out, ticket, TICKET_BYTES);
	return true;
}

void
cancel_write(struct writer *w, enum reason reason)
{
	writer_put_u16(w, (uint16_t)reason);
}

bool
cancel_read(struct span payload, enum reason *reason_out)
{
	struct reader r;
	enum reason reason;

	reader_init(&r, payload);
	reason = get_reason(&r);
	if (!reader_end(&r))
		return false;
	*reason_out = reason;
	return true;
}

void
channel_write(struct writer *w, uint32_t sandbox)
{
	writer_put_u32(w, sandbox);
}

bool
channel_read(struct span payload, uint32_t *sandbox_out)
{
	struct reader r;
	uint32_t sandbox;

	reader_init(&r, payload);
	sandbox = reader_get_u32(&r);
	if (!reader_end(&r))
		return false;
	*sandbox_out = sandbox;
	return true;
}
