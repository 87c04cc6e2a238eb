/*
 * A family is its HELP and TYPE line, then its samples. Numbers are written
 * as the service wrote them: JSON's are valid here too.
 */
#include "client/render_prometheus.h"

#include <inttypes.h>

static void
family(struct strbuf *sb, const char *name, const char *type, const char *help)
{
	strbuf_printf(sb, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		      type);
}

/* A label's value. */
static void
put_escaped(struct strbuf *sb, struct span text)
{
	strbuf_puts(sb, "\"");
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n')
			strbuf_puts(sb, "\\n");
		else if (text.data[i] == '"' || text.data[i] == '\\')
			strbuf_printf(sb, "\\%c", text.data[i]);
		else
			strbuf_put(sb, span_of(text.data + i, 1));
	}
	strbuf_puts(sb, "\"");
}

static void
put_sample(struct strbuf *sb, const char *name, const char *label,
	   struct span of, const struct value *number)
{
	strbuf_printf(sb, "%s{%s=", name, label);
	put_escaped(sb, of);
	strbuf_printf(sb, "} %" PRIu64 "\n", value_number(number));
}

/* A single number under a key. */
static void
put_number(struct strbuf *sb, const struct value *status, const char *key,
	   const char *name, const char *type, const char *help)
{
	const struct value *number = value_get(status, key);

	if (!value_is_number(number))
		return;
	family(sb, name, type, help);
	strbuf_printf(sb, "%s %" PRIu64 "\n", name, value_number(number));
}

/* Each member of an object of numbers, whatever they are called. */
static void
put_members(struct strbuf *sb, const struct value *object, const char *name,
	    const char *label, const char *help)
{
	if (object->type != VALUE_MAP)
		return;
	family(sb, name, "counter", help);
	for (const struct value *v = object->first; v != NULL; v = v->next)
		put_sample(sb, name, label, v->key, v);
}

/* Those members of an object of numbers that are listed. */
static void
put_listed(struct strbuf *sb, const struct value *object, const char *name,
	   const char *label, const char *const *keys, const char *help)
{
	if (object->type != VALUE_MAP)
		return;
	family(sb, name, "gauge", help);
	for (; *keys != NULL; keys++) {
		const struct value *number = value_get(object, *keys);

		if (value_is_number(number))
			put_sample(sb, name, label, span_str(*keys), number);
	}
}

/* An empty label is as good as none, so null has a word. */
static void
put_label(struct strbuf *sb, const struct value *outcome, const char *key,
	  const char *before)
{
	const struct value *label = value_get(outcome, key);

	strbuf_printf(sb, "%s%s=", before, key);
	put_escaped(sb, label->type == VALUE_STRING ? label->text
						    : span_str("unknown"));
}

static void
put_outcomes(struct strbuf *sb, const struct value *list)
{
	if (list->type != VALUE_LIST)
		return;
	family(sb, "extractd_jobs_total", "counter",
	       "Jobs that have ended, by what their client was told.");
	for (const struct value *v = list->first; v != NULL; v = v->next) {
		strbuf_puts(sb, "extractd_jobs_total");
		put_label(sb, v, "outcome", "{");
		put_label(sb, v, "code", ",");
		put_label(sb, v, "format", ",");
		strbuf_printf(sb, "} %" PRIu64 "\n",
			      value_number(value_get(v, "jobs")));
	}
}

static bool
all_numbers(const struct value *list)
{
	for (const struct value *v = list->first; v != NULL; v = v->next)
		if (v->type != VALUE_NUMBER)
			return false;
	return true;
}

/* The service's buckets count for themselves; these add up. */
static void
put_histogram(struct strbuf *sb, const struct value *histogram,
	      const char *name, const char *help)
{
	const struct value *bounds = value_get(histogram, "bounds");
	const struct value *counts = value_get(histogram, "counts");
	const struct value *sum = value_get(histogram, "sum");
	const struct value *bound = bounds->first;
	uint64_t jobs = 0;

	if (value_count(counts) != value_count(bounds) + 1 ||
	    !all_numbers(bounds) || sum->type != VALUE_NUMBER)
		return;
	family(sb, name, "histogram", help);
	for (const struct value *v = counts->first; v != NULL; v = v->next) {
		jobs += value_number(v);
		strbuf_printf(sb, "%s_bucket{le=\"", name);
		strbuf_put(sb, bound != NULL ? bound->text : span_str("+Inf"));
		strbuf_printf(sb, "\"} %" PRIu64 "\n", jobs);
		bound = bound != NULL ? bound->next : NULL;
	}
	strbuf_printf(sb, "%s_sum ", name);
	strbuf_put(sb, sum->text);
	strbuf_printf(sb, "\n%s_count %" PRIu64 "\n", name, jobs);
}

static void
put_layers(struct strbuf *sb, const struct value *status)
{
	static const char *const keys[] = {"sandbox_missing", "sandbox"};

	family(sb, "extractd_sandbox_layer", "gauge",
	       "Whether a layer of the sandbox is in force.");
	for (unsigned in_force = 0; in_force < 2; in_force++) {
		const struct value *list = value_get(status, keys[in_force]);

		for (const struct value *v = list->first; v != NULL;
		     v = v->next) {
			strbuf_puts(sb, "extractd_sandbox_layer{layer=");
			put_escaped(sb, value_text(v));
			strbuf_printf(sb, "} %u\n", in_force);
		}
	}
}

static void
put_up(struct strbuf *sb, unsigned up)
{
	family(sb, "extractd_up", "gauge", "Whether the service answers.");
	strbuf_printf(sb, "extractd_up %u\n", up);
}

static void
put_info(struct strbuf *sb, const struct value *status)
{
	family(sb, "extractd_info", "gauge", "The service's version.");
	strbuf_puts(sb, "extractd_info{version=");
	put_escaped(sb, value_text(value_get(status, "version")));
	strbuf_puts(sb, "} 1\n");
}

static void
put_memory(struct strbuf *sb, const struct value *memory)
{
	if (memory->type != VALUE_MAP)
		return;
	family(sb, "extractd_memory_bytes", "gauge",
	       "The bound on all workers' memory, and what running jobs were "
	       "given of it.");
	put_sample(sb, "extractd_memory_bytes", "kind", span_str("total"),
		   value_get(memory, "total_bytes"));
	put_sample(sb, "extractd_memory_bytes", "kind", span_str("used"),
		   value_get(memory, "used_bytes"));
}

static void
put_starts(struct strbuf *sb, const struct value *starts)
{
	put_number(sb, starts, "started", "extractd_workers_started_total",
		   "counter", "Worker processes that were started.");
	put_number(sb, starts, "failed", "extractd_worker_start_failures_total",
		   "counter",
		   "Starts that gave no worker, or one that was of no use.");
}

void
render_prometheus(struct strbuf *sb, const struct value *status)
{
	static const char *const states[] = {"warm",  "starting", "busy",
					     "stuck", "max",	  NULL};
	static const char *const classes[] = {"interactive", "batch", NULL};

	put_up(sb, 1);
	put_info(sb, status);
	put_outcomes(sb, value_get(status, "outcomes"));
	put_histogram(sb, value_get(status, "job_seconds"),
		      "extractd_job_seconds",
		      "Time of a job, from its submission to its end.");
	put_histogram(sb, value_get(status, "input_bytes"),
		      "extractd_input_bytes",
		      "Stored size of an artifact that was opened.");
	put_members(sb, value_get(status, "rejected"),
		    "extractd_rejected_total", "reason",
		    "Requests and connections that were turned away.");
	put_listed(sb, value_get(status, "workers"), "extractd_workers",
		   "state", states, "Workers by state; max is the bound.");
	put_listed(sb, value_get(status, "queue"), "extractd_queue_depth",
		   "class", classes, "Jobs that wait for a worker.");
	put_starts(sb, value_get(status, "worker_starts"));
	put_members(sb, value_get(status, "worker_deaths"),
		    "extractd_worker_deaths_total", "cause",
		    "Workers that did not end by themselves.");
	put_number(sb, status, "worker_peak_rss_bytes",
		   "extractd_worker_peak_rss_bytes", "gauge",
		   "The most memory that a worker had resident.");
	put_number(sb, status, "front_restarts",
		   "extractd_front_restarts_total", "counter",
		   "Times that the front was started anew.");
	put_memory(sb, value_get(status, "memory"));
	put_layers(sb, status);
}

void
render_prometheus_down(struct strbuf *sb)
{
	put_up(sb, 0);
}
