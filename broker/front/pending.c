/*
 * Numbers count up and are never used again, so a late answer cannot meet the
 * wrong question.
 */
#include "broker/front/pending.h"

#include <stdlib.h>

#include "proto/bug.h"

struct question *
pending_find(struct pending *pending, uint64_t number)
{
	for (unsigned i = 0; i < PENDING_MAX; i++)
		if (pending->questions[i].number == number)
			return &pending->questions[i];
	return NULL;
}

struct question *
pending_add(struct pending *pending, const struct peer *peer,
	    const struct request *request, struct span record)
{
	struct question *q = pending_find(pending, 0);

	BUG_ON(q == NULL);
	*q = (struct question){.number = ++pending->last,
			       .peer = *peer,
			       .has_id = request->has_id,
			       .id_len = (uint8_t)request->id.len,
			       .record_len = record.len,
			       .class = request->class,
			       .detach = request->detach};
	if (request->id.len > 0)
		memcpy(q->id, request->id.data, request->id.len);
	if (record.len > 0) {
		q->record = malloc(record.len);
		if (q->record == NULL)
			abort();
		memcpy(q->record, record.data, record.len);
	}
	pending->len++;
	return q;
}

void
pending_remove(struct pending *pending, struct question *question)
{
	free(question->record);
	*question = (struct question){0};
	pending->len--;
}

bool
pending_full(const struct pending *pending)
{
	return pending->len == PENDING_MAX;
}
