/*
 * The answer, and the rows that were taken, in the order of the sort key. What
 * is not listed is added up in `other`.
 */
#include "worker/rows.h"

#include <string.h>

#include "proto/bug.h"
#include "worker/input/digest.h"
#include "worker/select.h"

static uint64_t
idle_self(const struct profile *p, const struct measure *measure)
{
	uint64_t idle = 0;

	for (uint32_t i = 0; i < p->frames.len; i++)
		if (p->frames.specs[i].category == CATEGORY_IDLE)
			idle += measure->self[i];
	return idle;
}

static void
answer_metrics(const struct selection *s, struct answer *a)
{
	const struct profile *p = s->profile;

	a->metrics_len = (uint8_t)p->metrics_len;
	for (unsigned i = 0; i < p->metrics_len; i++) {
		const struct profile_metric *m = &p->metrics[i];

		a->metrics[i] = (struct metric){
		    .name = span_str(m->name),
		    .unit = span_str(m->unit),
		    .total = m->measure.total,
		    .active = m->measure.total - idle_self(p, &m->measure),
		};
		for (uint32_t f = 0; f < s->frames; f++)
			if (!s->taken[f])
				a->other_self[i] += m->measure.self[f];
	}
	a->unavailable_len = (uint8_t)p->gaps_len;
	for (unsigned i = 0; i < p->gaps_len; i++)
		a->unavailable[i] = (struct unavailable){
		    .metric = span_str(p->gaps[i].metric),
		    .reason = span_str(p->gaps[i].reason),
		};
}

static void
count_symbolization(const struct profile *p, struct answer *a)
{
	static const enum coverage key[SYMBOLIZATION_COUNT] = {
	    [SYMBOLIZATION_COMPLETE] = COVERAGE_COMPLETE_SYMBOLIZATION,
	    [SYMBOLIZATION_PARTIAL] = COVERAGE_PARTIAL_SYMBOLIZATION,
	    [SYMBOLIZATION_UNRESOLVED] = COVERAGE_UNRESOLVED_SYMBOLIZATION,
	    [SYMBOLIZATION_NOT_APPLICABLE] =
		COVERAGE_NOT_APPLICABLE_SYMBOLIZATION,
	};

	for (uint32_t i = 0; i < p->frames.len; i++)
		a->coverage[key[p->frames.specs[i].symbolization]]++;
}

/* The first 16 bytes of SHA-256 over the artifact's digest, the extractor's
 * name and version, and the options that shape values. */
static void
make_profile_id(const struct profile *p, struct answer *a)
{
	const struct format_info *info = format_info(a->format);
	const struct job *job = p->job;
	uint8_t whole[DIGEST_BYTES], bytes[FRAME_BYTES_MAX];
	struct digest digest;
	struct writer w;

	writer_init(&w, bytes, sizeof(bytes));
	writer_put_string(&w, span_str("extractd.profile/1"));
	writer_put_bytes(&w, a->sha256, sizeof(a->sha256));
	writer_put_string(&w, span_str(info->extractor));
	writer_put_u32(&w, info->version);
	writer_put_string(&w, job->project_root);
	writer_put_u32(&w, job->path_maps_len);
	for (uint32_t i = 0; i < job->path_maps_len; i++) {
		writer_put_string(&w, job->path_maps[i].from);
		writer_put_string(&w, job->path_maps[i].to);
	}
	/* What was cut depends on the limit; what was not does not. */
	writer_put_u64(&w, p->partial ? job->limits.of[LIMIT_MAX_SAMPLES] : 0);
	BUG_ON(w.failed);
	digest_init(&digest);
	digest_update(&digest, span_of(w.data, w.len));
	digest_final(&digest, whole);
	memcpy(a->profile_id, whole, sizeof(a->profile_id));
}

static void
make_answer(const struct selection *s, enum format format,
	    const struct input_end *end, struct answer *a)
{
	const struct profile *p = s->profile;

	*a = (struct answer){
	    .format = format,
	    .partial = p->partial,
	    .has_digest = end->has_digest && p->job->digest,
	    .encoding = end->encoding,
	    .bytes = end->bytes,
	    .decoded_bytes = end->decoded_bytes,
	    .start_us = p->start_us,
	    .end_us = p->end_us,
	    .duration_us = p->duration_us,
	    .interval_us = p->interval_us,
	    .nodes = {true, p->tree.nodes},
	    .samples = p->samples,
	    .frames = {true, s->frames},
	    .max_depth = {true, p->tree.max_depth},
	    .rows_total = s->frames,
	    .rows_returned = s->rows,
	    .limitations = p->limitations,
	};
	memcpy(a->coverage, p->coverage, sizeof(a->coverage));
	memcpy(a->sha256, end->sha256, sizeof(a->sha256));
	a->coverage[COVERAGE_CUT_STRINGS] = s->cut_strings;
	if (s->cut_strings > 0)
		a->limitations |= UINT32_C(1) << LIMITATION_STRINGS_CUT;
	if (s->full)
		a->limitations |= UINT32_C(1) << LIMITATION_ROWS_CUT;
	count_symbolization(p, a);
	answer_metrics(s, a);
	if (a->has_digest)
		make_profile_id(p, a);
}

enum status
rows_send(struct profile *profile, enum format format,
	  const struct input_end *end, const struct extract_sink *sink,
	  const struct progress *progress)
{
	struct selection s;
	const uint32_t *order;
	struct answer answer;

	TRY(selection_make(&s, profile, sink, progress));
	make_answer(&s, format, end, &answer);
	sink->answer(sink->context, &answer);
	order = selection_order(&s);
	for (uint32_t i = 0; i < s.frames; i++) {
		struct row row;

		if (!s.taken[order[i]])
			continue;
		(void)selection_row(&s, order[i], &row);
		sink->row(sink->context, &row, profile->metrics_len);
	}
	return ST_OK;
}
