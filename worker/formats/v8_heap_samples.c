/*
 * {"size":17504,"nodeId":3013,"ordinal":1738}: the first two count. The tree's
 * sizes are the measure; the samples' are only held against them.
 */
#include "worker/formats/v8_heap_samples.h"

#include "worker/formats/v8_frame.h"
#include "worker/lanes/cursor.h"

#define COUNTED_AT_ONCE 512

void
v8_heap_samples_init(struct v8_heap_samples *s, struct extraction *extraction,
		     struct json_stream *stream)
{
	*s = (struct v8_heap_samples){.extraction = extraction,
				      .stream = stream};
	column_init(&s->counts, extraction->arena);
}

void
v8_heap_samples_fini(struct v8_heap_samples *s)
{
	column_fini(&s->counts);
	table_grow(s->extraction->arena, (void **)&s->early, s->early_bytes, 0);
	s->early_bytes = 0;
}

static bool
tree_known(const struct v8_heap_samples *s)
{
	return s->extraction->profile->tree_sealed;
}

static void
count(struct v8_heap_samples *s, const int64_t *node_ids, size_t n)
{
	uint32_t slots[COUNTED_AT_ONCE];

	tree_find_all(&s->extraction->profile->tree, node_ids, n, slots);
	column_count(&s->counts, slots, n);
}

static void
keep_early(struct v8_heap_samples *s, int64_t node_id)
{
	size_t need = (size_t)(s->early_len + 1) * sizeof(s->early[0]);

	if (need > s->early_bytes) {
		size_t more = table_size(s->early_bytes, need);

		table_grow(s->extraction->arena, (void **)&s->early,
			   s->early_bytes, more);
		s->early_bytes = more;
	}
	s->early[s->early_len++] = node_id;
}

static uint64_t
most(const struct v8_heap_samples *s)
{
	return s->extraction->job->limits.of[LIMIT_MAX_SAMPLES];
}

static enum status
over_limit(struct v8_heap_samples *s)
{
	struct extraction *e = s->extraction;

	if (e->job->on_limit == ON_LIMIT_TRUNCATE) {
		e->profile->partial = true;
		return ST_OK;
	}
	failure_of_limit(e->failure, LIMIT_MAX_SAMPLES, most(s) + 1, most(s));
	e->failure->offset = (int64_t)json_stream_offset(s->stream);
	return ST_LIMIT_EXCEEDED;
}

static enum status
lacks(struct v8_heap_samples *s, const char *field)
{
	enum status status = json_stream_fail(s->stream, RE_MISSING_FIELD);

	failure_say(s->extraction->failure, "a sample has no %s", field);
	return status;
}

enum status
v8_heap_samples_end(struct v8_heap_samples *s)
{
	s->open = false;
	if (!s->has_node_id || !s->has_size)
		return lacks(s, s->has_node_id ? "size" : "nodeId");
	s->extraction->samples = ++s->len;
	if (s->len > most(s))
		return over_limit(s);
	if (__builtin_add_overflow(s->size, s->open_size, &s->size))
		return json_stream_fail(s->stream, RE_VALUE_OVERFLOW);
	if (tree_known(s))
		count(s, &s->node_id, 1);
	else
		keep_early(s, s->node_id);
	return ST_OK;
}

void
v8_heap_samples_resolve(struct v8_heap_samples *s)
{
	for (uint64_t i = 0; i < s->early_len; i++)
		count(s, &s->early[i], 1);
}

enum status
v8_heap_samples_scalar(struct v8_heap_samples *s)
{
	return json_stream_fail(s->stream,
				s->open ? RE_WRONG_TYPE : RE_NOT_AN_OBJECT);
}

enum status
v8_heap_samples_number(struct v8_heap_samples *s, struct span text)
{
	if (s->open && s->field == V8_HEAP_SIZE)
		return v8_count(s->stream, text, &s->open_size);
	if (s->open && s->field == V8_HEAP_NODE_ID)
		return v8_integer(s->stream, text, &s->node_id);
	return v8_heap_samples_scalar(s);
}

static enum status
begin_field(struct v8_heap_samples *s, enum v8_heap_field field, bool *seen)
{
	if (*seen)
		return json_stream_fail(s->stream, RE_DUPLICATE_KEY);
	*seen = true;
	s->field = field;
	return ST_OK;
}

enum status
v8_heap_samples_key(struct v8_heap_samples *s, struct span key)
{
	if (span_is(key, "size"))
		return begin_field(s, V8_HEAP_SIZE, &s->has_size);
	if (span_is(key, "nodeId"))
		return begin_field(s, V8_HEAP_NODE_ID, &s->has_node_id);
	json_stream_skip(s->stream);
	return ST_OK;
}

enum status
v8_heap_samples_start(struct v8_heap_samples *s, enum json_kind kind)
{
	if (s->open || kind != JSON_OBJECT)
		return v8_heap_samples_scalar(s);
	s->open = true;
	s->has_size = s->has_node_id = false;
	s->field = V8_HEAP_OTHER;
	s->open_size = 0;
	return ST_OK;
}

static bool
read_sample(struct cursor *c, uint64_t *size_out, uint64_t *node_out)
{
	uint64_t ordinal;

	return CURSOR_IS(c, "{\"size\":") && cursor_count(c, size_out) &&
	       CURSOR_IS(c, ",\"nodeId\":") && cursor_count(c, node_out) &&
	       CURSOR_IS(c, ",\"ordinal\":") && cursor_count(c, &ordinal) &&
	       CURSOR_IS(c, "},") && c->at < c->end && *c->at == '{';
}

/* As many as can be counted at once; how many. */
static size_t
take_some(struct v8_heap_samples *s, struct cursor *c, const uint8_t **end_out)
{
	int64_t node_ids[COUNTED_AT_ONCE];
	uint64_t size, node, sum;
	size_t n = 0;

	while (n < COUNTED_AT_ONCE && s->len < most(s) &&
	       read_sample(c, &size, &node) &&
	       !__builtin_add_overflow(s->size, size, &sum)) {
		s->size = sum;
		s->len++;
		node_ids[n++] = (int64_t)node;
		*end_out = c->at;
	}
	count(s, node_ids, n);
	return n;
}

enum status
v8_heap_samples_take(struct v8_heap_samples *s, struct span bytes,
		     struct json_taken *taken_out)
{
	struct cursor c = {bytes.data, bytes.data + bytes.len};
	const uint8_t *end = bytes.data;
	size_t n;

	if (!tree_known(s))
		return ST_OK;
	do {
		n = take_some(s, &c, &end);
		taken_out->elements += n;
	} while (n == COUNTED_AT_ONCE);
	taken_out->bytes = (size_t)(end - bytes.data);
	s->extraction->samples = s->len;
	return ST_OK;
}

/* V8 writes no samples in old versions, and other tools an empty array. */
enum status
v8_heap_samples_finish(struct v8_heap_samples *s)
{
	struct profile *p = s->extraction->profile;

	if (s->len == 0) {
		profile_lacks(p, "memory.samples", "no_samples");
		return ST_OK;
	}
	p->samples = (struct maybe){true, (int64_t)s->len};
	p->coverage[COVERAGE_UNRESOLVED_SAMPLES] = s->counts.none;
	if (p->partial) {
		p->coverage[COVERAGE_CUT_SAMPLES] = s->len - most(s);
		profile_limitation(p, LIMITATION_INPUT_CUT);
	} else if (s->size != p->metrics[0].measure.total) {
		profile_limitation(p, LIMITATION_TOTALS_DISAGREE);
	}
	return profile_metric(p, "memory.samples", "count", &s->counts,
			      s->counts.none, LANGUAGE_JAVASCRIPT,
			      FRAME_TYPE_V8JS);
}
