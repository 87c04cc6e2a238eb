/*
 * The pipeline in one place: what is it, which format, read it, select rows.
 */
#include "worker/extract.h"

#include "worker/formats/extractor.h"
#include "worker/formats/v8_layout.h"
#include "worker/input/sniff.h"
#include "worker/profile/profile.h"
#include "worker/rows.h"

static enum status
mismatch(enum format declared, enum format found, struct failure *failure)
{
	failure_init(failure, ST_FORMAT_MISMATCH, RE_NONE);
	failure_say(failure, "declared as %s, but the input is %s",
		    format_info(declared)->name, format_info(found)->name);
	return ST_FORMAT_MISMATCH;
}

static enum status
choose_format(struct extraction *e, struct sniff *sniff,
	      enum format *format_out)
{
	struct v8_layout layout;
	struct span head;
	bool whole;

	TRY(input_head(e->input, &head, &whole));
	TRY(sniff_head(head, whole, sniff, e->failure));
	e->first_offset = sniff->skip_bytes;
	TRY(v8_layout_find(e, &layout));
	if (e->job->format != FORMAT_ANY && e->job->format != layout.format)
		return mismatch(e->job->format, layout.format, e->failure);
	e->envelope = layout.envelope;
	*format_out = layout.format;
	return ST_OK;
}

static enum status
check_digest(const struct job *job, const struct input_end *end,
	     struct failure *failure)
{
	if (!job->has_sha256 ||
	    memcmp(job->sha256, end->sha256, sizeof(end->sha256)) == 0)
		return ST_OK;
	failure_init(failure, ST_ARTIFACT_CHANGED, RE_DIGEST_MISMATCH);
	return ST_ARTIFACT_CHANGED;
}

/* strict: whatever coverage would only count. */
static enum status
check_strict(const struct profile *p)
{
	static const enum coverage anomalies[] = {
	    COVERAGE_UNRESOLVED_SAMPLES,
	    COVERAGE_OUT_OF_ORDER_DELTAS,
	    COVERAGE_CLAMPED_DELTAS,
	};

	for (size_t i = 0;
	     p->job->strict && i < sizeof(anomalies) / sizeof(anomalies[0]);
	     i++) {
		uint64_t count = p->coverage[anomalies[i]];

		if (count == 0)
			continue;
		failure_init(p->failure, ST_ARTIFACT_PARSE_FAILED, RE_ANOMALY);
		failure_say(p->failure, "strict: %s is %llu",
			    coverage_name(anomalies[i]),
			    (unsigned long long)count);
		return ST_ARTIFACT_PARSE_FAILED;
	}
	return ST_OK;
}

static enum status
run(struct extraction *e)
{
	struct sniff sniff;
	struct progress progress;
	struct input_end end;
	enum format format;

	TRY(choose_format(e, &sniff, &format));
	TRY(extractor_of(format)->run(e));
	TRY(input_finish(e->input, &end));
	TRY(check_digest(e->job, &end, e->failure));
	TRY(check_strict(e->profile));
	progress = extraction_state(e, PHASE_SELECTING);
	return rows_send(e->profile, format, &end, e->sink, &progress);
}

enum status
extract(const struct job *job, struct input *input, struct arena *arena,
	const struct extract_sink *sink, struct failure *failure)
{
	struct profile *profile = arena_calloc(arena, 1, sizeof(*profile));
	struct extraction extraction = {
	    .job = job,
	    .arena = arena,
	    .input = input,
	    .sink = sink,
	    .failure = failure,
	    .profile = profile,
	};

	profile_init(profile, arena, job, failure);
	return run(&extraction);
}
