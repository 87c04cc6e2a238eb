/*
 * Knows the shapes of replies and nothing of what is done with them.
 */
#include "client/envelope.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *type;
	const char *body; /* NULL: the reply itself */
} shapes[ENVELOPE_COUNT] = {
    [ENVELOPE_OTHER] = {"", NULL},
    [ENVELOPE_ACCEPTED] = {"accepted", NULL},
    [ENVELOPE_PROGRESS] = {"progress", NULL},
    [ENVELOPE_PENDING] = {"pending", NULL},
    [ENVELOPE_RESULT] = {"result", "result"},
    [ENVELOPE_ERROR] = {"error", "error"},
    [ENVELOPE_OK] = {"ok", NULL},
    [ENVELOPE_STATUS] = {"status", "status"},
    [ENVELOPE_FORMATS] = {"formats", "formats"},
    [ENVELOPE_LIMITS] = {"limits", "limits"},
    [ENVELOPE_JOBS] = {"jobs", "jobs"},
    [ENVELOPE_VERSION] = {"version", NULL},
};

static enum envelope_type
type_of(struct span name)
{
	for (unsigned i = ENVELOPE_OTHER + 1; i < ENVELOPE_COUNT; i++)
		if (span_is(name, shapes[i].type))
			return (enum envelope_type)i;
	return ENVELOPE_OTHER;
}

/* What the body must be: a map for what is one object, else a list. */
static bool
body_fits(const struct envelope *e)
{
	switch (e->type) {
	case ENVELOPE_FORMATS:
	case ENVELOPE_LIMITS:
	case ENVELOPE_JOBS:
		return e->body->type == VALUE_LIST;
	default:
		return e->body->type == VALUE_MAP;
	}
}

bool
envelope_read(uint8_t **bytes, size_t len, struct envelope *envelope_out)
{
	struct envelope e = {.bytes = *bytes};
	const struct value *root;

	*bytes = NULL;
	if (!document_parse(&e.doc, span_of(e.bytes, len))) {
		free(e.bytes);
		return false;
	}
	root = e.doc.root;
	e.type = type_of(value_text(value_get(root, "type")));
	e.id = value_text(value_get(root, "id"));
	e.job = value_text(value_get(root, "job"));
	e.body = root;
	if (shapes[e.type].body != NULL)
		e.body = value_get(root, shapes[e.type].body);
	if (root->type != VALUE_MAP || !body_fits(&e)) {
		envelope_free(&e);
		return false;
	}
	*envelope_out = e;
	return true;
}

void
envelope_free(struct envelope *envelope)
{
	document_free(&envelope->doc);
	free(envelope->bytes);
	*envelope = (struct envelope){0};
}

static int
hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool
read_ticket(struct span hex, uint8_t ticket_out[TICKET_BYTES])
{
	if (hex.len != 2 * TICKET_BYTES)
		return false;
	for (size_t i = 0; i < TICKET_BYTES; i++) {
		int high = hex_digit(hex.data[2 * i]);
		int low = hex_digit(hex.data[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		ticket_out[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

bool
envelope_acceptance(const struct envelope *envelope,
		    struct acceptance *acceptance_out)
{
	struct acceptance a = {0};
	struct span job = envelope->job;
	struct span door = value_text(value_get(envelope->body, "door"));
	struct span ticket = value_text(value_get(envelope->body, "ticket"));

	if (job.len != JOB_ID_BYTES || !span_starts(job, "j-") ||
	    door.len >= sizeof(a.door) || !span_starts(door, "/") ||
	    memchr(door.data, '\0', door.len) != NULL ||
	    !read_ticket(ticket, a.ticket))
		return false;
	for (size_t i = 2; i < job.len; i++)
		if (hex_digit(job.data[i]) < 0)
			return false;
	memcpy(a.job, job.data, job.len);
	memcpy(a.door, door.data, door.len);
	*acceptance_out = a;
	return true;
}

void
error_view(const struct value *error, struct error_view *view_out)
{
	*view_out = (struct error_view){
	    .status = ST_INTERNAL_ERROR,
	    .limit = LIMIT_NONE,
	    .retry_after_ms = value_number(value_get(error, "retry_after_ms")),
	};
	if (!status_from_name(value_text(value_get(error, "code")),
			      &view_out->status) ||
	    view_out->status == ST_OK)
		view_out->status = ST_INTERNAL_ERROR;
	if (!limit_from_name(value_text(value_get(error, "limit")),
			     &view_out->limit))
		view_out->limit = LIMIT_NONE;
}
