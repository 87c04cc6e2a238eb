/*
 * One question, one answer.
 */
#include "client/plain_ask.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/asking.h"
#include "client/complain.h"
#include "client/leave.h"
#include "client/render.h"

bool
plain_is_job(const char *text)
{
	return strncmp(text, "j-", 2) == 0 && strlen(text) == JOB_ID_BYTES &&
	       strspn(text + 2, "0123456789abcdef") == JOB_ID_BYTES - 2;
}

static int
take(struct plain *plain, int id, const char *value, bool takes_job)
{
	switch (id) {
	case PLAIN_JSON:
		plain->json = true;
		return LEAVE_OK;
	case PLAIN_ENDPOINT:
		plain->endpoint = value;
		return LEAVE_OK;
	case PLAIN_EMBEDDED:
		plain->need = CONTACT_EMBEDDED;
		return LEAVE_OK;
	case ARGUMENT_OPERAND:
		if (!takes_job || plain->job != NULL)
			return arguments_refuse(plain->spec, "too much: '%s'",
						value);
		if (!plain_is_job(value))
			return arguments_refuse(
			    plain->spec,
			    "a job is j- and 16 hex digits, not '%s'", value);
		plain->job = value;
		return LEAVE_OK;
	default:
		if (id < PLAIN_OWN)
			return LEAVE_USAGE;
		plain->own |= 1u << (id - PLAIN_OWN);
		return LEAVE_OK;
	}
}

bool
plain_read(struct plain *plain, int argc, char **argv, bool takes_job,
	   int *status_out)
{
	struct arguments args;
	const char *value;
	int id;

	*status_out = LEAVE_OK;
	arguments_init(&args, plain->spec, argc, argv);
	while ((id = arguments_next(&args, &value)) != ARGUMENT_END) {
		if (id == ARGUMENT_HELP)
			return false;
		*status_out = take(plain, id, value, takes_job);
		if (*status_out != LEAVE_OK)
			return false;
	}
	if (takes_job && plain->job == NULL) {
		*status_out = arguments_refuse(plain->spec, "%s needs a job",
					       plain->spec->name);
		return false;
	}
	return true;
}

static int
check(struct plain *plain, enum envelope_type type)
{
	struct error_view view;
	int status = LEAVE_FAULT;

	if (plain->reply.type == type)
		return LEAVE_OK;
	if (plain->reply.type == ENVELOPE_ERROR) {
		error_view(plain->reply.body, &view);
		status = status_exit_code(view.status, view.limit);
		complain_error(span_str(plain->job != NULL ? plain->job : ""),
			       plain->reply.body);
	} else {
		complain("the service's reply cannot be understood");
	}
	envelope_free(&plain->reply);
	return status;
}

bool
plain_ask(struct plain *plain, const char *op, enum envelope_type type,
	  int *status_out)
{
	struct strbuf request = {0};
	struct contact service;

	*status_out = contact_open(&service, plain->endpoint, plain->need);
	if (*status_out != LEAVE_OK)
		return false;
	if (plain->job != NULL)
		asking_job(&request, op, op, plain->job);
	else
		asking_plain(&request, op, op);
	if (contact_ask(&service, strbuf_span(&request), op, &plain->reply))
		*status_out = check(plain, type);
	else
		*status_out = LEAVE_OUT_OF_REACH;
	strbuf_free(&request);
	contact_close(&service);
	return *status_out == LEAVE_OK;
}

void
plain_print(struct strbuf *sb)
{
	if (sb->len > 0)
		fwrite(sb->data, 1, sb->len, stdout);
	strbuf_free(sb);
}

void
plain_print_json(const struct value *body, const char *key)
{
	struct strbuf object = {0}, text = {0};
	struct value whole = {.type = VALUE_MAP};

	if (body->type == VALUE_LIST)
		strbuf_printf(&object, "{\"%s\":", key);
	strbuf_put(&object, body->raw);
	if (body->type == VALUE_LIST)
		strbuf_puts(&object, "}");
	whole.raw = strbuf_span(&object);
	render_json(&text, &whole, isatty(STDOUT_FILENO));
	plain_print(&text);
	strbuf_free(&object);
}
