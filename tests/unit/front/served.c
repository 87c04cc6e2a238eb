/*
 * The listening socket has a name in the abstract namespace, so it leaves
 * nothing behind.
 */
#include "tests/unit/front/served.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <yajl/yajl_parse.h>
#include <zmq.h>

#include "broker/front/channels.h"
#include "broker/front/link_events.h"
#include "broker/front/ops.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "tests/unit/front/play.h"

#define PATIENCE_MS 10000

struct front served;
struct peer served_peer;

static void *context, *client;
static int listening = -1, theirs = -1;

static void
listen_there(char *endpoint, size_t size)
{
	struct sockaddr_un there = {.sun_family = AF_UNIX};
	socklen_t len;

	snprintf(endpoint, size, "ipc://@extractd-unit-%d", (int)getpid());
	snprintf(&there.sun_path[1], sizeof(there.sun_path) - 1,
		 "extractd-unit-%d", (int)getpid());
	len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			  strlen(&there.sun_path[1]));
	listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(listening, (struct sockaddr *)&there, len), 0);
	cr_assert_eq(listen(listening, 8), 0);
}

void
served_begin(void)
{
	int link[2], patience = PATIENCE_MS, none = 0, one = 1;

	listen_there(served.endpoint, sizeof(served.endpoint));
	served.server = server_new(listening, served.endpoint);
	cr_assert_not_null(served.server);
	cr_assert(chan_pair(link));
	link_client_init(&served.link, link[0]);
	theirs = link[1];
	ledger_init(&served.ledger);
	results_init(&served.results, 256 * MIB, 60000);
	limits_default(&served.rules.defaults);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		served.rules.ceilings.of[i] = limit_ceiling((enum limit)i);
	served.now_ms = 100000;
	served_peer = (struct peer){.id_len = 6, .id = "nobody"};
	context = zmq_ctx_new();
	client = zmq_socket(context, ZMQ_DEALER);
	zmq_setsockopt(client, ZMQ_RCVTIMEO, &patience, sizeof(patience));
	zmq_setsockopt(client, ZMQ_LINGER, &none, sizeof(none));
	zmq_setsockopt(client, ZMQ_RCVHWM, &one, sizeof(one));
	cr_assert_eq(zmq_connect(client, served.endpoint), 0);
}

void
served_end(void)
{
	zmq_close(client);
	zmq_ctx_term(context);
	ledger_fini(&served.ledger);
	link_client_fini(&served.link);
	server_free(served.server);
	fd_close(&served.link.fd);
	fd_close(&theirs);
	fd_close(&listening);
}

struct tracked *
served_job(uint64_t id, struct span name)
{
	static uint8_t record[FRAME_PAYLOAD_MAX];
	struct tracked *job;
	struct writer w;
	struct job order;

	play_job(&order);
	order.name = name;
	writer_init(&w, record, sizeof(record));
	job_write(&w, &order);
	job = ledger_add(&served.ledger, id, span_of(record, w.len));
	cr_assert_not_null(job);
	job->stage = STAGE_RUNNING;
	job->started_ms = served.now_ms;
	return job;
}

void
served_finish(struct tracked *job, enum status status)
{
	job->obituary =
	    (struct obituary_record){.status = status, .limit = LIMIT_NONE};
	job->has_obituary = true;
	channels_settle(&served, job);
	cr_assert_eq(job->stage, STAGE_ENDED);
}

/* Until the front has something from its client. */
static void
wait_for_message(void)
{
	struct pollfd in = {.fd = server_fd(served.server), .events = POLLIN};

	while (!server_has_message(served.server))
		cr_assert_eq(poll(&in, 1, PATIENCE_MS), 1);
}

void
served_ask(const char *request)
{
	struct span text;

	cr_assert_geq(zmq_send(client, request, strlen(request), 0), 0);
	do
		wait_for_message();
	while (!server_receive(served.server, &served_peer, &text));
	ops_handle(&served, &served_peer, text);
}

void
served_babble(void)
{
	struct span text;

	cr_assert_geq(zmq_send(client, "a", 1, ZMQ_SNDMORE), 0);
	cr_assert_geq(zmq_send(client, "b", 1, ZMQ_SNDMORE), 0);
	cr_assert_geq(zmq_send(client, "c", 1, 0), 0);
	wait_for_message();
	cr_assert_not(server_receive(served.server, &served_peer, &text));
}

static bool
is_json(const uint8_t *text, size_t len)
{
	yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
	bool good = yajl_parse(parser, text, len) == yajl_status_ok &&
		    yajl_complete_parse(parser) == yajl_status_ok;

	yajl_free(parser);
	return good;
}

const char *
served_hear(void)
{
	static char *kept;
	zmq_msg_t message;
	size_t len;

	zmq_msg_init(&message);
	cr_assert_geq(zmq_msg_recv(&message, client, 0), 0, "no reply came");
	len = zmq_msg_size(&message);
	free(kept);
	kept = malloc(len + 1);
	cr_assert_not_null(kept);
	memcpy(kept, zmq_msg_data(&message), len);
	kept[len] = '\0';
	zmq_msg_close(&message);
	cr_assert(is_json((const uint8_t *)kept, len), "no JSON: %.200s", kept);
	return kept;
}

bool
served_say(struct writer *w, int *fd)
{
	struct frame frame;
	bool good;

	cr_assert_eq(frame_decode(frame_end(w), PARTY_SUPERVISOR, &frame),
		     ST_OK);
	good = link_event(&served, &frame, fd);
	cr_assert_eq(*fd, -1);
	return good;
}

bool
served_next(struct frame *frame_out)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	struct span bytes;

	if (chan_receive(theirs, buffer, false, NULL, &bytes) != CHAN_OK)
		return false;
	cr_assert_eq(frame_decode(bytes, PARTY_FRONT, frame_out), ST_OK);
	return true;
}
