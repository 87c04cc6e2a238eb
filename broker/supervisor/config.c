/*
 * Takes the command line apart. Values are only checked here; nothing is
 * opened or made.
 */
#include "broker/supervisor/config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_DEFAULT 64
#define DRAIN_SECONDS_DEFAULT 30
#define DRAIN_SECONDS_MAX 86400
#define RESULT_TTL_SECONDS_DEFAULT 900
#define RESULT_TTL_SECONDS_MAX 604800
/* any one result fits; and the front has a gigabyte for all that it does */
#define RESULT_STORE_BYTES_DEFAULT (256 * MIB)
#define RESULT_STORE_BYTES_MIN (128 * MIB)
#define RESULT_STORE_BYTES_MAX (512 * MIB)

const char config_help[] =
    "usage: extractd [OPTION]...\n"
    "Extracts bounded measurement rows from profiles in sandboxed workers.\n"
    "\n"
    "  --runtime-dir DIR      sockets and lock; default /run/extractd for "
    "root,\n"
    "                         else $XDG_RUNTIME_DIR/extractd\n"
    "  --endpoint URL         ipc://DIR/extractd.sock, instead of "
    "--runtime-dir\n"
    "  --workers N            jobs at once; default one a core\n"
    "  --queue N              jobs that may wait; default 64\n"
    "  --total-memory SIZE    of all workers; default half of the "
    "machine's\n"
    "  --default NAME=VALUE   a limit where the client names none\n"
    "  --ceiling NAME=VALUE   the most that a client may ask for\n"
    "  --result-ttl-seconds N results that nobody fetched are kept so "
    "long;\n"
    "                         default 900\n"
    "  --result-store SIZE    and no more of them than this; default 256M\n"
    "  --drain-seconds N      running jobs have so long at SIGTERM; "
    "default 30\n"
    "  --lifeline-fd N        end of file there: cancel all and stop\n"
    "  --ready-fd N           one byte is written there when jobs are "
    "taken\n"
    "  --libexec-dir DIR      where extract-worker and extractd-front are\n"
    "  --log-level LEVEL      error, info (default) or debug\n"
    "  --version, --help\n";

enum option_number {
	OPT_RUNTIME_DIR = 1,
	OPT_ENDPOINT,
	OPT_WORKERS,
	OPT_QUEUE,
	OPT_TOTAL_MEMORY,
	OPT_DEFAULT,
	OPT_CEILING,
	OPT_RESULT_TTL_SECONDS,
	OPT_RESULT_STORE,
	OPT_DRAIN_SECONDS,
	OPT_LIFELINE_FD,
	OPT_READY_FD,
	OPT_LIBEXEC_DIR,
	OPT_LOG_LEVEL,
	OPT_VERSION,
	OPT_HELP,
};

static const struct option options[] = {
    {"runtime-dir", required_argument, NULL, OPT_RUNTIME_DIR},
    {"endpoint", required_argument, NULL, OPT_ENDPOINT},
    {"workers", required_argument, NULL, OPT_WORKERS},
    {"queue", required_argument, NULL, OPT_QUEUE},
    {"total-memory", required_argument, NULL, OPT_TOTAL_MEMORY},
    {"default", required_argument, NULL, OPT_DEFAULT},
    {"ceiling", required_argument, NULL, OPT_CEILING},
    {"result-ttl-seconds", required_argument, NULL, OPT_RESULT_TTL_SECONDS},
    {"result-store", required_argument, NULL, OPT_RESULT_STORE},
    {"drain-seconds", required_argument, NULL, OPT_DRAIN_SECONDS},
    {"lifeline-fd", required_argument, NULL, OPT_LIFELINE_FD},
    {"ready-fd", required_argument, NULL, OPT_READY_FD},
    {"libexec-dir", required_argument, NULL, OPT_LIBEXEC_DIR},
    {"log-level", required_argument, NULL, OPT_LOG_LEVEL},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

/* What is put together while the options are read. */
struct parse {
	struct config config;
	bool default_given[LIMIT_COUNT];
	bool dir_given;
	char *error; /* borrowed: CONFIG_ERROR_BYTES */
};

__attribute__((format(printf, 2, 3))) static bool
wrong(struct parse *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->error, CONFIG_ERROR_BYTES, format, args);
	va_end(args);
	return false;
}

static bool
parse_number(struct parse *p, const char *name, const char *text, unsigned min,
	     unsigned max, unsigned *out)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || text[0] == '-' ||
	    value < min || value > max)
		return wrong(p, "--%s must be a number from %u to %u", name,
			     min, max);
	*out = (unsigned)value;
	return true;
}

static bool
parse_fd(struct parse *p, const char *name, const char *text, int *out)
{
	unsigned fd = 0;

	if (!parse_number(p, name, text, 3, INT_MAX, &fd))
		return false;
	*out = (int)fd;
	return true;
}

/* A trailing slash is dropped; the two ways to name the folder must agree. */
static bool
set_dir(struct parse *p, const char *dir, size_t len)
{
	char *at = p->config.runtime_dir;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (len == 0 || dir[0] != '/')
		return wrong(p, "the runtime directory must be an absolute "
				"path");
	if (len >= sizeof(p->config.runtime_dir))
		return wrong(p,
			     "the runtime directory's path is longer than %zu "
			     "bytes: socket paths are limited by the kernel",
			     sizeof(p->config.runtime_dir) - 1);
	if (p->dir_given && (strlen(at) != len || strncmp(at, dir, len) != 0))
		return wrong(p, "--endpoint and --runtime-dir name different "
				"directories");
	memcpy(at, dir, len);
	at[len] = '\0';
	p->dir_given = true;
	return true;
}

static bool
parse_endpoint(struct parse *p, const char *url)
{
	static const char scheme[] = "ipc://";
	static const char tail[] = "/" API_SOCKET_NAME;
	size_t len = strlen(url);
	const char *path = url + strlen(scheme);

	if (strncmp(url, "tcp://", 6) == 0)
		return wrong(p, "tcp:// endpoints are not supported: the "
				"service listens on a local socket only");
	if (strncmp(url, scheme, strlen(scheme)) != 0 ||
	    len < strlen(scheme) + strlen(tail) ||
	    strcmp(url + len - strlen(tail), tail) != 0)
		return wrong(p,
			     "--endpoint must be ipc://DIR"
			     "%s",
			     tail);
	return set_dir(p, path, strlen(path) - strlen(tail));
}

/* "NAME=VALUE" of a limit. */
static bool
parse_limit(struct parse *p, const char *option, const char *text,
	    enum limit *limit_out, uint64_t *value_out)
{
	const char *equals = strchr(text, '=');
	enum limit limit;

	if (equals == NULL ||
	    !limit_from_name(span_of(text, (size_t)(equals - text)), &limit))
		return wrong(p,
			     "--%s needs NAME=VALUE with the name of a "
			     "limit",
			     option);
	if (!limit_parse(limit, span_str(equals + 1), value_out) ||
	    *value_out < limit_floor(limit) ||
	    *value_out > limit_ceiling(limit))
		return wrong(p, "--%s %s must be from %llu to %llu", option,
			     limit_name(limit),
			     (unsigned long long)limit_floor(limit),
			     (unsigned long long)limit_ceiling(limit));
	*limit_out = limit;
	return true;
}

static bool
parse_default(struct parse *p, const char *text)
{
	enum limit limit = LIMIT_COUNT;
	uint64_t value = 0;

	if (!parse_limit(p, "default", text, &limit, &value))
		return false;
	p->config.defaults.of[limit] = value;
	p->default_given[limit] = true;
	return true;
}

static bool
parse_ceiling(struct parse *p, const char *text)
{
	enum limit limit = LIMIT_COUNT;
	uint64_t value = 0;

	if (!parse_limit(p, "ceiling", text, &limit, &value))
		return false;
	p->config.ceilings.of[limit] = value;
	return true;
}

static bool
parse_total_memory(struct parse *p, const char *text)
{
	uint64_t value;

	if (!limit_parse(LIMIT_MEMORY_BYTES, span_str(text), &value) ||
	    value < limit_floor(LIMIT_MEMORY_BYTES))
		return wrong(p,
			     "--total-memory must be a size of at least "
			     "%llu bytes",
			     (unsigned long long)limit_floor(
				 LIMIT_MEMORY_BYTES));
	p->config.total_memory_bytes = value;
	return true;
}

static bool
parse_result_store(struct parse *p, const char *text)
{
	uint64_t value;

	if (!limit_parse(LIMIT_MAX_RESULT_BYTES, span_str(text), &value) ||
	    value < RESULT_STORE_BYTES_MIN || value > RESULT_STORE_BYTES_MAX)
		return wrong(p, "--result-store must be from %lluM to %lluM",
			     (unsigned long long)(RESULT_STORE_BYTES_MIN / MIB),
			     (unsigned long long)(RESULT_STORE_BYTES_MAX /
						  MIB));
	p->config.result_store_bytes = value;
	return true;
}

static bool
parse_log_level(struct parse *p, const char *text)
{
	static const char *const names[] = {
	    [LOG_LEVEL_ERROR] = "error",
	    [LOG_LEVEL_INFO] = "info",
	    [LOG_LEVEL_DEBUG] = "debug",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			p->config.log_level = (enum log_level)i;
			return true;
		}
	}
	return wrong(p, "--log-level must be error, info or debug");
}

static bool
parse_option(struct parse *p, int option, const char *value)
{
	struct config *c = &p->config;

	switch (option) {
	case OPT_RUNTIME_DIR:
		return set_dir(p, value, strlen(value));
	case OPT_ENDPOINT:
		return parse_endpoint(p, value);
	case OPT_WORKERS:
		return parse_number(p, "workers", value, 1, CONFIG_WORKERS_MAX,
				    &c->workers_wanted);
	case OPT_QUEUE:
		return parse_number(p, "queue", value, 0, CONFIG_QUEUE_MAX,
				    &c->queue);
	case OPT_TOTAL_MEMORY:
		return parse_total_memory(p, value);
	case OPT_DEFAULT:
		return parse_default(p, value);
	case OPT_CEILING:
		return parse_ceiling(p, value);
	case OPT_RESULT_TTL_SECONDS:
		return parse_number(p, "result-ttl-seconds", value, 1,
				    RESULT_TTL_SECONDS_MAX,
				    &c->result_ttl_seconds);
	case OPT_RESULT_STORE:
		return parse_result_store(p, value);
	case OPT_DRAIN_SECONDS:
		return parse_number(p, "drain-seconds", value, 0,
				    DRAIN_SECONDS_MAX, &c->drain_seconds);
	case OPT_LIFELINE_FD:
		return parse_fd(p, "lifeline-fd", value, &c->lifeline_fd);
	case OPT_READY_FD:
		return parse_fd(p, "ready-fd", value, &c->ready_fd);
	case OPT_LIBEXEC_DIR:
		c->libexec_dir = value;
		return true;
	case OPT_LOG_LEVEL:
		return parse_log_level(p, value);
	default:
		return wrong(p, "unknown option, or one without its value; "
				"see --help");
	}
}

/* False when no worker could have as much as it needs. */
static bool
lower_ceiling(struct parse *p, enum limit limit, uint64_t most)
{
	uint64_t *ceiling = &p->config.ceilings.of[limit];

	if (most < limit_floor(limit))
		return wrong(p,
			     "a process may have %llu of %s here "
			     "(ulimit -%c), a worker needs %llu",
			     (unsigned long long)most, limit_name(limit),
			     limit == LIMIT_MEMORY_BYTES ? 'v' : 't',
			     (unsigned long long)limit_floor(limit));
	if (*ceiling > most)
		*ceiling = most;
	return true;
}

/* A client may ask for no more than all workers may have together, and a
 * worker cannot have more than we. A second of processor time lies between
 * what tells a worker and what kills it. */
static bool
settle_limits(struct parse *p, const struct machine *machine)
{
	struct config *c = &p->config;
	uint64_t *ceiling = &c->ceilings.of[LIMIT_MEMORY_BYTES];
	uint64_t cpu_seconds = machine->process_cpu_seconds;

	if (!lower_ceiling(p, LIMIT_MEMORY_BYTES, machine->process_bytes) ||
	    !lower_ceiling(p, LIMIT_CPU_SECONDS,
			   cpu_seconds > 0 ? cpu_seconds - 1 : 0))
		return false;
	if (c->total_memory_bytes == 0)
		c->total_memory_bytes = machine->memory_bytes / 2;
	if (c->total_memory_bytes < limit_floor(LIMIT_MEMORY_BYTES))
		c->total_memory_bytes = limit_floor(LIMIT_MEMORY_BYTES);
	if (*ceiling > c->total_memory_bytes)
		*ceiling = c->total_memory_bytes;
	for (unsigned i = 0; i < LIMIT_COUNT; i++) {
		if (c->defaults.of[i] <= c->ceilings.of[i])
			continue;
		if (p->default_given[i])
			return wrong(p, "--default %s is above its ceiling",
				     limit_name((enum limit)i));
		c->defaults.of[i] = c->ceilings.of[i];
	}
	return true;
}

/* One worker a core, or as many as asked for, as far as their default memory
 * fits together. */
static void
settle_workers(struct config *c, const struct machine *machine)
{
	uint64_t fit =
	    c->total_memory_bytes / c->defaults.of[LIMIT_MEMORY_BYTES];

	if (c->workers_wanted == 0)
		c->workers_wanted = machine->cores < CONFIG_WORKERS_MAX
					? machine->cores
					: CONFIG_WORKERS_MAX;
	c->workers =
	    fit < c->workers_wanted ? (unsigned)fit : c->workers_wanted;
	if (c->workers == 0)
		c->workers = 1;
}

static bool
settle_dir(struct parse *p, const struct machine *machine)
{
	char path[PATH_MAX];

	if (p->dir_given)
		return true;
	if (machine->root)
		return set_dir(p, "/run/extractd", strlen("/run/extractd"));
	if (machine->user_runtime_dir == NULL ||
	    machine->user_runtime_dir[0] != '/')
		return wrong(p, "XDG_RUNTIME_DIR is not set; name a "
				"--runtime-dir");
	snprintf(path, sizeof(path), "%s/extractd", machine->user_runtime_dir);
	return set_dir(p, path, strlen(path));
}

static void
parse_init(struct parse *p, char *error)
{
	*p = (struct parse){
	    .config = {.queue = QUEUE_DEFAULT,
		       .spare = CONFIG_SPARE,
		       .lifeline_fd = -1,
		       .ready_fd = -1,
		       .drain_seconds = DRAIN_SECONDS_DEFAULT,
		       .result_ttl_seconds = RESULT_TTL_SECONDS_DEFAULT,
		       .result_store_bytes = RESULT_STORE_BYTES_DEFAULT,
		       .log_level = LOG_LEVEL_INFO},
	    .error = error,
	};
	limits_default(&p->config.defaults);
	for (unsigned i = 0; i < LIMIT_COUNT; i++)
		p->config.ceilings.of[i] = limit_ceiling((enum limit)i);
}

enum config_result
config_parse(int argc, char **argv, const struct machine *machine,
	     struct config *config_out, char error_out[CONFIG_ERROR_BYTES])
{
	struct parse p;
	int option;

	parse_init(&p, error_out);
	opterr = 0;
	optind = 0; /* glibc: start afresh */
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == OPT_HELP)
			return CONFIG_HELP;
		if (option == OPT_VERSION)
			return CONFIG_VERSION;
		if (!parse_option(&p, option, optarg))
			return CONFIG_WRONG;
	}
	if (optind < argc) {
		wrong(&p, "takes no arguments; see --help");
		return CONFIG_WRONG;
	}
	if (!settle_limits(&p, machine) || !settle_dir(&p, machine))
		return CONFIG_WRONG;
	settle_workers(&p.config, machine);
	*config_out = p.config;
	return CONFIG_RUN;
}
