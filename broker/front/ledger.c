/*
 * Ids are the supervisor's, so no client chooses where its job is hashed to.
 */
#include "broker/front/ledger.h"

#include <assert.h>
#include <stdlib.h>

#include "proto/bug.h"
#include "proto/fd.h"

static_assert(LEDGER_BUCKETS == 1 << 12, "bucket_of takes 12 bits");

static size_t
bucket_of(uint64_t id)
{
	return (id * UINT64_C(0x9e3779b97f4a7c15)) >> 52;
}

static void *
have(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

void
ledger_init(struct ledger *ledger)
{
	*ledger = (struct ledger){0};
}

static void
remove_all(struct ledger *ledger, struct tracked *oldest)
{
	struct tracked *next;

	for (struct tracked *job = oldest; job != NULL; job = next) {
		next = job->younger;
		ledger_remove(ledger, job);
	}
}

void
ledger_fini(struct ledger *ledger)
{
	remove_all(ledger, ledger->live.oldest);
	remove_all(ledger, ledger->ended.oldest);
}

static void
list_push(struct tracked_list *list, struct tracked *job)
{
	job->older = list->youngest;
	job->younger = NULL;
	if (list->youngest != NULL)
		list->youngest->younger = job;
	else
		list->oldest = job;
	list->youngest = job;
	list->len++;
}

static void
list_pull(struct tracked_list *list, struct tracked *job)
{
	if (job->older != NULL)
		job->older->younger = job->younger;
	else
		list->oldest = job->younger;
	if (job->younger != NULL)
		job->younger->older = job->older;
	else
		list->youngest = job->older;
	list->len--;
}

static uint8_t *
copy_of(struct span bytes)
{
	uint8_t *copy = have(malloc(bytes.len + 1));

	if (bytes.len > 0)
		memcpy(copy, bytes.data, bytes.len);
	return copy;
}

struct tracked *
ledger_add(struct ledger *ledger, uint64_t id, struct span record)
{
	struct tracked *job;
	struct tracked **bucket = &ledger->buckets[bucket_of(id)];

	if (ledger_find(ledger, id) != NULL)
		return NULL;
	job = have(calloc(1, sizeof(*job)));
	job->id = id;
	job->channel = -1;
	job->record = copy_of(record);
	if (!job_read(span_of(job->record, record.len), &job->job)) {
		free(job->record);
		free(job);
		return NULL;
	}
	relay_init(&job->relay, &job->job, id);
	job->same_bucket = *bucket;
	*bucket = job;
	list_push(&ledger->live, job);
	return job;
}

struct tracked *
ledger_find(const struct ledger *ledger, uint64_t id)
{
	struct tracked *job = ledger->buckets[bucket_of(id)];

	while (job != NULL && job->id != id)
		job = job->same_bucket;
	return job;
}

struct tracked *
ledger_find_ticket(const struct ledger *ledger,
		   const uint8_t ticket[TICKET_BYTES])
{
	struct tracked *job;

	for (job = ledger->live.oldest; job != NULL; job = job->younger)
		if (job->stage == STAGE_ADMITTED &&
		    memcmp(job->ticket, ticket, TICKET_BYTES) == 0)
			return job;
	return NULL;
}

void
ledger_end(struct ledger *ledger, struct tracked *job)
{
	struct span name = job->job.name;

	BUG_ON(job->stage == STAGE_ENDED);
	job->name = copy_of(name);
	name.data = job->name;
	job->job.name = name;
	free(job->record);
	job->record = NULL;
	relay_fini(&job->relay);
	fd_close(&job->channel);
	list_pull(&ledger->live, job);
	job->stage = STAGE_ENDED;
	list_push(&ledger->ended, job);
	ledger->telling += job->waiters_len;
}

void
ledger_remove(struct ledger *ledger, struct tracked *job)
{
	struct tracked **at = &ledger->buckets[bucket_of(job->id)];

	while (*at != job)
		at = &(*at)->same_bucket;
	*at = job->same_bucket;
	while (job->waiters != NULL)
		ledger_unwait(ledger, job, &job->waiters);
	list_pull(job->stage == STAGE_ENDED ? &ledger->ended : &ledger->live,
		  job);
	relay_fini(&job->relay);
	outbox_fini(&job->final);
	fd_close(&job->channel);
	free(job->record);
	free(job->name);
	free(job);
}

static bool
same_peer(const struct waiter *w, const struct peer *peer)
{
	return w->peer.id_len == peer->id_len &&
	       memcmp(w->peer.id, peer->id, peer->id_len) == 0;
}

static bool
same_question(const struct waiter *w, const struct peer *peer,
	      const struct request *request)
{
	return same_peer(w, peer) && w->has_id == request->has_id &&
	       span_equal(span_of(w->id, w->id_len), request->id);
}

/* A peer that asks again and again under new ids makes place for itself. */
static bool
make_place(struct ledger *ledger, struct tracked *job, const struct peer *peer)
{
	struct waiter **at = &job->waiters;

	if (job->waiters_len < WAITERS_MAX)
		return true;
	while (*at != NULL && !same_peer(*at, peer))
		at = &(*at)->next;
	if (*at == NULL)
		return false;
	ledger_unwait(ledger, job, at);
	return true;
}

struct waiter *
ledger_wait(struct ledger *ledger, struct tracked *job, const struct peer *peer,
	    const struct request *request)
{
	struct waiter **at = &job->waiters;
	struct waiter *w;

	for (; *at != NULL; at = &(*at)->next)
		if (same_question(*at, peer, request))
			return *at;
	if (!make_place(ledger, job, peer))
		return NULL;
	for (at = &job->waiters; *at != NULL;)
		at = &(*at)->next;
	w = have(calloc(1, sizeof(*w)));
	w->peer = *peer;
	w->has_id = request->has_id;
	w->id_len = (uint8_t)request->id.len;
	if (request->id.len > 0)
		memcpy(w->id, request->id.data, request->id.len);
	*at = w;
	job->waiters_len++;
	if (job->stage == STAGE_ENDED)
		ledger->telling++;
	return w;
}

void
ledger_unwait(struct ledger *ledger, struct tracked *job, struct waiter **at)
{
	struct waiter *w = *at;

	*at = w->next;
	free(w);
	job->waiters_len--;
	if (job->stage == STAGE_ENDED)
		ledger->telling--;
}
