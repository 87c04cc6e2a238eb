/*
 * Every key is always there, in the contract's order.
 */
#include "broker/front/reply.h"

#include "broker/front/request.h"
#include "proto/terms.h"

static void
put_name(struct outbox *o, const char *name)
{
	outbox_string(o, span_str(name));
}

/* Names that a file may not give are null, not empty. */
static void
put_known(struct outbox *o, struct span text)
{
	outbox_string_or_null(o, text.len > 0, text);
}

static void
put_artifact(struct outbox *o, const struct job *job,
	     const struct answer *answer)
{
	if (answer->has_digest) {
		outbox_hex(o, answer->profile_id, sizeof(answer->profile_id));
	} else {
		outbox_raw(o, "null");
	}
	outbox_raw(o, ",\"artifact\":{\"name\":");
	outbox_string(o, job->name);
	outbox_raw(o, ",\"sha256\":");
	if (answer->has_digest)
		outbox_hex(o, answer->sha256, sizeof(answer->sha256));
	else
		outbox_raw(o, "null");
	outbox_raw(o, ",\"bytes\":");
	outbox_u64(o, answer->bytes);
	outbox_raw(o, ",\"encoding\":");
	put_name(o, encoding_name(answer->encoding));
	outbox_raw(o, ",\"decoded_bytes\":");
	outbox_u64(o, answer->decoded_bytes);
}

static void
put_sort(struct outbox *o, const struct job *job)
{
	if (job->sort_by == SORT_TAKE_TURNS) {
		outbox_raw(o, "null");
		return;
	}
	/* a metric's name is of [a-z0-9_.]: nothing to escape */
	outbox_raw(o, "\"");
	outbox_put(o, job->sort_metric);
	outbox_raw(o, job->sort_by == SORT_SELF ? ":self\"" : ":inclusive\"");
}

static void
put_options(struct outbox *o, const struct job *job)
{
	bool first = true;

	outbox_raw(o, "{\"rows\":");
	outbox_u64(o, job->rows);
	outbox_raw(o, ",\"sort\":");
	put_sort(o, job);
	outbox_raw(o, ",\"project_root\":");
	put_known(o, job->project_root);
	outbox_raw(o, ",\"path_map\":[");
	for (uint32_t i = 0; i < job->path_maps_len; i++) {
		outbox_comma(o, &first);
		outbox_raw(o, "[");
		outbox_string(o, job->path_maps[i].from);
		outbox_raw(o, ",");
		outbox_string(o, job->path_maps[i].to);
		outbox_raw(o, "]");
	}
	outbox_raw(o, "],\"on_limit\":");
	put_name(o, job->on_limit == ON_LIMIT_FAIL ? "fail" : "truncate");
	outbox_raw(o, "}");
}

static void
put_profile(struct outbox *o, const struct answer *answer)
{
	outbox_raw(o, ",\"profile\":{\"start_us\":");
	outbox_maybe(o, answer->start_us);
	outbox_raw(o, ",\"end_us\":");
	outbox_maybe(o, answer->end_us);
	outbox_raw(o, ",\"duration_us\":");
	outbox_maybe(o, answer->duration_us);
	outbox_raw(o, ",\"interval_us\":");
	outbox_maybe(o, answer->interval_us);
	outbox_raw(o, "}");
}

static void
put_metrics(struct outbox *o, const struct answer *answer)
{
	bool first = true;

	outbox_raw(o, ",\"metrics\":[");
	for (unsigned i = 0; i < answer->metrics_len; i++) {
		const struct metric *m = &answer->metrics[i];

		outbox_comma(o, &first);
		outbox_raw(o, "{\"name\":");
		outbox_string(o, m->name);
		outbox_raw(o, ",\"unit\":");
		outbox_string(o, m->unit);
		outbox_raw(o, ",\"total\":");
		outbox_u64(o, m->total);
		outbox_raw(o, ",\"active\":");
		outbox_u64(o, m->active);
		outbox_raw(o, "}");
	}
	first = true;
	outbox_raw(o, "],\"unavailable\":[");
	for (unsigned i = 0; i < answer->unavailable_len; i++) {
		outbox_comma(o, &first);
		outbox_raw(o, "{\"metric\":");
		outbox_string(o, answer->unavailable[i].metric);
		outbox_raw(o, ",\"reason\":");
		outbox_string(o, answer->unavailable[i].reason);
		outbox_raw(o, "}");
	}
	outbox_raw(o, "]");
}

void
reply_head(struct outbox *o, const struct job *job, const struct answer *answer)
{
	const struct format_info *info = format_info(answer->format);

	outbox_raw(o, "{\"schema\":\"extractd.result/1\",\"status\":");
	put_name(o, answer->partial ? "partial" : "ok");
	outbox_raw(o, ",\"format\":");
	put_name(o, info->name);
	outbox_raw(o, ",\"kind\":");
	put_name(o, info->kind);
	outbox_raw(o, ",\"profile_id\":");
	put_artifact(o, job, answer);
	outbox_raw(o, "},\"producer\":{\"name\":");
	put_known(o, answer->producer_name);
	outbox_raw(o, ",\"version\":");
	put_known(o, answer->producer_version);
	outbox_raw(o, ",\"source\":");
	put_known(o, answer->producer_source);
	outbox_raw(o, "},\"extractor\":{\"name\":");
	put_name(o, info->extractor);
	outbox_raw(o, ",\"version\":");
	outbox_u64(o, info->version);
	outbox_raw(o, "},\"options\":");
	put_options(o, job);
	put_profile(o, answer);
	put_metrics(o, answer);
	outbox_raw(o, ",\"counts\":{\"nodes\":");
	outbox_maybe(o, answer->nodes);
	outbox_raw(o, ",\"samples\":");
	outbox_maybe(o, answer->samples);
	outbox_raw(o, ",\"frames\":");
	outbox_maybe(o, answer->frames);
	outbox_raw(o, ",\"max_depth\":");
	outbox_maybe(o, answer->max_depth);
	outbox_raw(o, "},\"rows\":[");
}

/* Lines, columns and ranks count from 1; 0 is unknown. */
static void
put_ordinal(struct outbox *o, const char *key, uint32_t value)
{
	outbox_raw(o, key);
	outbox_maybe(o, (struct maybe){.known = value > 0, .value = value});
}

static void
put_values(struct outbox *o, const struct answer *answer, const struct row *row)
{
	bool first = true;

	outbox_raw(o, ",\"values\":{");
	for (unsigned i = 0; i < answer->metrics_len; i++) {
		outbox_comma(o, &first);
		outbox_string(o, answer->metrics[i].name);
		outbox_raw(o, ":{\"self\":");
		outbox_u64(o, row->self[i]);
		outbox_raw(o, ",\"inclusive\":");
		outbox_u64(o, row->inclusive[i]);
		outbox_raw(o, "}");
	}
	outbox_raw(o, "}}");
}

void
reply_row(struct outbox *o, const struct answer *answer, const struct row *row)
{
	outbox_raw(o, "{\"frame_id\":");
	outbox_hex(o, row->frame_id, FRAME_ID_BYTES);
	outbox_raw(o, ",\"function_id\":");
	if (row->has_function_id)
		outbox_hex(o, row->function_id, FRAME_ID_BYTES);
	else
		outbox_raw(o, "null");
	outbox_raw(o, ",\"function\":");
	outbox_string(o, row->function);
	outbox_raw(o, ",\"file\":");
	outbox_string_or_null(o, row->has_file, row->file);
	outbox_raw(o, ",\"url\":");
	outbox_string(o, row->url);
	put_ordinal(o, ",\"line\":", row->line);
	put_ordinal(o, ",\"column\":", row->column);
	outbox_raw(o, ",\"script\":");
	outbox_string_or_null(o, row->has_script, row->script);
	outbox_raw(o, ",\"source\":null,\"language\":");
	put_known(o, span_str(language_name(row->language)));
	outbox_raw(o, ",\"frame_type\":");
	put_name(o, frame_type_name(row->frame_type));
	outbox_raw(o, ",\"category\":");
	put_name(o, category_name(row->category));
	outbox_raw(o, ",\"package\":");
	outbox_string_or_null(o, row->has_package, row->package);
	outbox_raw(o, ",\"symbolization\":");
	put_name(o, symbolization_name(row->symbolization));
	put_ordinal(o, ",\"rank_self\":", row->rank_self);
	put_ordinal(o, ",\"rank_inclusive\":", row->rank_inclusive);
	put_values(o, answer, row);
}

static void
put_other(struct outbox *o, const struct answer *answer)
{
	bool first = true;

	outbox_raw(o, "],\"rows_total\":");
	outbox_u64(o, answer->rows_total);
	outbox_raw(o, ",\"rows_returned\":");
	outbox_u64(o, answer->rows_returned);
	outbox_raw(o, ",\"other\":{\"rows\":");
	outbox_u64(o, answer->rows_total - answer->rows_returned);
	outbox_raw(o, ",\"values\":{");
	for (unsigned i = 0; i < answer->metrics_len; i++) {
		outbox_comma(o, &first);
		outbox_string(o, answer->metrics[i].name);
		outbox_raw(o, ":{\"self\":");
		outbox_u64(o, answer->other_self[i]);
		outbox_raw(o, "}");
	}
	outbox_raw(o, "}}");
}

static void
put_notes(struct outbox *o, const struct answer *answer)
{
	bool first = true;

	outbox_raw(o, ",\"coverage\":{");
	for (unsigned i = 0; i < COVERAGE_COUNT; i++) {
		outbox_comma(o, &first);
		put_name(o, coverage_name((enum coverage)i));
		outbox_raw(o, ":");
		outbox_u64(o, answer->coverage[i]);
	}
	first = true;
	outbox_raw(o, "},\"limitations\":[");
	for (unsigned i = 0; i < LIMITATION_COUNT; i++) {
		if ((answer->limitations >> i & 1) == 0)
			continue;
		outbox_comma(o, &first);
		outbox_raw(o, "{\"code\":");
		put_name(o, limitation_name((enum limitation)i));
		outbox_raw(o, ",\"text\":");
		put_name(o, limitation_text((enum limitation)i));
		outbox_raw(o, "}");
	}
	outbox_raw(o, "]");
}

void
reply_layers(struct outbox *o, uint32_t layers)
{
	bool first = true;

	outbox_raw(o, "[");
	for (unsigned i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		if ((layers >> i & 1) == 0)
			continue;
		outbox_comma(o, &first);
		put_name(o, sandbox_layer_name((enum sandbox_layer)i));
	}
	outbox_raw(o, "]");
}

static void
put_run(struct outbox *o, const struct run *run)
{
	char id[JOB_ID_TEXT_BYTES + 1];

	job_id_write(run->job, id);
	outbox_raw(o, ",\"run\":{\"job\":");
	put_name(o, id);
	outbox_raw(o, ",\"wall_ms\":");
	outbox_u64(o, run->wall_ms);
	outbox_raw(o, ",\"cpu_ms\":");
	outbox_u64(o, run->cpu_ms);
	outbox_raw(o, ",\"peak_rss_bytes\":");
	outbox_u64(o, run->peak_rss_bytes);
	outbox_raw(o, ",\"sandbox\":");
	reply_layers(o, run->sandbox);
	outbox_raw(o, ",\"version\":\"" EXTRACTD_VERSION "\"}");
}

void
reply_tail(struct outbox *o, const struct job *job, const struct answer *answer,
	   const struct run *run)
{
	bool first = true;

	put_other(o, answer);
	put_notes(o, answer);
	outbox_raw(o, ",\"limits\":{");
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		outbox_comma(o, &first);
		put_name(o, limit_name((enum limit)i));
		outbox_raw(o, ":");
		outbox_u64(o, job->limits.of[i]);
	}
	outbox_raw(o, "}");
	put_run(o, run);
	outbox_raw(o, "}");
}
