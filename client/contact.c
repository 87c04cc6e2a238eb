/*
 * Opens with a `version` request, which also tells whether we speak the same
 * interface.
 */
#include "client/contact.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "client/asking.h"
#include "client/ticks.h"
#include "client/complain.h"
#include "client/interrupt.h"
#include "client/leave.h"

#define API_VERSION 1
#define ASK_AGAIN_MS 2000
#define GIVE_UP_MS 10000

/* Whose a service at that path is, when its folder is closed to us. Whether
 * one runs there is not to be seen. */
static void
hint_owner(const char *path, uid_t owner)
{
	char who[32] = "root";

	if (owner != 0)
		snprintf(who, sizeof(who), "user %u", (unsigned)owner);
	fprintf(stderr,
		"  a service at %s is for %s alone: its folder belongs "
		"to %s\n",
		path, who, who);
}

static int
out_of_reach(const struct contact *service, int error)
{
	uid_t owner;

	complain("no service can be reached at %s: %s", service->path,
		 strerror(error));
	if (endpoint_is_closed(service->path, &owner))
		hint_owner(service->path, owner);
	fprintf(stderr, "  try: start one with extractd, or use --embedded "
			"where a private one will do\n");
	return LEAVE_OUT_OF_REACH;
}

static int
no_service(void)
{
	uid_t owner;
	bool closed = endpoint_is_closed(ENDPOINT_SYSTEM, &owner);

	complain("no service %sis running", closed ? "that you may use " : "");
	if (closed)
		hint_owner(ENDPOINT_SYSTEM, owner);
	fprintf(stderr,
		"  looked for " ENDPOINT_SYSTEM " and "
		"$XDG_RUNTIME_DIR/extractd/extractd.sock\n"
		"  try: start one with extractd, or name it with --endpoint "
		"or EXTRACTD_ENDPOINT\n");
	return LEAVE_OUT_OF_REACH;
}

/* Fills in the path, starting a private service if that is what is needed. */
static int
find(struct contact *service, const char *option, enum contact_need need)
{
	struct endpoint endpoint = {.kind = ENDPOINT_NONE};
	const char *why = "";
	int error, status;

	if (need != CONTACT_EMBEDDED &&
	    !endpoint_choose(option, &endpoint, &why)) {
		complain("%s: %s",
			 option != NULL ? "--endpoint" : "EXTRACTD_ENDPOINT",
			 why);
		return LEAVE_USAGE;
	}
	if (endpoint.kind != ENDPOINT_NONE) {
		memcpy(service->path, endpoint.path, sizeof(service->path));
		error = endpoint_probe(service->path);
		return error == 0 ? LEAVE_OK : out_of_reach(service, error);
	}
	if (need == CONTACT_RUNNING)
		return no_service();
	status = embedded_start(&service->private);
	if (status != LEAVE_OK)
		return status;
	service->is_private = true;
	memcpy(service->path, service->private.socket, sizeof(service->path));
	return LEAVE_OK;
}

static int
greet(struct contact *service)
{
	struct strbuf request = {0};
	struct envelope reply;
	uint64_t api;
	bool good;

	asking_plain(&request, "version", "hello");
	good = contact_ask(service, strbuf_span(&request), "hello", &reply);
	strbuf_free(&request);
	if (!good)
		return LEAVE_OUT_OF_REACH;
	api = value_number(value_get(reply.body, "api"));
	good = reply.type == ENVELOPE_VERSION && api == API_VERSION;
	envelope_free(&reply);
	if (good)
		return LEAVE_OK;
	complain("the service at %s speaks another version of the interface "
		 "(%" PRIu64 ", this client %d)",
		 service->path, api, API_VERSION);
	return LEAVE_OUT_OF_REACH;
}

int
contact_open(struct contact *service, const char *option,
	     enum contact_need need)
{
	int status;

	*service = (struct contact){0};
	embedded_init(&service->private);
	status = find(service, option, need);
	if (status == LEAVE_OK &&
	    !connection_open(&service->connection, service->path)) {
		complain("cannot connect to %s", service->path);
		status = LEAVE_FAULT;
	}
	if (status == LEAVE_OK)
		status = greet(service);
	if (status != LEAVE_OK)
		contact_close(service);
	return status;
}

void
contact_close(struct contact *service)
{
	connection_close(&service->connection);
	(void)embedded_stop(&service->private);
	service->is_private = false;
}

bool
contact_lives(struct contact *service)
{
	struct pollfd fd = {.fd = service->private.pidfd, .events = POLLIN};

	if (service->is_private && fd.fd >= 0)
		return poll(&fd, 1, 0) <= 0;
	return endpoint_probe(service->path) == 0;
}

static bool
say_silence(struct contact *service)
{
	complain("the service at %s does not answer", service->path);
	if (service->is_private)
		embedded_show_log(&service->private);
	return false;
}

bool
contact_ask(struct contact *service, struct span request, const char *id,
	    struct envelope *reply_out)
{
	uint64_t start = ticks_ms(), asked = 0, now;

	while (interrupt_caught() == 0) {
		now = ticks_ms();
		if (now - start >= GIVE_UP_MS || !contact_lives(service))
			return say_silence(service);
		if (asked == 0 || now - asked >= ASK_AGAIN_MS) {
			(void)connection_send(&service->connection, request);
			asked = now;
		}
		(void)connection_wait(&service->connection,
				      service->private.pidfd, ASK_AGAIN_MS);
		while (connection_receive(&service->connection, reply_out)) {
			if (span_is(reply_out->id, id))
				return true;
			envelope_free(reply_out);
		}
	}
	return false;
}
