/*
 * Assembles the model's parts.
 */
#include "worker/profile/profile.h"

#include "proto/bug.h"

void
profile_init(struct profile *p, struct arena *arena, const struct job *job,
	     struct failure *failure)
{
	*p = (struct profile){.arena = arena,
			      .job = job,
			      .failure = failure,
			      .unknown = FRAME_NONE};
	frames_init(&p->frames, arena, job);
	tree_init(&p->tree, arena, &job->limits);
}

static enum status
have_unknown(struct profile *p, enum language language, enum frame_type type)
{
	struct frame_spec spec = {
	    .language = language,
	    .type = type,
	    .category = CATEGORY_UNKNOWN,
	    .symbolization = SYMBOLIZATION_UNRESOLVED,
	    .vm = true,
	};

	if (p->unknown != FRAME_NONE)
		return ST_OK;
	spec.function = frames_function(&p->frames, span_str("(unknown)"));
	spec.place = frames_url(&p->frames, span_str(""));
	return frames_intern(&p->frames, &spec, p->failure, &p->unknown);
}

enum status
profile_metric(struct profile *p, const char *name, const char *unit,
	       struct column *column, uint64_t unknown_value,
	       enum language language, enum frame_type type)
{
	struct measure measure;

	column_fold(column, &p->tree, p->frames.len, &measure);
	return profile_measured(p, name, unit, &measure, unknown_value,
				language, type);
}

enum status
profile_measured(struct profile *p, const char *name, const char *unit,
		 struct measure *measure, uint64_t unknown_value,
		 enum language language, enum frame_type type)
{
	struct profile_metric *metric = &p->metrics[p->metrics_len];

	BUG_ON(p->metrics_len == METRICS_MAX);
	/* One frame more than there are: `unknown` may come with a later
	 * metric. */
	measure_grow(measure, p->arena, p->frames.len + 1);
	*metric = (struct profile_metric){name, unit, *measure};
	*measure = (struct measure){0};
	p->metrics_len++;
	if (unknown_value == 0)
		return ST_OK;
	TRY(have_unknown(p, language, type));
	if (measure_add(&metric->measure, p->unknown, unknown_value))
		return ST_OK;
	failure_init(p->failure, ST_ARTIFACT_PARSE_FAILED, RE_VALUE_OVERFLOW);
	return ST_ARTIFACT_PARSE_FAILED;
}

void
profile_lacks(struct profile *p, const char *metric, const char *reason)
{
	BUG_ON(p->gaps_len == METRICS_MAX);
	p->gaps[p->gaps_len++] =
	    (struct profile_gap){.metric = metric, .reason = reason};
}

void
profile_limitation(struct profile *p, enum limitation limitation)
{
	p->limitations |= UINT32_C(1) << limitation;
}
