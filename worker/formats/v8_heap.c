/*
 * The V8 sampling heap profile: {"head":{…nested nodes…},"samples":[{"size":…,
 * "nodeId":…,"ordinal":…},…]}. The tree's selfSize is the measure; the samples
 * give counts. docs/formats/v8.heapprofile.md has the sources.
 */
#include "worker/formats/extractor.h"
#include "worker/formats/v8_document.h"
#include "worker/formats/v8_nested.h"

enum where {
	IN_PROFILE,
	IN_HEAD,
	IN_SAMPLES,
	IN_SAMPLE,
};

enum field {
	FIELD_NONE,
	FIELD_HEAD,
	FIELD_SAMPLES,
	/* of a sample */
	FIELD_SIZE,
	FIELD_NODE_ID,
};

struct heap {
	struct extraction *extraction; /* borrowed */
	struct json_stream *stream;    /* owned */
	struct v8_document document;
	enum where where;
	enum field field;
	bool has_head, has_samples;
	bool has_size, has_node_id; /* of the open sample */
	uint64_t size;
	int64_t node_id; /* may name no node, and be negative */
	struct nested nested;
	struct column sizes, counts;
	uint64_t samples, unresolved;
	uint64_t samples_size;
	int64_t *early; /* owned: a table; node ids of samples before head */
	size_t early_bytes;
	uint64_t early_len;
};

static enum status
wrong_type(struct heap *heap)
{
	return json_stream_fail(heap->stream, heap->where == IN_SAMPLES
						  ? RE_NOT_AN_OBJECT
						  : RE_WRONG_TYPE);
}

static enum status
count_sample(struct heap *heap, int64_t node_id)
{
	const struct tree *tree = &heap->extraction->profile->tree;
	uint32_t slot = SLOT_NONE;

	if (node_id >= 0)
		slot = tree_find(tree, (uint64_t)node_id);

	if (slot == SLOT_NONE) {
		heap->unresolved++;
		return ST_OK;
	}
	if (!column_add(&heap->counts, slot, 1))
		return json_stream_fail(heap->stream, RE_VALUE_OVERFLOW);
	return ST_OK;
}

static void
keep_early(struct heap *heap, int64_t node_id)
{
	size_t need = (size_t)(heap->early_len + 1) * sizeof(heap->early[0]);

	if (need > heap->early_bytes) {
		size_t more = table_size(heap->early_bytes, need);

		table_grow(heap->extraction->arena, (void **)&heap->early,
			   heap->early_bytes, more);
		heap->early_bytes = more;
	}
	heap->early[heap->early_len++] = node_id;
}

static enum status
check_samples_limit(struct heap *heap, bool *cut_out)
{
	struct extraction *e = heap->extraction;
	uint64_t max = e->job->limits.of[LIMIT_MAX_SAMPLES];

	*cut_out = heap->samples > max;
	if (!*cut_out)
		return ST_OK;
	if (e->job->on_limit == ON_LIMIT_TRUNCATE) {
		e->profile->partial = true;
		return ST_OK;
	}
	failure_of_limit(e->failure, LIMIT_MAX_SAMPLES, max + 1, max);
	e->failure->offset = (int64_t)json_stream_offset(heap->stream);
	return ST_LIMIT_EXCEEDED;
}

static enum status
close_sample(struct heap *heap)
{
	bool cut;

	heap->where = IN_SAMPLES;
	if (!heap->has_node_id || !heap->has_size) {
		enum status status =
		    json_stream_fail(heap->stream, RE_MISSING_FIELD);

		failure_say(heap->extraction->failure, "a sample has no %s",
			    heap->has_node_id ? "size" : "nodeId");
		return status;
	}
	heap->samples++;
	heap->extraction->samples = heap->samples;
	TRY(check_samples_limit(heap, &cut));
	if (cut)
		return ST_OK;
	if (__builtin_add_overflow(heap->samples_size, heap->size,
				   &heap->samples_size))
		return json_stream_fail(heap->stream, RE_VALUE_OVERFLOW);
	if (heap->extraction->profile->tree_sealed)
		return count_sample(heap, heap->node_id);
	keep_early(heap, heap->node_id);
	return ST_OK;
}

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
	for (uint64_t i = 0; i < heap->early_len; i++)
		TRY(count_sample(heap, heap->early[i]));
	return ST_OK;
}

static enum status
on_number(void *context, struct span text)
{
	struct heap *heap = context;

	if (heap->where == IN_HEAD)
		return nested_number(&heap->nested, text);
	if (heap->where == IN_SAMPLE && heap->field == FIELD_SIZE)
		return v8_count(heap->stream, text, &heap->size);
	if (heap->where == IN_SAMPLE && heap->field == FIELD_NODE_ID)
		return v8_integer(heap->stream, text, &heap->node_id);
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
	struct heap *heap = context;

	if (heap->where == IN_HEAD)
		return nested_scalar(&heap->nested);
	return wrong_type(heap);
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
	if (heap->where == IN_SAMPLE) {
		if (span_is(key, "size"))
			return begin_field(heap, FIELD_SIZE, &heap->has_size);
		if (span_is(key, "nodeId"))
			return begin_field(heap, FIELD_NODE_ID,
					   &heap->has_node_id);
	} else {
		if (span_is(key, "head"))
			return begin_field(heap, FIELD_HEAD, &heap->has_head);
		if (span_is(key, "samples"))
			return begin_field(heap, FIELD_SAMPLES,
					   &heap->has_samples);
		/* A CPU profile's tree beside ours: two trees are one thing
		 * twice. */
		if (span_is(key, "nodes"))
			return json_stream_fail(heap->stream, RE_DUPLICATE_KEY);
	}
	json_stream_skip(heap->stream);
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
		return nested_start(&heap->nested, kind);
	case IN_SAMPLES:
		if (kind != JSON_OBJECT)
			return wrong_type(heap);
		heap->where = IN_SAMPLE;
		heap->has_size = heap->has_node_id = false;
		heap->size = 0;
		return ST_OK;
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
	case IN_SAMPLE:
		return close_sample(heap);
	case IN_SAMPLES:
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

/* V8 writes no samples in old versions, and other tools an empty array. */
static enum status
finish_samples(struct heap *heap)
{
	struct profile *p = heap->extraction->profile;
	uint64_t max = p->job->limits.of[LIMIT_MAX_SAMPLES];

	if (heap->samples == 0) {
		profile_lacks(p, "memory.samples", "no_samples");
		return ST_OK;
	}
	p->samples = (struct maybe){true, (int64_t)heap->samples};
	p->coverage[COVERAGE_UNRESOLVED_SAMPLES] = heap->unresolved;
	if (p->partial) {
		p->coverage[COVERAGE_CUT_SAMPLES] = heap->samples - max;
		profile_limitation(p, LIMITATION_INPUT_CUT);
	} else if (heap->samples_size != p->metrics[0].measure.total) {
		profile_limitation(p, LIMITATION_TOTALS_DISAGREE);
	}
	return profile_metric(p, "memory.samples", "count", &heap->counts,
			      heap->unresolved, LANGUAGE_JAVASCRIPT,
			      FRAME_TYPE_V8JS);
}

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
	return finish_samples(heap);
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
	v8_document_init(&heap->document, extraction);
	extraction_expect_nodes(extraction, V8_NODE_BYTES);
	column_init(&heap->sizes, arena);
	column_init(&heap->counts, arena);
	nested_init(&heap->nested, extraction->profile, heap->stream,
		    V8_NESTED_HEAP, in_order ? NULL : &heap->sizes);
}

static void
heap_fini(struct heap *heap)
{
	struct arena *arena = heap->extraction->arena;

	json_stream_free(&heap->stream);
	nested_fini(&heap->nested);
	column_fini(&heap->sizes);
	column_fini(&heap->counts);
	table_grow(arena, (void **)&heap->early, heap->early_bytes, 0);
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
