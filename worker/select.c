/*
 * Frames are ranked by number; rows are made only of those that may be taken,
 * and measured by what they will take in the reply.
 */
#include "worker/select.h"

#include <stdio.h>
#include <string.h>

#include "proto/utf8.h"
#include "worker/profile/order.h"

#define IDS_A_TELL 4096
#define ELLIPSIS "\xe2\x80\xa6"

static const char *const main_metrics[] = {
    "wall.time",
    "cpu.samples",
    "cpu.hit_count",
    "memory.self_size",
};

/* The metric of that name; metrics_len when there is none. */
static unsigned
find_metric(const struct profile *p, struct span name)
{
	unsigned i = 0;

	while (i < p->metrics_len && !span_is(name, p->metrics[i].name))
		i++;
	return i;
}

/* Whoever names a metric that is not there wants to know which are. */
static void
say_metrics(struct profile *p, struct span wanted)
{
	char names[METRICS_MAX * (METRIC_NAME_BYTES_MAX + 2)] = "none";
	size_t len = 0;

	for (unsigned i = 0; i < p->metrics_len; i++)
		len +=
		    (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
				     i == 0 ? "" : ", ", p->metrics[i].name);
	failure_say(p->failure,
		    "the profile has no metric %.*s to sort by; it has %s",
		    (int)wanted.len, (const char *)wanted.data, names);
}

static enum status
choose_metric(struct selection *s)
{
	struct profile *p = s->profile;
	struct span wanted = p->job->sort_metric;

	if (wanted.len > 0) {
		s->main = find_metric(p, wanted);
		if (s->main < p->metrics_len)
			return ST_OK;
		failure_init(p->failure, ST_INVALID_REQUEST, RE_NO_SUCH_METRIC);
		say_metrics(p, wanted);
		return ST_INVALID_REQUEST;
	}
	for (size_t i = 0; i < sizeof(main_metrics) / sizeof(main_metrics[0]);
	     i++) {
		s->main = find_metric(p, span_str(main_metrics[i]));
		if (s->main < p->metrics_len)
			return ST_OK;
	}
	s->main = 0;
	return ST_OK;
}

static void *
per_frame(struct selection *s, size_t element)
{
	void *table = NULL;

	table_grow(s->profile->arena, &table, 0,
		   table_size(0, ((size_t)s->frames + 1) * element));
	return table;
}

static void
tell(const struct selection *s)
{
	s->sink->progress(s->sink->context, &s->progress);
}

static void
make_ids(struct selection *s)
{
	for (uint32_t i = 0; i < s->frames; i++) {
		if (i % IDS_A_TELL == 0)
			tell(s);
		frames_id(&s->profile->frames, i, s->id[i]);
	}
}

static void
sort(struct selection *s, const uint64_t *value, unsigned first, unsigned end,
     uint32_t *frames, uint32_t *scratch)
{
	struct order order = {
	    .value = value,
	    .id = (const uint8_t(*)[FRAME_ID_BYTES])s->id,
	};

	for (unsigned pass = first; pass < end; pass++) {
		tell(s);
		order_pass(&order, pass, frames, scratch, s->frames);
	}
}

/* Of frames that stand in the order of their ids. */
static void
rank(struct selection *s, const uint64_t *value, uint32_t *frames,
     uint32_t *rank_out)
{
	sort(s, value, ORDER_ID_PASSES, ORDER_PASSES, frames, rank_out);
	for (uint32_t i = 0; i < s->frames; i++)
		rank_out[frames[i]] = i;
}

/* A profile that gave no metric at all ranks its frames by id. */
static void
rank_all(struct selection *s)
{
	struct profile *p = s->profile;
	const uint64_t *self, *inclusive;

	s->id = per_frame(s, sizeof(s->id[0]));
	s->by_self = per_frame(s, sizeof(uint32_t));
	s->by_inclusive = per_frame(s, sizeof(uint32_t));
	s->rank_self = per_frame(s, sizeof(uint32_t));
	s->rank_inclusive = per_frame(s, sizeof(uint32_t));
	s->taken = per_frame(s, sizeof(s->taken[0]));
	if (p->metrics_len > 0) {
		self = p->metrics[s->main].measure.self;
		inclusive = p->metrics[s->main].measure.inclusive;
	} else {
		self = inclusive = per_frame(s, sizeof(uint64_t));
	}
	make_ids(s);
	for (uint32_t i = 0; i < s->frames; i++)
		s->by_self[i] = i;
	sort(s, self, 0, ORDER_ID_PASSES, s->by_self, s->rank_self);
	memcpy(s->by_inclusive, s->by_self, s->frames * sizeof(s->by_self[0]));
	rank(s, self, s->by_self, s->rank_self);
	rank(s, inclusive, s->by_inclusive, s->rank_inclusive);
}

/* Cuts at a character and marks the cut, in the arena. True when it was cut. */
static bool
cut_string(const struct profile *p, struct span *text)
{
	size_t max = p->job->limits.of[LIMIT_MAX_STRING_BYTES];
	size_t mark = sizeof(ELLIPSIS) - 1;
	size_t len;
	uint8_t *cut;

	if (text->len <= max)
		return false;
	len = utf8_cut(*text, max - mark);
	cut = arena_bump(p->arena, len + mark, 1);
	memcpy(cut, text->data, len);
	memcpy(cut + len, ELLIPSIS, mark);
	*text = span_of(cut, len + mark);
	return true;
}

unsigned
selection_row(const struct selection *s, uint32_t frame, struct row *row_out)
{
	const struct profile *p = s->profile;
	unsigned cut = 0;

	frames_describe(&p->frames, frame, row_out);
	cut += cut_string(p, &row_out->function);
	cut += cut_string(p, &row_out->url);
	cut += cut_string(p, &row_out->file);
	cut += cut_string(p, &row_out->script);
	cut += cut_string(p, &row_out->package);
	row_out->rank_self = s->rank_self[frame] + 1;
	row_out->rank_inclusive = s->rank_inclusive[frame] + 1;
	for (unsigned i = 0; i < p->metrics_len; i++) {
		row_out->self[i] = p->metrics[i].measure.self[frame];
		row_out->inclusive[i] = p->metrics[i].measure.inclusive[frame];
	}
	return cut;
}

/* What of max_result_bytes is left for rows. */
static uint64_t
room_for_rows(const struct profile *p)
{
	uint64_t fixed = answer_json_size(p->job);
	uint64_t max = p->job->limits.of[LIMIT_MAX_RESULT_BYTES];

	return max > fixed ? max - fixed : 0;
}

static size_t
metric_names_size(const struct profile *p)
{
	size_t size = 0;

	for (unsigned i = 0; i < p->metrics_len; i++)
		size += strlen(p->metrics[i].name);
	return size;
}

/* The frame that is n-th in turn: even n by self, odd n by inclusive. */
static uint32_t
candidate(const struct selection *s, uint64_t n)
{
	switch (s->profile->job->sort_by) {
	case SORT_SELF:
		return s->by_self[n];
	case SORT_INCLUSIVE:
		return s->by_inclusive[n];
	default:
		return n % 2 == 0 ? s->by_self[n / 2] : s->by_inclusive[n / 2];
	}
}

static void
take_rows(struct selection *s)
{
	struct profile *p = s->profile;
	bool turns = p->job->sort_by == SORT_TAKE_TURNS;
	uint64_t candidates = turns ? 2 * (uint64_t)s->frames : s->frames;
	uint64_t room = room_for_rows(p);
	size_t names = metric_names_size(p);

	for (uint64_t n = 0; n < candidates && s->rows < p->job->rows; n++) {
		uint32_t frame = candidate(s, n);
		struct row row;
		unsigned cut;
		size_t size;

		if (s->taken[frame])
			continue;
		cut = selection_row(s, frame, &row);
		size = row_json_size(&row, p->metrics_len, names);
		if (size > room) {
			s->full = true;
			return;
		}
		room -= size;
		s->taken[frame] = 1;
		s->rows++;
		s->cut_strings += cut;
	}
}

enum status
selection_make(struct selection *s, struct profile *profile,
	       const struct extract_sink *sink, const struct progress *progress)
{
	*s = (struct selection){.profile = profile,
				.sink = sink,
				.progress = *progress,
				.frames = profile->frames.len};
	TRY(choose_metric(s));
	rank_all(s);
	take_rows(s);
	return ST_OK;
}

const uint32_t *
selection_order(const struct selection *s)
{
	return s->profile->job->sort_by == SORT_INCLUSIVE ? s->by_inclusive
							  : s->by_self;
}
