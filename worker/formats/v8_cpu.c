/*
 * The V8 CPU profile: {"nodes":[…],"startTime":…,"endTime":…,"samples":[…],
 * "timeDeltas":[…]}, with children or parent links, and the old nested form
 * {"head":{…},"startTime":s,"endTime":s,"samples":[…],"timestamps":[…]}.
 * docs/formats/v8.cpuprofile.md has the sources.
 */
#include "worker/formats/extractor.h"
#include "worker/formats/v8_document.h"
#include "worker/formats/v8_nested.h"
#include "worker/formats/v8_nodes_lane.h"
#include "worker/formats/v8_times_lane.h"
#include "worker/json/number.h"

enum where {
	IN_PROFILE,
	IN_NODES,
	IN_HEAD,
	IN_SAMPLES,
	IN_DELTAS,
};

enum field {
	FIELD_NODES,
	FIELD_HEAD,
	FIELD_START,
	FIELD_END,
	FIELD_SAMPLES,
	FIELD_DELTAS,
	FIELD_TIMESTAMPS,
	FIELDS
};

static const char *const field_names[FIELDS] = {
    [FIELD_NODES] = "nodes",	       [FIELD_HEAD] = "head",
    [FIELD_START] = "startTime",       [FIELD_END] = "endTime",
    [FIELD_SAMPLES] = "samples",       [FIELD_DELTAS] = "timeDeltas",
    [FIELD_TIMESTAMPS] = "timestamps",
};

/* A time of the profile's, kept as text until it is known whether it counts
 * seconds. The stream caps numbers. */
struct time_text {
	uint8_t text[64];
	size_t len;
};

struct cpu {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* owned */
	struct v8_document document;
	enum where where;
	unsigned seen; /* bits, 1 << FIELD_x */
	enum field field;
	struct column hits;
	struct v8_nodes nodes;
	struct raw_cache known_frames;
	struct nested nested;
	struct v8_times times;
	struct time_text start, end;
};

static enum status
wrong_type(struct cpu *cpu)
{
	return json_stream_fail(cpu->stream, RE_WRONG_TYPE);
}

static bool
seen(const struct cpu *cpu, enum field field)
{
	return (cpu->seen & (1U << field)) != 0;
}

/* Hit counts add up as soon as the tree is whole: their memory is then free
 * for the samples'. */
static enum status
tree_done(struct cpu *cpu, uint64_t with_hits)
{
	struct profile *p = cpu->extraction->profile;

	cpu->where = IN_PROFILE;
	if (with_hits == 0) {
		column_fini(&cpu->hits);
		profile_lacks(p, "cpu.hit_count", "no_hit_counts");
		return ST_OK;
	}
	return profile_metric(p, "cpu.hit_count", "count", &cpu->hits, 0,
			      LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS);
}

/* A number of the profile object itself. */
static enum status
profile_number(struct cpu *cpu, struct span text)
{
	struct time_text *time =
	    cpu->field == FIELD_START ? &cpu->start : &cpu->end;

	if (cpu->field != FIELD_START && cpu->field != FIELD_END)
		return wrong_type(cpu);
	if (text.len > sizeof(time->text))
		return json_stream_fail(cpu->stream, RE_NUMBER_OUT_OF_RANGE);
	memcpy(time->text, text.data, text.len);
	time->len = text.len;
	return ST_OK;
}

static enum status
on_number(void *context, struct span text)
{
	struct cpu *cpu = context;
	int64_t value;

	if (v8_document_outside(&cpu->document))
		return wrong_type(cpu);
	switch (cpu->where) {
	case IN_PROFILE:
		return profile_number(cpu, text);
	case IN_NODES:
		return v8_nodes_number(&cpu->nodes, text);
	case IN_HEAD:
		return nested_number(&cpu->nested, text);
	case IN_SAMPLES:
		TRY(v8_integer(cpu->stream, text, &value));
		return v8_samples_id(&cpu->times.samples, value);
	case IN_DELTAS:
		TRY(v8_integer(cpu->stream, text, &value));
		return v8_times_delta(&cpu->times, value);
	default:
		return wrong_type(cpu);
	}
}

static enum status
on_string(void *context, struct span text)
{
	struct cpu *cpu = context;

	if (v8_document_outside(&cpu->document))
		return wrong_type(cpu);
	if (cpu->where == IN_NODES)
		return v8_nodes_string(&cpu->nodes, text);
	if (cpu->where == IN_HEAD)
		return nested_string(&cpu->nested, text);
	return wrong_type(cpu);
}

static enum status
on_null(void *context)
{
	struct cpu *cpu = context;

	if (cpu->where == IN_NODES)
		return v8_nodes_scalar(&cpu->nodes);
	if (cpu->where == IN_HEAD)
		return nested_scalar(&cpu->nested);
	return wrong_type(cpu);
}

static enum status
on_bool(void *context, bool value)
{
	(void)value;
	return on_null(context);
}

static enum status
profile_key(struct cpu *cpu, struct span key)
{
	unsigned field = 0;

	while (field < FIELDS && !span_is(key, field_names[field]))
		field++;
	if (field == FIELDS) {
		json_stream_skip(cpu->stream);
		return ST_OK;
	}
	cpu->field = (enum field)field;
	/* Two trees, or two kinds of times, are one thing twice. */
	if (seen(cpu, cpu->field) ||
	    (field == FIELD_HEAD && seen(cpu, FIELD_NODES)) ||
	    (field == FIELD_NODES && seen(cpu, FIELD_HEAD)) ||
	    (field == FIELD_DELTAS && seen(cpu, FIELD_TIMESTAMPS)) ||
	    (field == FIELD_TIMESTAMPS && seen(cpu, FIELD_DELTAS)))
		return json_stream_fail(cpu->stream, RE_DUPLICATE_KEY);
	cpu->seen |= 1U << field;
	return ST_OK;
}

static enum status
on_key(void *context, struct span key)
{
	struct cpu *cpu = context;

	if (v8_document_outside(&cpu->document))
		return v8_document_key(&cpu->document, cpu->stream, key);
	if (cpu->where == IN_NODES)
		return v8_nodes_key(&cpu->nodes, key);
	if (cpu->where == IN_HEAD)
		return nested_key(&cpu->nested, key);
	return profile_key(cpu, key);
}

/* -- lanes ----------------------------------------------------------------- */

static enum status
take_samples(void *context, struct span bytes, struct json_taken *taken_out)
{
	return v8_samples_lane_take(&((struct cpu *)context)->times.samples,
				    bytes, taken_out);
}

static enum status
take_deltas(void *context, struct span bytes, struct json_taken *taken_out)
{
	return v8_deltas_lane_take(&((struct cpu *)context)->times, bytes,
				   taken_out);
}

static enum status
take_nodes(void *context, struct span bytes, struct json_taken *taken_out)
{
	struct cpu *cpu = context;

	TRY(v8_nodes_lane_take(&cpu->nodes, &cpu->known_frames, bytes,
			       taken_out));
	cpu->extraction->nodes = cpu->extraction->profile->tree.nodes;
	return ST_OK;
}

static const struct json_lane nodes_lane = {.levels = 3,
					    .take = take_nodes,
					    .next = v8_nodes_lane_next};
static const struct json_lane samples_lane = {.take = take_samples,
					      .next = v8_times_lane_next};
static const struct json_lane deltas_lane = {.take = take_deltas,
					     .next = v8_times_lane_next};

/* The value of a key of the profile object is an array or an object. */
static enum status
start_field(struct cpu *cpu, enum json_kind kind)
{
	if (cpu->field == FIELD_HEAD) {
		cpu->where = IN_HEAD;
		return nested_start(&cpu->nested, kind);
	}
	if (kind != JSON_ARRAY)
		return wrong_type(cpu);
	switch (cpu->field) {
	case FIELD_NODES:
		cpu->where = IN_NODES;
		json_stream_lane(cpu->stream, &nodes_lane);
		return ST_OK;
	case FIELD_SAMPLES:
		cpu->where = IN_SAMPLES;
		v8_times_start_samples(&cpu->times);
		json_stream_lane(cpu->stream, &samples_lane);
		return ST_OK;
	case FIELD_DELTAS:
	case FIELD_TIMESTAMPS:
		cpu->where = IN_DELTAS;
		v8_times_start_deltas(&cpu->times,
				      cpu->field == FIELD_TIMESTAMPS);
		json_stream_lane(cpu->stream, &deltas_lane);
		return ST_OK;
	default:
		return wrong_type(cpu);
	}
}

static enum status
on_start(void *context, enum json_kind kind)
{
	struct cpu *cpu = context;

	if (v8_document_outside(&cpu->document))
		return v8_document_start(&cpu->document, cpu->stream, kind);
	switch (cpu->where) {
	case IN_PROFILE:
		return start_field(cpu, kind);
	case IN_NODES:
		return v8_nodes_start(&cpu->nodes, kind);
	case IN_HEAD:
		return nested_start(&cpu->nested, kind);
	default:
		return wrong_type(cpu);
	}
}

static enum status
end_in_head(struct cpu *cpu, enum json_kind kind)
{
	TRY(nested_end(&cpu->nested, kind));
	cpu->extraction->nodes = cpu->extraction->profile->tree.nodes;
	if (!cpu->nested.done)
		return ST_OK;
	nested_fini(&cpu->nested);
	return tree_done(cpu, cpu->nested.with_value);
}

static enum status
end_in_nodes(struct cpu *cpu)
{
	TRY(v8_nodes_end(&cpu->nodes));
	cpu->extraction->nodes = cpu->extraction->profile->tree.nodes;
	if (!cpu->nodes.done)
		return ST_OK;
	v8_nodes_fini(&cpu->nodes);
	raw_cache_fini(&cpu->known_frames);
	return tree_done(cpu, cpu->nodes.with_hits);
}

static enum status
on_end(void *context, enum json_kind kind)
{
	struct cpu *cpu = context;

	if (v8_document_outside(&cpu->document))
		return ST_OK;
	switch (cpu->where) {
	case IN_HEAD:
		return end_in_head(cpu, kind);
	case IN_NODES:
		return end_in_nodes(cpu);
	case IN_SAMPLES:
		cpu->where = IN_PROFILE;
		return v8_times_end_samples(&cpu->times);
	case IN_DELTAS:
		cpu->where = IN_PROFILE;
		return v8_times_end_deltas(&cpu->times);
	default:
		cpu->document.closed = true;
		return ST_OK;
	}
}

static const struct json_events events = {
    .on_null = on_null,
    .on_bool = on_bool,
    .on_number = on_number,
    .on_string = on_string,
    .on_key = on_key,
    .on_start = on_start,
    .on_end = on_end,
};

/* Old nested profiles count start and end in seconds. */
static enum status
time_of(const struct cpu *cpu, const struct time_text *time, struct maybe *out)
{
	struct failure *failure = cpu->extraction->failure;
	struct span text = span_of(time->text, time->len);
	enum number_result result;

	*out = (struct maybe){.known = time->len > 0};
	if (!out->known)
		return ST_OK;
	result = seen(cpu, FIELD_HEAD) ? number_seconds_to_us(text, &out->value)
				       : number_to_int64(text, &out->value);
	if (result == NUMBER_OK)
		return ST_OK;
	failure_init(failure, ST_ARTIFACT_PARSE_FAILED,
		     result == NUMBER_FRACTION ? RE_WRONG_TYPE
					       : RE_NUMBER_OUT_OF_RANGE);
	return ST_ARTIFACT_PARSE_FAILED;
}

static enum status
finish(struct cpu *cpu)
{
	struct profile *p = cpu->extraction->profile;
	struct maybe *duration = &p->duration_us;

	if (!p->tree_sealed) {
		failure_init(p->failure, ST_UNSUPPORTED_FORMAT,
			     RE_UNRECOGNIZED_LAYOUT);
		failure_say(p->failure,
			    "a CPU profile without nodes: neither the key "
			    "nodes nor the key head is there");
		return ST_UNSUPPORTED_FORMAT;
	}
	TRY(time_of(cpu, &cpu->start, &p->start_us));
	TRY(time_of(cpu, &cpu->end, &p->end_us));
	duration->known =
	    p->start_us.known && p->end_us.known &&
	    !__builtin_sub_overflow(p->end_us.value, p->start_us.value,
				    &duration->value);
	profile_limitation(p, LIMITATION_SOURCE_MAPS_NOT_APPLIED);
	return v8_times_finish(&cpu->times, p->start_us, p->end_us);
}

enum status
v8_cpu_run(struct extraction *extraction)
{
	struct arena *arena = extraction->arena;
	struct cpu *cpu = arena_calloc(arena, 1, sizeof(*cpu));
	const struct limits *limits = &extraction->job->limits;
	enum status status;

	cpu->extraction = extraction;
	cpu->stream =
	    json_stream_new(arena, &events, cpu,
			    limits->of[LIMIT_MAX_JSON_DEPTH],
			    limits->of[LIMIT_MAX_TOKEN_BYTES],
			    extraction->first_offset, extraction->failure);
	if (extraction->job->parser == PARSER_LANES)
		json_stream_use_lanes(cpu->stream);
	v8_document_init(&cpu->document, extraction);
	extraction_expect_nodes(extraction, V8_NODE_BYTES);
	column_init(&cpu->hits, arena);
	v8_nodes_init(&cpu->nodes, extraction->profile, cpu->stream,
		      &cpu->hits);
	nested_init(&cpu->nested, extraction->profile, cpu->stream,
		    V8_NESTED_CPU, &cpu->hits);
	v8_times_init(&cpu->times, extraction, cpu->stream);
	raw_cache_init(&cpu->known_frames, arena);
	status = v8_document_read(extraction, cpu->stream);
	json_stream_free(&cpu->stream);
	if (status == ST_OK)
		status = finish(cpu);
	v8_nodes_fini(&cpu->nodes);
	raw_cache_fini(&cpu->known_frames);
	nested_fini(&cpu->nested);
	v8_times_fini(&cpu->times);
	column_fini(&cpu->hits);
	arena_free(arena, cpu);
	return status;
}
