/*
 * The V8 sampling heap profile: {"head":{…nested nodes…},"samples":[{"size":…,
 * "nodeId":…,"ordinal":…},…]}. The tree's selfSize is the measure; the samples
 * give counts. docs/formats/v8.heapprofile.md has the sources.
 */
#include "worker/formats/extractor.h"
#include "worker/formats/v8_document.h"
#include "worker/formats/v8_heap_samples.h"
#include "worker/formats/v8_nested_lane.h"
#include "worker/formats/v8_nodes_lane.h"

enum where {
	IN_PROFILE,
	IN_HEAD,
	IN_SAMPLES,
};

enum field {
	FIELD_NONE,
	FIELD_HEAD,
	FIELD_SAMPLES,
};

struct heap {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* owned */
	struct v8_document document;
	enum where where;
	enum field field;
	bool has_head, has_samples;
	struct nested nested;
	struct raw_cache known_frames;
	struct column sizes;
	struct v8_heap_samples samples;
};

/* The tree is whole. Sizes that had to be kept a node add up now, and their
 * memory is free for the counts. */
static enum status
head_done(struct heap *heap)
{
	struct profile *p = heap->extraction->profile;

	heap->where = IN_PROFILE;
	if (heap->nested.values == NULL)
		TRY(profile_measured(p, "memory.self_size", "bytes",
				     &heap->nested.measure, 0,
				     LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS));
	else
		TRY(profile_metric(p, "memory.self_size", "bytes", &heap->sizes,
				   0, LANGUAGE_JAVASCRIPT, FRAME_TYPE_V8JS));
	nested_fini(&heap->nested);
	raw_cache_fini(&heap->known_frames);
	v8_heap_samples_resolve(&heap->samples);
	return ST_OK;
}

static enum status
wrong_type(struct heap *heap)
{
	if (heap->where == IN_HEAD)
		return nested_scalar(&heap->nested);
	if (heap->where == IN_SAMPLES)
		return v8_heap_samples_scalar(&heap->samples);
	return json_stream_fail(heap->stream, RE_WRONG_TYPE);
}

static enum status
on_number(void *context, struct span text)
{
	struct heap *heap = context;

	if (heap->where == IN_HEAD)
		return nested_number(&heap->nested, text);
	if (heap->where == IN_SAMPLES)
		return v8_heap_samples_number(&heap->samples, text);
	return wrong_type(heap);
}

static enum status
on_string(void *context, struct span text)
{
	struct heap *heap = context;

	if (heap->where == IN_HEAD)
		return nested_string(&heap->nested, text);
	return wrong_type(heap);
}

static enum status
on_null(void *context)
{
	return wrong_type(context);
}

static enum status
on_bool(void *context, bool value)
{
	(void)value;
	return on_null(context);
}

/* Takes the field when it was not seen before. */
static enum status
begin_field(struct heap *heap, enum field field, bool *seen)
{
	if (*seen)
		return json_stream_fail(heap->stream, RE_DUPLICATE_KEY);
	*seen = true;
	heap->field = field;
	return ST_OK;
}

static enum status
on_key(void *context, struct span key)
{
	struct heap *heap = context;

	if (v8_document_outside(&heap->document))
		return v8_document_key(&heap->document, heap->stream, key);
	if (heap->where == IN_HEAD)
		return nested_key(&heap->nested, key);
	if (heap->where == IN_SAMPLES)
		return v8_heap_samples_key(&heap->samples, key);
	if (span_is(key, "head"))
		return begin_field(heap, FIELD_HEAD, &heap->has_head);
	if (span_is(key, "samples"))
		return begin_field(heap, FIELD_SAMPLES, &heap->has_samples);
	/* a CPU profile's tree beside ours: two trees are one thing twice */
	if (span_is(key, "nodes"))
		return json_stream_fail(heap->stream, RE_DUPLICATE_KEY);
	json_stream_skip(heap->stream);
	return ST_OK;
}

/* -- lanes ----------------------------------------------------------------- */

static enum status
take_nodes(void *context, struct span bytes, struct json_taken *taken_out)
{
	struct heap *heap = context;

	TRY(v8_nested_lane_take(&heap->nested, &heap->known_frames, bytes,
				taken_out));
	heap->extraction->nodes = heap->extraction->profile->tree.nodes;
	return ST_OK;
}

static bool
inside(const void *context)
{
	return v8_nested_lane_inside(&((const struct heap *)context)->nested);
}

static uint64_t
begun(const void *context, uint64_t further_out)
{
	return v8_nested_lane_begun(&((const struct heap *)context)->nested,
				    further_out);
}

static enum status
take_samples(void *context, struct span bytes, struct json_taken *taken_out)
{
	return v8_heap_samples_take(&((struct heap *)context)->samples, bytes,
				    taken_out);
}

static const struct json_nesting nesting = {
    .key = V8_NESTED_LANE_KEY,
    .opening = V8_NESTED_LANE_OPENING,
    .inside = inside,
    .begun = begun,
};

static const struct json_lane nodes_lane = {.levels = V8_NESTED_LANE_LEVELS,
					    .take = take_nodes,
					    .next = v8_nested_lane_next,
					    .nesting = &nesting};
static const struct json_lane samples_lane = {.levels = 1,
					      .take = take_samples,
					      .next = v8_nodes_lane_next};

static enum status
start_in_head(struct heap *heap, enum json_kind kind)
{
	TRY(nested_start(&heap->nested, kind));
	/* the root's children begin; a lane needs V8's order of keys */
	if (kind == JSON_ARRAY && heap->nested.depth == 1 &&
	    heap->nested.values == NULL)
		json_stream_lane(heap->stream, &nodes_lane);
	return ST_OK;
}

static enum status
start_in_profile(struct heap *heap, enum json_kind kind)
{
	if (heap->field == FIELD_HEAD) {
		heap->where = IN_HEAD;
		return nested_start(&heap->nested, kind);
	}
	if (kind != JSON_ARRAY)
		return wrong_type(heap);
	heap->where = IN_SAMPLES;
	json_stream_lane(heap->stream, &samples_lane);
	return ST_OK;
}

static enum status
on_start(void *context, enum json_kind kind)
{
	struct heap *heap = context;

	if (v8_document_outside(&heap->document))
		return v8_document_start(&heap->document, heap->stream, kind);
	switch (heap->where) {
	case IN_PROFILE:
		return start_in_profile(heap, kind);
	case IN_HEAD:
		return start_in_head(heap, kind);
	case IN_SAMPLES:
		return v8_heap_samples_start(&heap->samples, kind);
	default:
		return wrong_type(heap);
	}
}

static enum status
on_end(void *context, enum json_kind kind)
{
	struct heap *heap = context;

	if (v8_document_outside(&heap->document))
		return ST_OK;
	switch (heap->where) {
	case IN_HEAD:
		TRY(nested_end(&heap->nested, kind));
		heap->extraction->nodes = heap->extraction->profile->tree.nodes;
		return heap->nested.done ? head_done(heap) : ST_OK;
	case IN_SAMPLES:
		if (heap->samples.open)
			return v8_heap_samples_end(&heap->samples);
		heap->where = IN_PROFILE;
		return ST_OK;
	default:
		heap->document.closed = true;
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

static enum status
finish(struct heap *heap)
{
	struct profile *p = heap->extraction->profile;

	if (!p->tree_sealed) {
		failure_init(p->failure, ST_UNSUPPORTED_FORMAT,
			     RE_UNRECOGNIZED_LAYOUT);
		failure_say(p->failure,
			    "a heap profile without a tree: the key head is "
			    "not there");
		return ST_UNSUPPORTED_FORMAT;
	}
	profile_limitation(p, LIMITATION_SOURCE_MAPS_NOT_APPLIED);
	profile_limitation(p, LIMITATION_SAMPLED_ESTIMATE);
	profile_limitation(p, LIMITATION_LIVE_HEAP_ONLY);
	return v8_heap_samples_finish(&heap->samples);
}

static void
heap_init(struct heap *heap, struct extraction *extraction, bool in_order)
{
	struct arena *arena = extraction->arena;
	const struct limits *limits = &extraction->job->limits;

	*heap = (struct heap){.extraction = extraction};
	heap->stream =
	    json_stream_new(arena, &events, heap,
			    limits->of[LIMIT_MAX_JSON_DEPTH],
			    limits->of[LIMIT_MAX_TOKEN_BYTES],
			    extraction->first_offset, extraction->failure);
	if (extraction->job->parser == PARSER_LANES)
		json_stream_use_lanes(heap->stream);
	v8_document_init(&heap->document, extraction);
	extraction_expect_nodes(extraction, V8_NODE_BYTES);
	column_init(&heap->sizes, arena);
	v8_heap_samples_init(&heap->samples, extraction, heap->stream);
	raw_cache_init(&heap->known_frames, arena);
	nested_init(&heap->nested, extraction->profile, heap->stream,
		    V8_NESTED_HEAP, in_order ? NULL : &heap->sizes);
}

static void
heap_fini(struct heap *heap)
{
	json_stream_free(&heap->stream);
	nested_fini(&heap->nested);
	raw_cache_fini(&heap->known_frames);
	column_fini(&heap->sizes);
	v8_heap_samples_fini(&heap->samples);
}

/* Reads the whole input into an empty tree. *again_out: its keys are in an
 * order that needs a size kept for every node. */
static enum status
read_heap(struct extraction *extraction, bool in_order, bool *again_out)
{
	struct heap *heap = arena_alloc(extraction->arena, sizeof(*heap));
	enum status status;

	heap_init(heap, extraction, in_order);
	status = v8_document_read(extraction, heap->stream);
	if (status == ST_OK)
		status = finish(heap);
	*again_out = heap->nested.out_of_order;
	heap_fini(heap);
	arena_free(extraction->arena, heap);
	return status;
}

/* From the first byte again: the values must be those of the bytes that the
 * digest is of, also when a writer changes them between two readings. */
static enum status
read_again(struct extraction *extraction)
{
	struct profile *p = extraction->profile;
	bool again = false;

	tree_fini(&p->tree);
	tree_init(&p->tree, p->arena, &p->job->limits);
	p->partial = false;
	TRY(input_restart(extraction->input));
	return read_heap(extraction, false, &again);
}

enum status
v8_heap_run(struct extraction *extraction)
{
	bool again = false;
	enum status status = read_heap(extraction, true, &again);

	return again ? read_again(extraction) : status;
}
