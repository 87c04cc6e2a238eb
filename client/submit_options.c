/*
 * Checks what can be checked without a service, so that a slip is told at
 * once and in the words of the command line.
 */
#include "client/submit_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/grab.h"
#include "client/leave.h"
#include "client/print_flags.h"
#include "client/project_root.h"
#include "proto/terms.h"

enum {
	FLAG_FORMAT = 1,
	FLAG_ROWS,
	FLAG_SORT,
	FLAG_LIMIT,
	FLAG_ON_LIMIT,
	FLAG_PROJECT_ROOT,
	FLAG_PATH_MAP,
	FLAG_DIGEST,
	FLAG_SHA256,
	FLAG_STRICT,
	FLAG_PARSER,
	FLAG_ENDPOINT,
	FLAG_EMBEDDED,
	FLAG_QUIET,
	FLAG_CLASS,
	FLAG_DETACH,
};

static const struct option_spec options_table[] = {
    {FLAG_FORMAT, 0, "format", "NAME",
     "the format; default: by content, never by file name"},
    PRINT_FLAGS,
    {FLAG_ROWS, 0, "rows", "N",
     "at most N rows; default: 25 in a table, else 1000"},
    {FLAG_SORT, 0, "sort", "METRIC[:self|:inclusive]",
     "list the heaviest by this alone"},
    {FLAG_LIMIT, 0, "limit", "NAME=VALUE",
     "lower or raise a limit, as often as needed; K, M, G, T are known"},
    {FLAG_ON_LIMIT, 0, "on-limit", "fail|truncate",
     "what to do at max_samples: fail, or use the samples so far"},
    {FLAG_PROJECT_ROOT, 0, "project-root", "DIR|none",
     "make files in it relative; default: where .git or package.json is"},
    {FLAG_PATH_MAP, 0, "path-map", "FROM=TO",
     "replace the beginning of paths, as often as needed"},
    {FLAG_DIGEST, 0, "digest", "sha256|none",
     "whether to compute the file's SHA-256; default: sha256"},
    {FLAG_SHA256, 0, "sha256", "HEX", "the file must have this SHA-256"},
    {FLAG_STRICT, 0, "strict", NULL, "an anomaly of the profile is an error"},
    {FLAG_PARSER, 0, "parser", "lanes|yajl",
     "how to read JSON: the results are the same"},
    {FLAG_CLASS, 0, "class", "interactive|batch",
     "batch jobs let interactive ones go first; default: interactive"},
    {FLAG_DETACH, 0, "detach", NULL,
     "print the job's id and leave: 'result' fetches what comes of it"},
    {FLAG_ENDPOINT, 0, "endpoint", "URL",
     "the service: ipc:// and its socket's path"},
    {FLAG_EMBEDDED, 0, "embedded", NULL,
     "use a private service, even if one is running"},
    {FLAG_QUIET, 'q', "quiet", NULL, "no progress and no remarks"},
};

static const struct command_spec submit_spec = {
    .name = "submit",
    .operands = "FILE...",
    .about = "Extracts each FILE and prints its result. - is standard "
	     "input; a folder stands for\nthe recognised files directly "
	     "in it. Without a running service a private one is\nstarted "
	     "for as long as it takes.",
    .options = options_table,
    .options_len = sizeof(options_table) / sizeof(options_table[0]),
    .examples = "  extract-client submit app.cpuprofile\n"
		"  extract-client submit --rows 50 --sort wall.time:inclusive "
		"app.cpuprofile\n"
		"  extract-client submit --output csv -o rows.csv profiles/\n"
		"  extract-client submit --limit max_nodes=40M "
		"huge.heapprofile.zst\n"
		"  job=$(extract-client submit --detach --class batch "
		"big.cpuprofile)\n"
		"  curl -s https://example.org/app.cpuprofile | "
		"extract-client submit -\n",
};

static int
take_rows(struct submit_options *o, const char *value)
{
	unsigned long long rows;

	if (!arguments_number(value, limit_ceiling(LIMIT_MAX_ROWS), &rows))
		return arguments_refuse(
		    &submit_spec, "--rows is a number up to %llu, not '%s'",
		    (unsigned long long)limit_ceiling(LIMIT_MAX_ROWS), value);
	o->wishes.has_rows = true;
	o->wishes.rows = rows;
	return LEAVE_OK;
}

static int
take_limit(struct submit_options *o, const char *value)
{
	size_t len = strcspn(value, "=");
	enum limit limit;
	uint64_t number;

	if (value[len] == '\0')
		return arguments_refuse(&submit_spec,
					"--limit is NAME=VALUE, as in "
					"max_nodes=40M, not '%s'",
					value);
	if (!limit_from_name(span_of(value, len), &limit))
		return arguments_refuse(&submit_spec,
					"there is no limit '%.*s'; "
					"'extract-client limits' lists them",
					(int)len, value);
	if (!limit_parse(limit, span_str(value + len + 1), &number))
		return arguments_refuse(&submit_spec,
					"--limit %s: '%s' is not a number, "
					"with K, M, G or T behind it",
					limit_name(limit), value + len + 1);
	if (number < limit_floor(limit) || number > limit_ceiling(limit))
		return arguments_refuse(
		    &submit_spec, "--limit %s is from %llu to %llu",
		    limit_name(limit), (unsigned long long)limit_floor(limit),
		    (unsigned long long)limit_ceiling(limit));
	o->wishes.has_limit[limit] = true;
	o->wishes.limits[limit] = number;
	return LEAVE_OK;
}

static int
take_root(struct submit_options *o, const char *value)
{
	free(o->project_root);
	o->project_root = NULL;
	o->wishes.project_root = NULL;
	if (strcmp(value, "none") == 0)
		return LEAVE_OK;
	o->project_root = project_root_from(value);
	if (o->project_root == NULL)
		return arguments_refuse(&submit_spec, "--project-root %s: %s",
					value, strerror(errno));
	o->wishes.project_root = o->project_root;
	return LEAVE_OK;
}

static int
take_path_map(struct submit_options *o, const char *value)
{
	size_t len = strcspn(value, "=");
	struct path_pair *pair;

	if (value[len] == '\0' || len == 0)
		return arguments_refuse(&submit_spec,
					"--path-map is FROM=TO, not '%s'",
					value);
	if (len > JOB_PATH_MAP_BYTES_MAX ||
	    strlen(value + len + 1) > JOB_PATH_MAP_BYTES_MAX)
		return arguments_refuse(&submit_spec,
					"--path-map: a side has at most %d "
					"bytes",
					JOB_PATH_MAP_BYTES_MAX);
	if (o->wishes.path_maps_len == JOB_PATH_MAPS_MAX)
		return arguments_refuse(&submit_spec,
					"at most %d times --path-map",
					JOB_PATH_MAPS_MAX);
	pair = &o->wishes.path_maps[o->wishes.path_maps_len++];
	pair->from = span_of(value, len);
	pair->to = span_str(value + len + 1);
	return LEAVE_OK;
}

static int
take_sha256(struct submit_options *o, const char *value)
{
	size_t len = strspn(value, "0123456789abcdefABCDEF");

	if (len != 64 || value[len] != '\0')
		return arguments_refuse(&submit_spec,
					"--sha256 is 64 hex digits, as "
					"sha256sum prints them");
	o->wishes.sha256 = value;
	return LEAVE_OK;
}

static int
take_format(struct submit_options *o, const char *value)
{
	enum format format;

	if (!format_from_name(span_str(value), &format))
		return arguments_refuse(&submit_spec,
					"there is no format '%s'; "
					"'extract-client formats' lists them",
					value);
	o->wishes.format = value;
	return LEAVE_OK;
}

/* One of two words. */
static int
take_choice(const char **choice_out, const char *name, const char *value,
	    const char *one, const char *other)
{
	if (strcmp(value, one) != 0 && strcmp(value, other) != 0)
		return arguments_refuse(&submit_spec,
					"--%s is %s or %s, not '%s'", name, one,
					other, value);
	*choice_out = value;
	return LEAVE_OK;
}

/* One that takes no value. False when it is none of these. */
static bool
take_flag(struct submit_options *o, int id)
{
	switch (id) {
	case FLAG_STRICT:
		o->wishes.strict = true;
		return true;
	case FLAG_DETACH:
		o->wishes.detach = true;
		return true;
	case FLAG_EMBEDDED:
		o->need = CONTACT_EMBEDDED;
		return true;
	case FLAG_QUIET:
		o->quiet = true;
		return true;
	default:
		return false;
	}
}

static int
take(struct submit_options *o, int id, const char *value)
{
	if (take_flag(o, id))
		return LEAVE_OK;
	switch (id) {
	case ARGUMENT_OPERAND:
		o->operands = grab_more(o->operands, o->operands_len + 1,
					sizeof(*o->operands));
		o->operands[o->operands_len++] = value;
		return LEAVE_OK;
	case FLAG_FORMAT:
		return take_format(o, value);
	case FLAG_ROWS:
		return take_rows(o, value);
	case FLAG_SORT:
		o->wishes.sort = value;
		return LEAVE_OK;
	case FLAG_LIMIT:
		return take_limit(o, value);
	case FLAG_ON_LIMIT:
		return take_choice(&o->wishes.on_limit, "on-limit", value,
				   "fail", "truncate");
	case FLAG_PROJECT_ROOT:
		return take_root(o, value);
	case FLAG_PATH_MAP:
		return take_path_map(o, value);
	case FLAG_DIGEST:
		return take_choice(&o->wishes.digest, "digest", value, "sha256",
				   "none");
	case FLAG_SHA256:
		return take_sha256(o, value);
	case FLAG_CLASS:
		return take_choice(&o->wishes.class, "class", value,
				   "interactive", "batch");
	case FLAG_PARSER:
		return take_choice(&o->wishes.parser, "parser", value, "lanes",
				   "yajl");
	case FLAG_ENDPOINT:
		o->endpoint = value;
		return LEAVE_OK;
	default:
		return print_flags_take(&o->print, &submit_spec, id, value);
	}
}

/* A private service ends with the command, and there are no results yet. */
static int
check_detach(const struct submit_options *o)
{
	if (!o->wishes.detach)
		return LEAVE_OK;
	if (o->need == CONTACT_EMBEDDED)
		return arguments_refuse(
		    &submit_spec, "--detach needs a running service: a private "
				  "one would end with this command");
	if (o->print.output == OUTPUT_CSV || o->print.path != NULL ||
	    o->print.wide || o->print.csv_raw)
		return arguments_refuse(
		    &submit_spec,
		    "--detach prints job ids; say how and where "
		    "to print results to 'extract-client result'");
	return LEAVE_OK;
}

static int
check_whole(const struct submit_options *o)
{
	if (o->operands_len == 0)
		return arguments_refuse(&submit_spec,
					"submit needs a file to extract");
	if (o->endpoint != NULL && o->need == CONTACT_EMBEDDED)
		return arguments_refuse(&submit_spec,
					"--endpoint and --embedded exclude "
					"each other");
	if (o->wishes.sha256 != NULL && o->operands_len > 1)
		return arguments_refuse(&submit_spec,
					"--sha256 names one file");
	for (size_t i = 0; i < o->operands_len; i++)
		if (strcmp(o->operands[i], "-") == 0 && isatty(STDIN_FILENO))
			return arguments_refuse(
			    &submit_spec,
			    "- reads standard input, which is a terminal");
	return check_detach(o);
}

/* The words that were given, in order; then what they mean together. */
static int
read_words(struct submit_options *o, int argc, char **argv, bool *help_out)
{
	struct arguments args;
	const char *value;
	int id, status = LEAVE_OK;

	arguments_init(&args, &submit_spec, argc, argv);
	while (status == LEAVE_OK &&
	       (id = arguments_next(&args, &value)) != ARGUMENT_END) {
		if (id == ARGUMENT_HELP) {
			*help_out = true;
			return LEAVE_OK;
		}
		if (id == ARGUMENT_WRONG)
			return LEAVE_USAGE;
		status = take(o, id, value);
	}
	return status == LEAVE_OK ? check_whole(o) : status;
}

/* A service that runs, and ids that a shell can take. */
static void
settle_detach(struct submit_options *o)
{
	if (!o->wishes.detach)
		return;
	o->need = CONTACT_RUNNING;
	if (o->print.output < 0)
		o->print.output = OUTPUT_TABLE;
}

bool
submit_options_read(struct submit_options *options, int argc, char **argv,
		    int *status_out)
{
	bool help = false;

	*options = (struct submit_options){0};
	print_options_init(&options->print);
	options->project_root = project_root_find();
	options->wishes.project_root = options->project_root;
	*status_out = read_words(options, argc, argv, &help);
	settle_detach(options);
	if (*status_out == LEAVE_OK && !help)
		return true;
	submit_options_free(options);
	return false;
}

void
submit_options_free(struct submit_options *options)
{
	free(options->project_root);
	free(options->operands);
	*options = (struct submit_options){0};
}
