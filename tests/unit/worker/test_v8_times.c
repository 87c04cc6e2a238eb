/*
 * Samples and times: kept or read again, cut or not, and whatever is wrong.
 */
#include "tests/support/model.h"
#include "tests/unit/worker/extract_pieces.h"
#include "worker/formats/v8_times.h"

#define F(name) "\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"x.js\"}"
#define NODES                                                             \
	"\"nodes\":[{\"id\":1," F("f") ",\"children\":[2]},{\"id\":2," F( \
	    "g") "}]"
#define PROFILE(start, end, samples, deltas)                  \
	"{" NODES ",\"startTime\":" start ",\"endTime\":" end \
	",\"samples\":[" samples "],\"timeDeltas\":[" deltas "]}"

Test(v8_times, gives_the_first_delta_to_nobody_and_the_rest_to_the_end)
{
	struct extracted e =
	    extract_good(PROFILE("1000", "1100", "1,2", "30,20"), NULL);

	expect_total(&e, "wall.time", 70, 70);
	expect_values(&e, "f", "wall.time", 20, 70);
	expect_values(&e, "g", "wall.time", 50, 50);
	extracted_free(&e);
}

Test(v8_times, never_gives_less_than_nothing_to_the_last_sample)
{
	struct extracted e =
	    extract_good(PROFILE("0", "25", "1,2", "10,20"), NULL);

	expect_values(&e, "f", "wall.time", 20, 20);
	expect_values(&e, "g", "wall.time", 0, 0);
	extracted_free(&e);
}

Test(v8_times, refuses_arrays_of_different_lengths)
{
	expect_failure_of(PROFILE("0", "9", "1,2", "1"), NULL,
			  RE_LENGTH_MISMATCH, "]}", "$.timeDeltas",
			  "2 samples and 1 time deltas");
	expect_failure_of(PROFILE("0", "9", "1", "1,2,3"), NULL,
			  RE_LENGTH_MISMATCH, "]}", "$.timeDeltas",
			  "1 samples and 3 time deltas");
	expect_failure_of("{" NODES ",\"timeDeltas\":[1],\"samples\":[]}", NULL,
			  RE_LENGTH_MISMATCH, "]}", "$.samples",
			  "0 samples and 1 time deltas");
	expect_failure_of("{" NODES ",\"samples\":[1],\"timestamps\":[]}", NULL,
			  RE_LENGTH_MISMATCH, "]}", "$.timestamps",
			  "1 samples and 0 timestamps");
}

Test(v8_times, refuses_elements_that_are_no_whole_numbers)
{
	expect_failure(PROFILE("0", "9", "1.5", "1"), RE_WRONG_TYPE, "1.5",
		       "$.samples[0]");
	expect_failure(PROFILE("0", "9", "1,null", "1"), RE_WRONG_TYPE, "null",
		       "$.samples[1]");
	expect_failure(PROFILE("0", "9", "\"1\"", "1"), RE_WRONG_TYPE, "\"1\"",
		       "$.samples[0]");
	expect_failure(PROFILE("0", "9", "[1]", "1"), RE_WRONG_TYPE, "[1]],",
		       "$.samples[0]");
	expect_failure(PROFILE("0", "9", "1", "0.25"), RE_WRONG_TYPE, "0.25",
		       "$.timeDeltas[0]");
	expect_failure(PROFILE("0", "9", "1", "{}"), RE_WRONG_TYPE, "{}",
		       "$.timeDeltas[0]");
	expect_failure(PROFILE("0", "9", "9223372036854775808", "1"),
		       RE_NUMBER_OUT_OF_RANGE, "922", "$.samples[0]");
}

Test(v8_times, takes_numbers_however_they_are_spelled)
{
	struct extracted e =
	    extract_good(PROFILE("1e1", "10.0e1", "2e0,10e-1", "0.0,1E1"),
			 NULL);

	expect_values(&e, "g", "wall.time", 10, 10);
	expect_values(&e, "f", "wall.time", 80, 90);
	extracted_free(&e);
}

Test(v8_times, refuses_times_that_leave_64_bits)
{
	expect_failure(PROFILE("0", "9", "1,1", "9223372036854775807,1"),
		       RE_TIME_OVERFLOW, "1]}", "$.timeDeltas[1]");
	/* found when all is read, so there is no place */
	expect_failure(PROFILE("9223372036854775800", "9223372036854775807",
			       "1", "8"),
		       RE_TIME_OVERFLOW, NULL, "");
	expect_failure(PROFILE("-9223372036854775808", "1", "1", "8"),
		       RE_TIME_OVERFLOW, NULL, "");
}

/* Times 5, 15, 25, 35: the second one lasts until the third begins. */
Test(v8_times, counts_the_first_samples_alone_when_it_is_cut)
{
	static const char *const forms[] = {
	    PROFILE("0", "100", "1,2,2,1", "5,10,10,10"),
	    "{\"timeDeltas\":[5,10,10,10],\"samples\":[1,2,2,1],"
	    "\"endTime\":100,\"startTime\":0," NODES "}",
	};
	struct job job;

	job_init(&job);
	job.on_limit = ON_LIMIT_TRUNCATE;
	job.limits.of[LIMIT_MAX_SAMPLES] = 2;
	for (int i = 0; i < 2; i++) {
		struct extracted e = extract_good(forms[i], &job);

		cr_assert(e.answer.partial);
		expect_total(&e, "cpu.samples", 2, 2);
		expect_values(&e, "f", "wall.time", 10, 20);
		expect_values(&e, "g", "wall.time", 10, 10);
		cr_assert_eq(e.answer.samples.value, 4);
		cr_assert_eq(e.answer.coverage[COVERAGE_CUT_SAMPLES], 2);
		cr_assert(has_limitation(&e, LIMITATION_INPUT_CUT));
		extracted_free(&e);
	}
}

Test(v8_times, cuts_nothing_when_the_samples_are_just_enough)
{
	struct extracted e;
	struct job job;

	job_init(&job);
	job.on_limit = ON_LIMIT_TRUNCATE;
	job.limits.of[LIMIT_MAX_SAMPLES] = 2;
	e = extract_good(PROFILE("0", "40", "1,2", "5,10"), &job);
	cr_assert_not(e.answer.partial);
	expect_values(&e, "g", "wall.time", 25, 25);
	extracted_free(&e);
}

Test(v8_times, ends_at_max_samples_when_nothing_may_be_cut)
{
	const char *json = PROFILE("0", "40", "1,2,1", "5,10,1");
	struct extracted e;
	struct job job;

	job_init(&job);
	job.limits.of[LIMIT_MAX_SAMPLES] = 2;
	free(extract_pieces(span_str(json), &job));
	extract_bytes(span_str(json), &(struct extract_how){.job = &job}, &e);
	cr_assert_eq(e.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(e.failure.limit, LIMIT_MAX_SAMPLES);
	cr_assert_eq(e.failure.actual, 3);
	cr_assert_eq(e.failure.max, 2);
	cr_assert_eq(e.failure.offset, strstr(json, "1],\"timeD") - json);
	extracted_free(&e);
}

/* Samples and deltas through struct v8_times itself, with a tree of two nodes
 * and room for few samples, over an input that holds the arrays. */
struct direct {
	struct model model;
	struct input input;
	struct extraction extraction;
	struct v8_times times;
	struct json_stream *stream;
	bool in_samples, in_deltas;
};

static enum status
direct_number(void *context, struct span text)
{
	struct direct *d = context;
	int64_t value = strtoll((const char *)text.data, NULL, 10);

	return d->in_deltas ? v8_times_delta(&d->times, value)
			    : v8_samples_id(&d->times.samples, value);
}

static enum status
direct_key(void *context, struct span key)
{
	struct direct *d = context;

	d->in_deltas = span_is(key, "timeDeltas");
	return ST_OK;
}

static enum status
direct_start(void *context, enum json_kind kind)
{
	struct direct *d = context;

	if (kind == JSON_OBJECT)
		return ST_OK;
	if (d->in_deltas)
		v8_times_start_deltas(&d->times, false);
	else
		v8_times_start_samples(&d->times);
	return ST_OK;
}

static enum status
direct_end(void *context, enum json_kind kind)
{
	struct direct *d = context;

	if (kind == JSON_OBJECT)
		return ST_OK;
	return d->in_deltas ? v8_times_end_deltas(&d->times)
			    : v8_times_end_samples(&d->times);
}

static void
direct_progress(void *context, const struct progress *progress)
{
	(void)context;
	(void)progress;
}

static const struct json_events direct_events = {.on_number = direct_number,
						 .on_key = direct_key,
						 .on_start = direct_start,
						 .on_end = direct_end};
static const struct extract_sink direct_sink = {.progress = direct_progress};

/* Two nodes, 1 and 2 below it, of frames 0 and 1. */
static void
direct_init(struct direct *d, const struct source *source, uint64_t kept_max)
{
	struct profile *p = &d->model.profile;

	*d = (struct direct){0};
	model_init(&d->model);
	(void)model_frame(&d->model, "f");
	(void)model_frame(&d->model, "g");
	cr_assert_eq(tree_add(&p->tree, tree_slot(&p->tree, 1), 0), TREE_OK);
	cr_assert_eq(tree_add(&p->tree, tree_slot(&p->tree, 2), 1), TREE_OK);
	cr_assert_eq(tree_link(&p->tree, 1, 2), TREE_OK);
	cr_assert_eq(tree_seal(&p->tree, 2, false, &d->model.failure), ST_OK);
	p->tree_sealed = true;
	cr_assert_eq(input_open_source(&d->input, &d->model.arena, source,
				       &d->model.job.limits, false,
				       &d->model.failure),
		     ST_OK);
	d->extraction = (struct extraction){.job = &d->model.job,
					    .arena = &d->model.arena,
					    .input = &d->input,
					    .sink = &direct_sink,
					    .failure = &d->model.failure,
					    .profile = p};
	d->stream = json_stream_new(&d->model.arena, &direct_events, d, 8, 1024,
				    0, &d->model.failure);
	v8_times_init(&d->times, &d->extraction, d->stream);
	d->times.samples.kept.bytes_max = kept_max * sizeof(uint32_t);
}

static enum status
direct_run(struct direct *d)
{
	struct span chunk;

	for (;;) {
		TRY(input_read(&d->input, &chunk));
		if (chunk.len == 0)
			break;
		TRY(json_stream_feed(d->stream, chunk));
	}
	TRY(json_stream_end(d->stream));
	return v8_times_finish(&d->times, (struct maybe){true, 0},
			       (struct maybe){true, 100});
}

static void
direct_fini(struct direct *d)
{
	v8_times_fini(&d->times);
	json_stream_free(&d->stream);
	input_close(&d->input);
	model_fini(&d->model);
}

/* f from 5 to 15 and 35 to 100, g from 15 to 35. */
Test(v8_times, reads_samples_again_that_are_too_many_to_be_kept)
{
	const char *json =
	    "{\"samples\":[1,2,2,1],\"timeDeltas\":[5,10,10,10]}";

	for (uint64_t kept = 0; kept <= 5; kept++) {
		for (size_t chunk = 0; chunk <= PIECES_MAX; chunk++) {
			struct source source;
			struct direct d;
			const struct measure *m;

			source_of_memory(&source, span_str(json), chunk);
			direct_init(&d, &source, kept);
			cr_assert_eq(direct_run(&d), ST_OK, "%s",
				     d.model.failure.message);
			cr_assert_eq(d.model.profile.metrics_len, 2);
			m = &d.model.profile.metrics[1].measure;
			cr_assert_eq(m->self[0], 75);
			cr_assert_eq(m->self[1], 20);
			cr_assert_eq(m->inclusive[0], 95);
			direct_fini(&d);
		}
	}
}

/* A source whose second reading is another text: reads from the start count as
 * the first one until a read starts in the middle again. */
static const char *second_text;
static bool first_done;

static ssize_t
fickle_read(const struct source *source, void *room, size_t len, uint64_t at)
{
	const char *text =
	    first_done ? second_text : (const char *)source->memory.data;

	if (at >= source->size) {
		first_done = true;
		return 0;
	}
	if (len > source->size - at)
		len = (size_t)(source->size - at);
	memcpy(room, text + at, len);
	if (at + len == source->size)
		first_done = true;
	return (ssize_t)len;
}

static void
expect_changed(const char *first, const char *second)
{
	struct source source;
	struct direct d;

	cr_assert_eq(strlen(first), strlen(second));
	source_of_memory(&source, span_str(first), 0);
	source.read_at = fickle_read;
	second_text = second;
	first_done = false;
	direct_init(&d, &source, 0);
	cr_assert_eq(direct_run(&d), ST_ARTIFACT_CHANGED, "%s", second);
	cr_assert_eq(d.model.failure.reason, RE_CHANGED_WHILE_READ);
	direct_fini(&d);
}

Test(v8_times, ends_when_the_second_reading_is_not_the_first)
{
	const char *first = "{\"samples\":[1,2,2,1],\"timeDeltas\":[5,1,1,1]}";

	expect_changed(first,
		       "{\"samples\":[1,2,2,2],\"timeDeltas\":[5,1,1,1]}");
	expect_changed(first,
		       "{\"samples\":[2,1,2,1],\"timeDeltas\":[5,1,1,1]}");
	expect_changed(first,
		       "{\"samples\":[1,2,211],\"timeDeltas\":[5,1,1,1]}");
	expect_changed(first,
		       "{\"samples\":[1,2,2,1,\"timeDeltas\":[5,1,1,1]}]");
	expect_changed(first,
		       "{\"samples\":[1,2,x,1],\"timeDeltas\":[5,1,1,1]}");
	expect_changed(first, "{\"samples\":[1,2]}                           ");
}

Test(v8_times, ends_when_deltas_that_are_read_again_are_others)
{
	const char *first = "{\"timeDeltas\":[5,1,1,1],\"samples\":[1,2,2,1]}";

	expect_changed(first,
		       "{\"timeDeltas\":[5,1,2,1],\"samples\":[1,2,2,1]}");
	expect_changed(first,
		       "{\"timeDeltas\":[5,1,111],\"samples\":[1,2,2,1]}");
	expect_changed(first,
		       "{\"timeDeltas\":[5,1,1,1],\"samples\":[1,2,2,2]}");
}
