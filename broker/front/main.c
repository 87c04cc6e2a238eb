/*
 * extractd-front: speaks with clients for the supervisor. It may die at any
 * time and is then started anew; it parses no profile, starts nothing, and
 * opens nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "broker/front/channels.h"
#include "broker/front/confine.h"
#include "broker/front/delivery.h"
#include "broker/front/files.h"
#include "broker/front/front.h"
#include "broker/front/front_log.h"
#include "broker/front/link_events.h"
#include "broker/front/ops.h"
#include "proto/chan.h"
#include "proto/fd.h"
#include "proto/front_fds.h"
#include "proto/link.h"

#define RECORDS_A_TURN 64
#define REQUESTS_A_TURN 64
#define CHOKED_MS 10000

/* What the loop polls; what of it is whose. */
struct polled {
	struct pollfd *fds; /* owned */
	size_t size, len;
	size_t door_at, channels_at;
};

static _Noreturn void
die(const char *what)
{
	front_log("fatal", "what=\"%s\" errno=%d", what, errno);
	exit(1);
}

static int64_t
clock_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Signals of a terminal or a service manager are the supervisor's: when it
 * ends, the link closes, and that ends us. */
static void
ignore_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				      SIGPIPE};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_IGN);
}

/* The address space is capped: one arena, since each takes 64 MiB of it, and
 * large results in mappings of their own, which are given back whole. */
static void
tune_memory(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

/* Close on exec for tidiness; non-blocking because one loop serves all. */
static void
prepare_fd(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
		die("a descriptor is missing");
}

/* The first record tells the rules and where the sockets are. */
static void
take_config(struct front *front)
{
	struct config_record config;
	struct frame frame;
	int fd = -1;

	if (link_client_receive(&front->link, true, &frame, &fd) !=
		LINK_RECORD ||
	    frame.message != MSG_CONFIG || !config_read(frame.payload, &config))
		die("no configuration came");
	front->rules.defaults = config.defaults;
	front->rules.ceilings = config.ceilings;
	results_init(&front->results, config.result_store_bytes,
		     (int64_t)config.result_ttl_seconds * 1000);
	snprintf(front->endpoint, sizeof(front->endpoint),
		 "ipc://%.*s/extractd.sock", (int)config.runtime_dir.len,
		 (const char *)config.runtime_dir.data);
	snprintf(front->door_path, sizeof(front->door_path), "%.*s/door.sock",
		 (int)config.runtime_dir.len,
		 (const char *)config.runtime_dir.data);
}

static struct front *
set_up(void)
{
	struct front *front = calloc(1, sizeof(*front));
	bool landlock;

	if (front == NULL)
		die("no memory");
	if (getrandom(front->seed, sizeof(front->seed), 0) !=
	    (ssize_t)sizeof(front->seed))
		die("no random numbers");
	link_client_init(&front->link, FRONT_LINK_FD);
	take_config(front);
	prepare_fd(FRONT_LINK_FD);
	prepare_fd(FRONT_API_FD);
	prepare_fd(FRONT_DOOR_FD);
	if (!confine_self(&landlock))
		die("no_new_privs cannot be set");
	ledger_init(&front->ledger);
	doorman_init(&front->doorman, FRONT_DOOR_FD);
	front->server = server_new(FRONT_API_FD, front->endpoint);
	if (front->server == NULL)
		die("the API's socket cannot be served");
	front->now_ms = clock_now_ms();
	front->here_ms = front->now_ms;
	link_client_say(&front->link, MSG_FRONT_READY, 0);
	link_ask_settled(front);
	front_log("ready", "landlock=%s", landlock ? "yes" : "no");
	return front;
}

/* Requests are read once we know all jobs, and while answers have a place. */
static bool
takes_requests(const struct front *front)
{
	return front->settled && !pending_full(&front->pending) &&
	       !link_client_crowded(&front->link);
}

/* Jobs without one do not count: there may be more of them than poll takes,
 * which is as many as we may have files. */
static bool
is_polled(const struct tracked *job)
{
	return job->channel >= 0 && !job->held;
}

static void
gather(struct front *front, struct polled *p)
{
	size_t want = 2 + DOOR_POLLFDS + front->ledger.live.len;
	struct tracked *job;

	if (p->fds == NULL || want > p->size) {
		free(p->fds);
		p->size = 2 * want;
		p->fds = calloc(p->size, sizeof(p->fds[0]));
		if (p->fds == NULL)
			abort();
	}
	p->fds[0] = (struct pollfd){.fd = FRONT_LINK_FD, .events = POLLIN};
	if (front->link.waiting > 0 && !front->link.starved)
		p->fds[0].events |= POLLOUT;
	p->fds[1] =
	    (struct pollfd){.fd = server_fd(front->server), .events = POLLIN};
	p->door_at = 2;
	p->channels_at = 2 + doorman_poll(&front->doorman, &p->fds[2]);
	p->len = p->channels_at;
	for (job = front->ledger.live.oldest; job != NULL; job = job->younger)
		if (is_polled(job))
			p->fds[p->len++] = (struct pollfd){.fd = job->channel,
							   .events = POLLIN};
}

static int
wait_ms(struct front *front)
{
	int64_t at = delivery_deadline(front);
	int64_t other = channels_deadline(front);

	/* asked first, and always: while it is not, its descriptor stays
	 * readable, and we would spin */
	if (server_has_message(front->server) && takes_requests(front))
		return 0;
	at = other < at ? other : at;
	other = doorman_deadline(&front->doorman);
	at = other < at ? other : at;
	other = front->link.starved ? front->now_ms + CHAN_SHORT_MS : at;
	at = other < at ? other : at;
	other = front->here_ms + FRONT_HERE_MS;
	at = (other < at ? other : at) - front->now_ms;
	return at < 0 ? 0 : (int)at;
}

/* Channels first, since what they were polled for may be gone after other
 * events; the list is in the order in which it was gathered. */
static void
serve_channels(struct front *front, const struct polled *p)
{
	struct tracked *job = front->ledger.live.oldest, *next;

	for (size_t i = p->channels_at; i < p->len; job = next) {
		next = job->younger;
		if (is_polled(job) && p->fds[i++].revents != 0)
			channels_read(front, job);
	}
}

/* False when the supervisor is gone. */
static bool
serve_link(struct front *front)
{
	struct frame frame;
	int fd = -1;

	link_client_flush(&front->link);
	for (int i = 0; i < RECORDS_A_TURN; i++) {
		switch (link_client_receive(&front->link, false, &frame, &fd)) {
		case LINK_NOTHING:
			return true;
		case LINK_CLOSED:
			return false;
		case LINK_RECORD:
			break;
		}
		if (!link_event(front, &frame, &fd)) {
			front_log("link", "refused=%s",
				  message_name(frame.message));
			exit(1);
		}
	}
	return true;
}

static void
serve_door(struct front *front, const struct polled *p)
{
	uint8_t ticket[TICKET_BYTES];
	int fd = -1;

	doorman_look(&front->doorman, &p->fds[p->door_at], front->now_ms);
	while (doorman_next(&front->doorman, &fd, ticket)) {
		struct tracked *job =
		    ledger_find_ticket(&front->ledger, ticket);

		if (job != NULL) {
			job->stage = STAGE_QUEUED;
			link_client_start(&front->link, job->id, &fd);
		} else {
			front->doorman.refused++;
		}
		fd_close(&fd);
	}
	doorman_expire(&front->doorman, front->now_ms);
}

static void
serve_requests(struct front *front)
{
	struct peer peer;
	struct span text;

	for (int i = 0; i < REQUESTS_A_TURN && takes_requests(front); i++) {
		if (!server_receive(front->server, &peer, &text))
			return;
		ops_handle(front, &peer, text);
	}
}

/* The supervisor replaces who says nothing. */
static void
say_here(struct front *front)
{
	if (front->now_ms - front->here_ms < FRONT_HERE_MS)
		return;
	front->here_ms = front->now_ms;
	link_client_say(&front->link, MSG_FRONT_HERE, 0);
}

/* Idle connections cannot be told from others, and libzmq closes none: a new
 * front closes all, and clients that are alive come again. */
static void
check_files(void)
{
	if (!files_short())
		return;
	errno = EMFILE;
	die("too many connections");
}

/* Clients that take their results but do not read them fill what may be on
 * its way, and libzmq cannot cut one off. A new front can: all of them. */
static void
check_choked(struct front *front)
{
	if (front->ledger.telling == 0 || !server_choked(front->server))
		front->choked_ms = 0;
	else if (front->choked_ms == 0)
		front->choked_ms = front->now_ms;
	else if (front->now_ms - front->choked_ms > CHOKED_MS)
		die("clients do not read their results");
}

static void
run(struct front *front)
{
	struct polled p = {0};
	bool up = true;

	while (up) {
		gather(front, &p);
		if (poll(p.fds, p.len, wait_ms(front)) < 0 && errno != EINTR)
			die("poll");
		front->now_ms = clock_now_ms();
		serve_channels(front, &p);
		up = serve_link(front);
		serve_door(front, &p);
		serve_requests(front);
		channels_tick(front);
		delivery_tick(front);
		check_choked(front);
		check_files();
		say_here(front);
	}
	free(p.fds);
}

int
main(void)
{
	struct front *front;

	ignore_signals();
	tune_memory();
	files_raise();
	front = set_up();
	run(front);
	if (front->doorman.refused > 0 || server_dropped(front->server) > 0)
		front_log("end", "door_refused=%llu messages_dropped=%llu",
			  (unsigned long long)front->doorman.refused,
			  (unsigned long long)server_dropped(front->server));
	doorman_fini(&front->doorman);
	link_client_fini(&front->link);
	/* what clients were sent goes out, within a second */
	server_free(front->server);
	ledger_fini(&front->ledger);
	free(front);
	return 0;
}
