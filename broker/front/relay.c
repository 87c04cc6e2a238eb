/*
 * PROGRESS*, then FAILED, or RESULT ROWS* (DONE | FAILED). LAST_WORDS may come
 * at any time. Which state takes which message is a table.
 */
#include "broker/front/relay.h"

#include <stdlib.h>

#include "proto/frame.h"

typedef void (*take_fn)(struct relay *relay, struct span payload);

void
relay_init(struct relay *relay, const struct job *job, uint64_t id)
{
	*relay = (struct relay){.job = job, .id = id};
	outbox_init(&relay->text, job->limits.of[LIMIT_MAX_RESULT_BYTES]);
}

void
relay_fini(struct relay *relay)
{
	free(relay->head);
	relay->head = NULL;
	outbox_fini(&relay->text);
}

void
relay_break(struct relay *relay, enum reason reason)
{
	relay_fini(relay);
	relay->state = RELAY_BROKEN;
	relay->breach = reason;
}

static void
take_progress(struct relay *relay, struct span payload)
{
	if (!progress_read(payload, &relay->progress))
		relay_break(relay, RE_BAD_FRAME);
	else
		relay->has_progress = true;
}

/* Metric names are keys of an object: none may come twice. */
static bool
names_are_unique(const struct answer *answer)
{
	for (unsigned i = 0; i < answer->metrics_len; i++)
		for (unsigned k = 0; k < i; k++)
			if (span_equal(answer->metrics[i].name,
				       answer->metrics[k].name))
				return false;
	return true;
}

/* Does the answer fit what was asked, and itself? */
static enum reason
judge_answer(const struct job *job, const struct answer *answer)
{
	if (answer->rows_returned > job->rows)
		return RE_TOO_MUCH;
	if ((job->format != FORMAT_ANY && job->format != answer->format) ||
	    (answer->partial && job->on_limit != ON_LIMIT_TRUNCATE) ||
	    answer->has_digest != job->digest || !names_are_unique(answer))
		return RE_BAD_FRAME;
	for (unsigned i = 0; i < answer->metrics_len; i++)
		if (answer->rows_returned == answer->rows_total &&
		    answer->other_self[i] != 0)
			return RE_BAD_FRAME;
	return RE_NONE;
}

static void
take_result(struct relay *relay, struct span payload)
{
	struct answer *answer = &relay->answer;
	enum reason reason;

	relay->head = malloc(payload.len);
	if (relay->head == NULL)
		abort();
	memcpy(relay->head, payload.data, payload.len);
	if (!answer_read(span_of(relay->head, payload.len), answer)) {
		relay_break(relay, RE_BAD_FRAME);
		return;
	}
	reason = judge_answer(relay->job, answer);
	if (reason != RE_NONE) {
		relay_break(relay, reason);
		return;
	}
	for (unsigned i = 0; i < answer->metrics_len; i++)
		relay->left[i] =
		    answer->metrics[i].total - answer->other_self[i];
	relay->state = RELAY_ROWS;
}

/* Written late, so that RESULT alone costs no room for a whole result. */
static void
begin_text(struct relay *relay)
{
	if (relay->text.len == 0)
		reply_head(&relay->text, relay->job, &relay->answer);
}

/* Ranks count from 1 among all rows; without metrics there are none. */
static bool
rank_is_right(const struct answer *answer, uint32_t rank)
{
	return rank <= answer->rows_total &&
	       (rank > 0 || answer->metrics_len == 0);
}

static bool
row_is_right(struct relay *relay, const struct row *row)
{
	const struct answer *answer = &relay->answer;

	if (!rank_is_right(answer, row->rank_self) ||
	    !rank_is_right(answer, row->rank_inclusive))
		return false;
	for (unsigned i = 0; i < answer->metrics_len; i++) {
		if (row->inclusive[i] > answer->metrics[i].total ||
		    row->self[i] > relay->left[i])
			return false;
		relay->left[i] -= row->self[i];
	}
	return true;
}

static void
take_rows(struct relay *relay, struct span payload)
{
	const struct answer *answer = &relay->answer;
	bool first = relay->rows_seen == 0;
	struct reader r;
	uint16_t count;
	struct row row;

	reader_init(&r, payload);
	count = reader_get_u16(&r);
	if (count == 0) {
		relay_break(relay, RE_BAD_FRAME);
		return;
	}
	if (count > answer->rows_returned - relay->rows_seen) {
		relay_break(relay, RE_TOO_MUCH);
		return;
	}
	begin_text(relay);
	for (unsigned i = 0; i < count; i++) {
		if (!row_read(&r, answer->metrics_len, &row) ||
		    !row_is_right(relay, &row)) {
			relay_break(relay, RE_BAD_FRAME);
			return;
		}
		outbox_comma(&relay->text, &first);
		reply_row(&relay->text, answer, &row);
	}
	relay->rows_seen += count;
	if (!reader_end(&r))
		relay_break(relay, RE_BAD_FRAME);
	else if (relay->text.failed)
		relay_break(relay, RE_TOO_MUCH);
}

static void
take_done(struct relay *relay, struct span payload)
{
	struct reader r;
	uint32_t count;
	bool adds_up = true;

	reader_init(&r, payload);
	count = reader_get_u32(&r);
	for (unsigned i = 0; i < relay->answer.metrics_len; i++)
		adds_up = adds_up && relay->left[i] == 0;
	if (!reader_end(&r) || count != relay->rows_seen ||
	    count != relay->answer.rows_returned || !adds_up) {
		relay_break(relay, RE_BAD_FRAME);
		return;
	}
	begin_text(relay);
	relay->state = RELAY_DONE;
}

/* A worker may only blame the artifact or the job. */
static bool
may_claim(const struct failure *f)
{
	switch (f->status) {
	case ST_INVALID_REQUEST:
		return f->reason == RE_NO_SUCH_METRIC;
	case ST_UNSUPPORTED_FORMAT:
	case ST_FORMAT_MISMATCH:
	case ST_EMPTY_INPUT:
	case ST_ARTIFACT_PARSE_FAILED:
	case ST_ARTIFACT_CORRUPT:
	case ST_LIMIT_EXCEEDED:
	case ST_ARTIFACT_CHANGED:
	case ST_INPUT_KIND:
		return true;
	default:
		return false;
	}
}

static void
take_failed(struct relay *relay, struct span payload)
{
	struct failure failure;

	if (!failure_read(payload, &failure) || !may_claim(&failure)) {
		relay_break(relay, RE_BAD_FRAME);
		return;
	}
	relay_fini(relay);
	relay->failure = failure;
	relay->failure.signal = 0;
	relay->state = RELAY_FAILED;
}

/* For the log only, which a worker must not be able to fill. */
static void
take_words(struct relay *relay, struct span payload)
{
	struct reader r;

	reader_init(&r, payload);
	relay->words = reader_get_string(&r, payload.len);
	if (!reader_end(&r))
		relay_break(relay, RE_BAD_FRAME);
	else if (++relay->words_seen > RELAY_WORDS_MAX)
		relay_break(relay, RE_TOO_MUCH);
}

/* Columns: READING, ROWS, DONE, FAILED. NULL: out of turn. */
static const struct {
	enum message message;
	enum relay_event event;
	take_fn take[RELAY_BROKEN];
} turns[] = {
    {MSG_PROGRESS, RELAY_ON_PROGRESS, {take_progress, NULL, NULL, NULL}},
    {MSG_RESULT, RELAY_ON_ANSWER, {take_result, NULL, NULL, NULL}},
    {MSG_ROWS, RELAY_ON_ANSWER, {NULL, take_rows, NULL, NULL}},
    {MSG_DONE, RELAY_ON_ANSWER, {NULL, take_done, NULL, NULL}},
    {MSG_FAILED, RELAY_ON_ANSWER, {take_failed, take_failed, NULL, NULL}},
    {MSG_LAST_WORDS,
     RELAY_ON_WORDS,
     {take_words, take_words, take_words, take_words}},
};

enum relay_event
relay_feed(struct relay *relay, struct span bytes)
{
	enum relay_event event = RELAY_ON_BREACH;
	take_fn take = NULL;
	struct frame frame;

	if (relay->state == RELAY_BROKEN)
		return RELAY_ON_BREACH;
	if (frame_decode(bytes, PARTY_WORKER, &frame) != ST_OK ||
	    frame.job != relay->id) {
		relay_break(relay, RE_BAD_FRAME);
		return RELAY_ON_BREACH;
	}
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		if (turns[i].message == frame.message) {
			take = turns[i].take[relay->state];
			event = turns[i].event;
		}
	}
	if (take == NULL)
		relay_break(relay, RE_BAD_ORDER);
	else
		take(relay, frame.payload);
	return relay->state == RELAY_BROKEN ? RELAY_ON_BREACH : event;
}

bool
relay_finish(struct relay *relay, const struct run *run)
{
	reply_tail(&relay->text, relay->job, &relay->answer, run);
	if (relay->text.failed) {
		relay_break(relay, RE_TOO_MUCH);
		return false;
	}
	outbox_trim(&relay->text);
	return true;
}
