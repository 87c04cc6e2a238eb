/*
 * The supervisor's record, with what only the front can count.
 */
#include "broker/front/status_reply.h"

#include <inttypes.h>
#include <stdio.h>

#include "broker/front/reply.h"

static void
put_number(struct outbox *o, const char *key, uint64_t value)
{
	outbox_raw(o, key);
	outbox_u64(o, value);
}

static void
put_workers(struct outbox *o, const struct status_record *s)
{
	put_number(o, ",\"workers\":{\"max\":", s->workers_max);
	put_number(o, ",\"wanted\":", s->workers_wanted);
	put_number(o, ",\"warm\":", s->workers_warm);
	put_number(o, ",\"starting\":", s->workers_starting);
	put_number(o, ",\"busy\":", s->workers_busy);
	put_number(o, ",\"stuck\":", s->workers_stuck);
	outbox_raw(o, "}");
}

static void
put_queue(struct outbox *o, const struct status_record *s)
{
	uint32_t batch = s->jobs_queued_batch;

	put_number(o, ",\"queue\":{\"max\":", s->queue_max);
	put_number(o, ",\"admitted\":", s->jobs_admitted);
	put_number(o, ",\"queued\":", s->jobs_queued);
	put_number(o, ",\"interactive\":",
		   s->jobs_queued < batch ? 0 : s->jobs_queued - batch);
	put_number(o, ",\"batch\":", batch);
	outbox_raw(o, "}");
}

static void
put_counts(struct outbox *o, const struct status_record *s)
{
	put_number(o, ",\"memory\":{\"total_bytes\":", s->memory_total_bytes);
	put_number(o, ",\"used_bytes\":", s->memory_used_bytes);
	put_number(o, "},\"jobs\":{\"accepted\":", s->jobs_accepted);
	put_number(o, ",\"refused\":", s->jobs_refused);
	put_number(o, ",\"ended\":", s->jobs_ended);
	put_number(o, "},\"worker_starts\":{\"started\":", s->workers_started);
	put_number(o, ",\"failed\":", s->workers_failed_start);
	put_number(o, "},\"front_restarts\":", s->front_restarts);
}

/* Layers as the last worker had them; none was ready yet when they are 0. */
static void
put_layers(struct outbox *o, uint32_t layers)
{
	uint32_t all = (UINT32_C(1) << SANDBOX_LAYER_COUNT) - 1;

	if (layers != 0)
		layers |= UINT32_C(1) << SANDBOX_SECCOMP;
	outbox_raw(o, ",\"sandbox\":");
	reply_layers(o, layers);
	outbox_raw(o, ",\"sandbox_missing\":");
	reply_layers(o, layers == 0 ? 0 : all & ~layers);
}

static void
put_named(struct outbox *o, bool *first, const char *name, uint64_t value)
{
	outbox_comma(o, first);
	outbox_string(o, span_str(name));
	put_number(o, ":", value);
}

static void
put_rejected(struct outbox *o, const struct front *front,
	     const struct tallies *t)
{
	bool first = true;

	outbox_raw(o, ",\"rejected\":{");
	for (unsigned i = 0; i < REJECTED_COUNT; i++) {
		uint64_t n = t->rejected[i] + front->refused[i];

		if (i == REJECTED_DOOR)
			n += front->doorman.refused;
		if (i == REJECTED_DROPPED)
			n += server_dropped(front->server);
		put_named(o, &first, rejected_name((enum rejected)i), n);
	}
	outbox_raw(o, "}");
}

static void
put_worker_deaths(struct outbox *o, const struct tallies *t)
{
	bool first = true;

	outbox_raw(o, ",\"worker_deaths\":{");
	for (unsigned i = 0; i < DEATH_COUNT; i++)
		put_named(o, &first, death_name((enum death)i), t->deaths[i]);
	outbox_raw(o, "}");
}

static void
put_outcome(struct outbox *o, enum format format, enum status status,
	    uint64_t jobs)
{
	outbox_raw(o, status == ST_OK ? "{\"outcome\":\"ok\",\"code\":"
				      : "{\"outcome\":\"error\",\"code\":");
	outbox_string(o, span_str(status_name(status)));
	outbox_raw(o, ",\"format\":");
	outbox_string(o, span_str(format == FORMAT_ANY
				      ? "unknown"
				      : format_info(format)->name));
	put_number(o, ",\"jobs\":", jobs);
	outbox_raw(o, "}");
}

static void
put_outcomes(struct outbox *o, const struct tallies *t)
{
	bool first = true;

	outbox_raw(o, ",\"outcomes\":[");
	for (unsigned f = 0; f < FORMAT_COUNT; f++) {
		for (unsigned s = 0; s < ST_COUNT; s++) {
			if (t->ended[f][s] == 0)
				continue;
			outbox_comma(o, &first);
			put_outcome(o, (enum format)f, (enum status)s,
				    t->ended[f][s]);
		}
	}
	outbox_raw(o, "]");
}

/* Seconds, without zeros at the end. */
static void
put_seconds(struct outbox *o, uint64_t us)
{
	char text[32];
	size_t len =
	    (size_t)snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64,
			     us / 1000000, us % 1000000);

	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	text[len] = '\0';
	outbox_raw(o, text);
}

typedef void (*value_fn)(struct outbox *o, uint64_t value);

static void
put_histogram(struct outbox *o, const char *key, const uint64_t *bounds,
	      const struct histogram *h, value_fn put)
{
	bool first = true;

	outbox_raw(o, key);
	outbox_raw(o, "{\"bounds\":[");
	for (unsigned i = 0; i < HISTOGRAM_BOUNDS; i++) {
		outbox_comma(o, &first);
		put(o, bounds[i]);
	}
	outbox_raw(o, "],\"counts\":[");
	first = true;
	for (unsigned i = 0; i <= HISTOGRAM_BOUNDS; i++) {
		outbox_comma(o, &first);
		outbox_u64(o, h->bucket[i]);
	}
	outbox_raw(o, "],\"sum\":");
	put(o, h->sum);
	outbox_raw(o, "}");
}

void
status_reply(struct outbox *o, const struct front *front,
	     const struct status_record *s)
{
	const struct tallies *t = &s->tallies;

	outbox_raw(o, "{\"schema\":\"extractd.status/1\","
		      "\"version\":\"" EXTRACTD_VERSION "\"");
	put_number(o, ",\"uptime_ms\":", s->uptime_ms);
	outbox_raw(o, ",\"taking_jobs\":");
	outbox_bool(o, !front->draining);
	put_workers(o, s);
	put_queue(o, s);
	put_counts(o, s);
	put_rejected(o, front, t);
	put_worker_deaths(o, t);
	put_outcomes(o, t);
	put_histogram(o, ",\"job_seconds\":", histogram_job_us, &t->job_us,
		      put_seconds);
	put_histogram(o, ",\"input_bytes\":", histogram_input_bytes,
		      &t->input_bytes, outbox_u64);
	put_number(o, ",\"worker_peak_rss_bytes\":", t->peak_rss_bytes);
	put_layers(o, s->sandbox);
	outbox_raw(o, ",\"endpoint\":");
	outbox_string(o, span_str(front->endpoint));
	outbox_raw(o, "}");
}
