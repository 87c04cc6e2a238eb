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
	writer_put_u64(w, admit->client);
	writer_put_u8(w, admit->leased);
	writer_put_u8(w, (uint8_t)admit->class);
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
	a.client = reader_get_u64(&r);
	a.leased = reader_get_bool(&r);
	a.class = (enum job_class)reader_get_below(&r, JOB_CLASS_COUNT);
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
verdict_write(struct writer *w, const struct verdict_record *verdict)
{
	writer_put_u16(w, (uint16_t)verdict->status);
	writer_put_u8(w, (uint8_t)verdict->format);
	writer_put_u64(w, verdict->input_bytes);
}

bool
verdict_read(struct span payload, struct verdict_record *out)
{
	struct verdict_record v;
	struct reader r;

	reader_init(&r, payload);
	v.status = get_status(&r);
	v.format = (enum format)reader_get_below(&r, FORMAT_COUNT);
	v.input_bytes = reader_get_u64(&r);
	if (!reader_end(&r))
		return false;
	*out = v;
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
	writer_put_u8(w, adopt->leased);
	writer_put_u8(w, (uint8_t)adopt->class);
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
	a.leased = reader_get_bool(&r);
	a.class = (enum job_class)reader_get_below(&r, JOB_CLASS_COUNT);
	a.job = get_rest(&r);
	if (!reader_end(&r))
		return false;
	*out = a;
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
